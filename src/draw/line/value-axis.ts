/** The vertical axis, for values. */
import { formatExact, formatTick } from '../format.ts';
import type { Ink } from '../theme.ts';

/** A tick of an axis. */
export interface Tick {
  /** Coordinate along the axis, in pixels. */
  readonly at: number;
  readonly text: string;
}

/** Maps values to y coordinates. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
  /** Returns the y coordinate of a value, limited to the box. */
  readonly yAt: (value: number) => number;
}

/** A vertical axis with its side and colour. */
export interface PlacedAxis extends ValueAxis {
  readonly side: 'left' | 'right';
  readonly ink: Ink;
}

/** Position of an axis, in pixels. */
export interface AxisPlace {
  readonly top: number;
  readonly bottom: number;
  /** Text size of the labels. */
  readonly textSize: number;
  /**
   * True for several lines, which are read against the ticks: the axis then has at least four if they fit.
   */
  readonly isDense?: boolean;
}

/** Returns the maximum number of ticks that fit. */
function maxTickCount({ top, bottom, textSize, isDense = false }: AxisPlace): number {
  const [most, distance] = isDense ? [7, 2.25] : [6, 3];
  return Math.min(most, Math.max(2, Math.floor((bottom - top) / (textSize * distance))));
}

/**
 * Makes the axis for finite values from `low` to `high`. It begins at zero unless that would make the data
 * look flat, and ends at round values close to the data, or at ticks. It has as many ticks as fit, but at
 * least two: its ends, if there are no round values.
 */
export function valueAxis(
  low: number,
  high: number,
  { hasTickEnds = false, ...place }: AxisPlace & { readonly hasTickEnds?: boolean },
): ValueAxis {
  const leastShare = place.textSize / (place.bottom - place.top);
  const isInteger = Number.isInteger(low) && Number.isInteger(high);
  const maxCount = maxTickCount(place);
  const fine = roundScale(...domainOf(low, high), fineCount);
  for (let count = maxCount; count > 0; count--) {
    const round = roundScale(fine.from, fine.to, count);
    const { from, to } = hasTickEnds || place.isDense ? round : fine;
    const values = round.values.filter(
      (value) => value >= from && value <= to && (!isInteger || Number.isInteger(value)),
    );
    const [first = from, second = from] = values;
    const isWide = second - first >= leastShare * (to - from);
    if (values.length >= 2 && values.length <= maxCount && isWide)
      return scaledAxis({ from, to, values }, place);
  }
  return scaledAxis({ ...fine, values: [fine.from, fine.to] }, place);
}

const fineCount = 8;

/** Makes an axis with as many ticks as another one, including at its ends, with round steps if possible. */
export function axisOnGrid(
  bounds: { readonly low: number; readonly high: number },
  tickCount: number,
  place: AxisPlace,
): ValueAxis {
  const [low, high] = domainOf(bounds.low, bounds.high);
  const stepCount = tickCount - 1;
  const least = (high - low) / stepCount;
  const power = 10 ** Math.floor(Math.log10(least));
  const isInteger = Number.isInteger(bounds.low) && Number.isInteger(bounds.high);
  const firstOf = (step: number) => Math.floor(low / step);
  const round = [1, 2, 3, 4, 5, 6, 8, 10, 20]
    .map((digit) => digit * (isInteger ? Math.max(1, power) : power))
    .find((step) => (firstOf(step) + stepCount) * step >= high);
  const [step, first] = round === undefined ? [least, low / least] : [round, firstOf(round)];
  const values = Array.from({ length: tickCount }, (_, index) =>
    Number(((first + index) * step).toPrecision(6)),
  );
  return scaledAxis({ from: first * step, to: (first + stepCount) * step, values }, place);
}

/**
 * Makes a logarithmic axis for values up to `high`, which must be at least {@link leastSize}. Values of zero
 * or below are drawn at its bottom.
 */
