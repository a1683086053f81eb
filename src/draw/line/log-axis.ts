/** A logarithmic vertical axis: lines of different sizes in one picture, where equal shares are equally far apart. */
import { type AxisPlace, leastSize, tickTexts, type ValueAxis } from './value-axis.ts';

/** Digits of ticks, from close ones to those of whole powers of ten. */
const digitsOfTicks = [[1, 2, 5], [1, 3], [1]] as const;

/** Makes the axis for values up to `high`, which is at least {@link leastSize}. Values that are not above zero are drawn at its bottom. */
export function logAxis(low: number, high: number, { top, bottom, textSize }: AxisPlace): ValueAxis {
  const from = roundDown(low >= leastSize ? low : high > 1 ? 1 : high / 1000);
  const to = Math.max(roundUp(high), from * 2);
  const least = Math.log(from);
  const perPixel = (bottom - top) / (Math.log(to) - least);
  const yAt = (value: number) =>
    value > from ? Math.max(top, bottom - (Math.log(value) - least) * perPixel) : bottom;
  const values = ticksBetween(
    from,
    to,
    Math.min(6, Math.max(2, Math.floor((bottom - top) / (textSize * 3)))),
  );
  const texts = tickTexts(values);
  return {
    low: from,
    high: to,
    ticks: values.map((value, index) => ({ at: yAt(value), text: texts[index] ?? '' })),
    yAt,
  };
}

/** As many round values as have room; both ends if there are no two. */
function ticksBetween(from: number, to: number, maxCount: number): readonly number[] {
  const first = Math.floor(Math.log10(from));
  const powerCount = Math.ceil(Math.log10(to)) - first + 1;
  for (const digits of digitsOfTicks) {
    const all = valuesOf(digits, { first, powerCount, every: 1 });
    const shown = all.filter((value) => value >= from && value <= to);
    if (shown.length >= 2 && shown.length <= maxCount) return shown;
  }
  const every = Math.ceil(powerCount / maxCount);
  const shown = valuesOf([1], { first, powerCount, every }).filter((value) => value >= from && value <= to);
  return shown.length >= 2 ? shown : [from, to];
}

function valuesOf(
  digits: readonly number[],
  {
    first,
    powerCount,
    every,
  }: { readonly first: number; readonly powerCount: number; readonly every: number },
): number[] {
  const powers = Array.from({ length: Math.ceil(powerCount / every) }, (_, index) => first + index * every);
  return powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)));
}

/** The largest of 1, 2 and 5 times a power of ten that is not above a value. */
function roundDown(value: number): number {
  const power = Math.floor(Math.log10(value));
  return [5, 2, 1].map((digit) => Number(`${digit}e${power}`)).find((round) => round <= value) ?? value;
}

/** The smallest of 1, 2 and 5 times a power of ten that is not below a value. */
function roundUp(value: number): number {
  const power = Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((digit) => Number(`${digit}e${power}`)).find((round) => round >= value) ?? value;
}
