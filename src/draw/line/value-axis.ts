/** The vertical axis: values. */
import { formatAllDigits, formatExact, formatShort } from '../format.ts';
import type { Ink } from '../theme.ts';
import { type RoundScale, roundScale } from './ticks.ts';

/** A tick of an axis. */
export interface Tick {
  /** The coordinate in pixels, along the axis. */
  readonly at: number;
  readonly text: string;
}

/** Scale from values to y coordinates. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
  /** The y coordinate of a value, within the box. */
  readonly yAt: (value: number) => number;
}

/** A vertical axis with its side and colour. */
export interface PlacedAxis extends ValueAxis {
  readonly side: 'left' | 'right';
  readonly ink: Ink;
}

/** The position of an axis, in pixels. */
export interface AxisPlace {
  readonly top: number;
  readonly bottom: number;
  /** The size of the labels. */
  readonly textSize: number;
}

/** The most ticks that have room. */
export function maxTickCount({ top, bottom, textSize }: AxisPlace): number {
  return Math.min(6, Math.max(2, Math.floor((bottom - top) / (textSize * 3))));
}

/** Makes the axis for values from `low` to `high`, both finite. It begins at zero unless the values are far from zero. */
export function valueAxis(
  low: number,
  high: number,
  { hasTickEnds = false, ...place }: AxisPlace & { readonly hasTickEnds?: boolean },
): ValueAxis {
  const { top, bottom, textSize } = place;
  const scale = closeScale(domainOf(low, high), {
    maxCount: maxTickCount(place),
    leastShare: textSize / (bottom - top),
    isInteger: Number.isInteger(low) && Number.isInteger(high),
    hasTickEnds,
  });
  return linearAxis(scale, place);
}

/** Makes an axis with as many ticks as another one has, which has them at its ends too, in round steps where they can be. */
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
  return linearAxis({ from: first * step, to: (first + stepCount) * step, values }, place);
}

function linearAxis({ from, to, values }: RoundScale, { top, bottom }: AxisPlace): ValueAxis {
  const perPixel = (bottom - top) / (to - from);
  const yAt = (value: number) => Math.min(bottom, Math.max(top, bottom - (value - from) * perPixel));
  return { low: from, high: to, ticks: ticksAt(values, yAt), yAt };
}

/** The ticks of an axis at these values, with their labels. */
export function ticksAt(values: readonly number[], yAt: (value: number) => number): readonly Tick[] {
  const texts = tickTexts(values);
  return values.map((value, index) => ({ at: yAt(value), text: texts[index] ?? '' }));
}

/** True if zero is on the axis. Otherwise the size of the area under a line means nothing, and it is not filled. */
export function hasZero({ low, high }: ValueAxis): boolean {
  return low <= 0 && high >= 0;
}

type Domain = readonly [low: number, high: number];

/**
 * A scale that ends at round values close to the data, or at ticks, with as many ticks as have room, and at least two. A step is at
 * least `leastShare` of the axis; where no round one is, the ticks are the ends.
 */
function closeScale(
  [low, high]: Domain,
  {
    maxCount,
    leastShare,
    isInteger,
    hasTickEnds,
  }: {
    readonly maxCount: number;
    readonly leastShare: number;
    readonly isInteger: boolean;
    readonly hasTickEnds: boolean;
  },
): RoundScale {
  const fine = roundScale(low, high, fineCount);
  for (let count = maxCount; count > 0; count--) {
    const round = roundScale(fine.from, fine.to, count);
    const { from, to } = hasTickEnds ? round : fine;
    const values = round.values.filter(
      (value) => value >= from && value <= to && (!isInteger || Number.isInteger(value)),
    );
    const [first = from, second = from] = values;
    const isWide = second - first >= leastShare * (to - from);
    if (values.length >= 2 && values.length <= maxCount && isWide) return { from, to, values };
  }
  return { ...fine, values: [fine.from, fine.to] };
}

const fineCount = 8;

/** An axis of smaller values is that of zeros. */
export const leastSize = 1e-9;

/** The values that an axis must span; never two equal numbers. */
function domainOf(low: number, high: number): [number, number] {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const spread = high - low;
  if (size < leastSize) return [0, 1];
  const isNearZero = spread * 3 >= size || spread <= size * 1e-9;
  if (low >= 0) return [isNearZero ? 0 : low, high];
  if (high <= 0) return [low, isNearZero ? 0 : high];
  return [low, high];
}

/** The labels of ticks, all in one unit. They have more digits if two shorter ones would read alike. */
function tickTexts(values: readonly number[]): string[] {
  const size = Math.max(...values.map(Math.abs));
  for (const format of size >= 10_000 || size < 0.001 ? [formatShort, formatExact] : [formatExact]) {
    const texts = values.map((value) => format(value));
    if (new Set(texts).size === texts.length) return texts;
  }
  return values.map(formatAllDigits);
}