export function logAxis(low: number, high: number, place: AxisPlace): ValueAxis {
  const lowest = low >= leastSize ? low : high > 1 ? 1 : high / 1000;
  const first = Math.floor(Math.log10(lowest));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, index) => first + index);
  const round = roundValues(powers, [1, 2, 5]);
  const from = round.findLast((value) => value <= lowest) ?? lowest;
  const to = round.find((value) => value >= high && value > from) ?? high;
  const isWithin = (value: number) => value >= from && value <= to;
  const maxCount = maxTickCount(place) + 1;
  const thin = thinned(powers, maxCount, isWithin);
  // Within a decade there are few round values, so linear ticks are used.
  const even = to <= 10 * from ? roundScale(from, to, 4).values.filter(isWithin) : [];
  const found = even.length > thin.length && even.length <= maxCount ? even : thin;
  const values = found.length < 2 ? [from, to] : found;
  return scaledAxis({ from, to, values }, place, (value) => Math.log(Math.max(value, from) / from));
}

/** Selects as many round values as fit. */
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

/** Makes an axis between two values, linear unless `scale` is given. */
function scaledAxis(
  { from, to, values }: RoundScale,
  { top, bottom }: AxisPlace,
  scale = (value: number) => value,
): ValueAxis {
  const start = scale(from);
  const perPixel = (bottom - top) / (scale(to) - start);
  const yAt = (value: number) => Math.min(bottom, Math.max(top, bottom - (scale(value) - start) * perPixel));
  const texts = tickTexts(values);
  const ticks = values.map((value, index) => ({ at: yAt(value), text: texts[index] ?? '' }));
  return { low: from, high: to, ticks, yAt };
}

/** True if zero is on the axis. If not, an area under a line would be misleading and is omitted. */
export function hasZero({ low, high }: ValueAxis): boolean {
  return low <= 0 && high >= 0;
}

/** Values below this size count as zeros when the axis is chosen. */
export const leastSize = 1e-9;

/** A line that takes less than this fraction of its axis counts as flat. */
export const flatShare = 0.05;

/**
 * Returns the values that an axis must span, never two equal ones: from zero on, unless a moving line would
 * then look flat.
 */
export function domainOf(low: number, high: number): readonly [low: number, high: number] {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const spread = high - low;
  if (size < leastSize) return [0, 1];
  const isNearZero = spread >= flatShare * size || spread <= size * 1e-9;
  if (low >= 0) return [isNearZero ? 0 : low, high];
  if (high <= 0) return [low, isNearZero ? 0 : high];
  return [low, high];
}

/** Returns the labels of ticks, all in the same unit: short ones, unless two would be equal. */
function tickTexts(values: readonly number[]): string[] {
  const size = Math.max(...values.map(Math.abs));
  const texts = values.map(size >= 10_000 || size < 0.001 ? formatTick : formatExact);
  return new Set(texts).size === texts.length ? texts : values.map(size > 1e15 ? String : formatExact);
}

/** A scale between two round values, with its ticks. */
export interface RoundScale {
  readonly from: number;
  readonly to: number;
  readonly values: readonly number[];
}

/**
 * Returns round values from below `low` to above `high`; the two must differ. The step is 1, 2 or 5 times a
 * power of ten.
 */
export function roundScale(low: number, high: number, count: number): RoundScale {
  const around = (step: number) => ({
    from: multiple(Math.floor(low / step), step),
    to: multiple(Math.ceil(high / step), step),
  });
  const narrow = around(roundStep(high - low, count));
  // Rounding outwards widens the scale, which may require a larger step.
  const step = roundStep(narrow.to - narrow.from, count);
  const { from, to } = around(step);
  const first = Math.round(from / step);
  const length = Math.round(to / step) - first + 1;
  return { from, to, values: Array.from({ length }, (_, index) => multiple(first + index, step)) };
}

/** Returns the step of 1, 2 or 5 times a power of ten that is closest to the wanted one, by ratio. */
export function roundStep(span: number, count: number): number {
  const wanted = span / count;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const ratio = wanted / power;
  return power * (ratio >= Math.sqrt(50) ? 10 : ratio >= Math.sqrt(10) ? 5 : ratio >= Math.SQRT2 ? 2 : 1);
}

/** Computes `times * step` as exactly as possible, even for a step such as 0.1 that has no exact double. */
function multiple(times: number, step: number): number {
  return step < 1 ? times / Math.round(1 / step) : times * step;
}
