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
export function valueAxis(low: number, high: number, place: AxisPlace): ValueAxis {
  const { top, bottom, textSize } = place;
  const isInteger = Number.isInteger(low) && Number.isInteger(high);
  const { from, to, values } = closeScale(domainOf(low, high), {
    maxCount: maxTickCount(place),
    leastShare: textSize / (bottom - top),
    isInteger,
  });
  const perPixel = (bottom - top) / (to - from);
  const yAt = (value: number) => Math.min(bottom, Math.max(top, bottom - (value - from) * perPixel));
  const texts = tickTexts(values);
  return {
    low: from,
    high: to,
    ticks: values.map((value, index) => ({ at: yAt(value), text: texts[index] ?? '' })),
    yAt,
  };
}

/** Makes an axis whose ticks are at those of another one, with values of its own, which are round where they can be. */
export function axisOnGrid(
  bounds: { readonly low: number; readonly high: number },
  grid: readonly Tick[],
  { top, bottom }: AxisPlace,
): ValueAxis {
  const [low, high] = domainOf(bounds.low, bounds.high);
  const [{ at: start } = { at: bottom }, { at: next } = { at: top }] = grid;
  const gap = start - next;
  const [below, span] = [(bottom - start) / gap, (bottom - top) / gap];
  const power = 10 ** Math.floor(Math.log10((high - low) / span));
  const { step, first } = [1, 2, 3, 4, 5, 6, 8, 10, 20]
    .map((digit) => ({ step: digit * power, first: Math.floor(low / (digit * power) + below) }))
    .find((each) => (each.first - below + span) * each.step >= high) ?? {
    step: (high - low) / span,
    first: low / ((high - low) / span) + below,
  };
  const texts = tickTexts(grid.map((_, index) => Number(((first + index) * step).toPrecision(6))));
  const from = (first - below) * step;
  return {
    low: from,
    high: from + span * step,
    ticks: grid.map(({ at }, index) => ({ at, text: texts[index] ?? '' })),
    yAt: (value) => Math.min(bottom, Math.max(top, bottom - ((value - from) / step) * gap)),
  };
}

/** True if zero is on the axis. Otherwise the size of the area under a line means nothing, and it is not filled. */
export function hasZero({ low, high }: ValueAxis): boolean {
  return low <= 0 && high >= 0;
}

type Domain = readonly [low: number, high: number];

/**
 * A scale that ends at round values close to the data, with as many ticks as have room, and at least two. A step is at least
 * `leastShare` of the axis; where no round one is, the ticks are the ends.
 */
function closeScale(
  [low, high]: Domain,
  {
    maxCount,
    leastShare,
    isInteger,
  }: { readonly maxCount: number; readonly leastShare: number; readonly isInteger: boolean },
): RoundScale {
  const { from, to } = roundScale(low, high, fineCount);
  for (let count = maxCount; count > 0; count--) {
    const values = roundScale(from, to, count).values.filter(
      (value) => value >= from && value <= to && (!isInteger || Number.isInteger(value)),
    );
    const [first = from, second = from] = values;
    const isWide = second - first >= leastShare * (to - from);
    if (values.length >= 2 && values.length <= maxCount && isWide) return { from, to, values };
  }
  return { from, to, values: [from, to] };
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
export function tickTexts(values: readonly number[]): string[] {
  const size = Math.max(...values.map(Math.abs));
  for (const format of size >= 10_000 || size < 0.001 ? [formatShort, formatExact] : [formatExact]) {
    const texts = values.map((value) => format(value));
    if (new Set(texts).size === texts.length) return texts;
  }
  return values.map(formatAllDigits);
}
