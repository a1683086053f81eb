/** A logarithmic vertical axis: lines of different sizes in one picture, where equal shares are equally far apart. */
import { type AxisPlace, leastSize, maxTickCount, ticksAt, type ValueAxis } from './value-axis.ts';

/** Makes the axis for values up to `high`, which is at least {@link leastSize}. Values that are not above zero are drawn at its bottom. */
export function logAxis(low: number, high: number, place: AxisPlace): ValueAxis {
  const { top, bottom } = place;
  const lowest = low >= leastSize ? low : high > 1 ? 1 : high / 1000;
  const first = Math.floor(Math.log10(lowest));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, index) => first + index);
  const round = roundValues(powers, [1, 2, 5]);
  const from = round.findLast((value) => value <= lowest) ?? lowest;
  const to = round.find((value) => value >= high && value > from) ?? high;
  const perPixel = (bottom - top) / Math.log(to / from);
  const yAt = (value: number) =>
    value > from ? Math.max(top, bottom - Math.log(value / from) * perPixel) : bottom;
  const thin = thinned(powers, maxTickCount(place), (value) => value >= from && value <= to);
  const values = thin.length < 2 ? [from, to] : thin;
  return { low: from, high: to, ticks: ticksAt(values, yAt), yAt };
}

/** As many round values as have room. */
function thinned(
  powers: readonly number[],
  maxCount: number,
  isWithin: (value: number) => boolean,
): readonly number[] {
  for (const digits of [[1, 2, 5], [1, 3], [1]]) {
    const values = roundValues(powers, digits).filter(isWithin);
    if (values.length <= maxCount) return values;
  }
  const every = Math.ceil(powers.length / maxCount);
  return roundValues(
    powers.filter((_, index) => index % every === 0),
    [1],
  ).filter(isWithin);
}

function roundValues(powers: readonly number[], digits: readonly number[]): readonly number[] {
  return powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)));
}
