/** The vertical axis: from where to where, and which values are marked. */
import { formatExact, formatShort } from '../format.ts';
import type { Ink } from '../theme.ts';
import { type RoundScale, roundScale } from './ticks.ts';

/** A marked place on an axis. */
export interface Tick {
  /** The coordinate in pixels, along the axis. */
  readonly at: number;
  readonly text: string;
}

/** From values to y coordinates. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
  /** The y coordinate of a value, within the box. */
  readonly yAt: (value: number) => number;
}

/** A vertical axis in its place. */
export interface PlacedAxis extends ValueAxis {
  readonly side: 'left' | 'right';
  readonly ink: Ink;
}

/** Where an axis lies, in pixels. */
export interface AxisPlace {
  readonly top: number;
  readonly bottom: number;
  /** The size of the text at its ticks. */
  readonly textSize: number;
  /** How many steps it has, where it must fit the grid of another axis. */
  readonly stepCount?: number;
}

/** The axis for values from `low` to `high`, both finite. It begins at zero unless the values are far from it. */
export function valueAxis(low: number, high: number, place: AxisPlace): ValueAxis {
  const { top, bottom, textSize, stepCount } = place;
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Numbers at the ends of what a double can hold are brought to where differences of them can be taken.
  const factor = size > 1e290 ? 2 ** -100 : size > 0 && size < 1e-290 ? 2 ** 100 : 1;
  const domain = domainOf(low * factor, high * factor);
  const isInteger = Number.isInteger(low) && Number.isInteger(high) && factor === 1;
  const maxTickCount = Math.min(6, Math.max(2, Math.floor((bottom - top) / (textSize * 3))));
  const { from, to, values } =
    stepCount === undefined
      ? closeScale(domain, { maxTickCount, isInteger })
      : steppedScale(domain, { stepCount, isInteger });
  const perPixel = (bottom - top) / (to - from);
  const yAt = (value: number) => Math.min(bottom, Math.max(top, bottom - (value * factor - from) * perPixel));
  // Near the smallest double, ticks fall together when they are brought back.
  const shown = [...new Set(values.map((value) => value / factor).filter(Number.isFinite))];
  const texts = tickTexts(shown);
  return {
    low: from / factor,
    high: to / factor,
    ticks: shown.map((value, index) => ({ at: yAt(value), text: texts[index] ?? '' })),
    yAt,
  };
}

/** Whether the area under a line may be filled: where zero is not on the axis, its size would mean nothing. */
export function hasZero({ low, high }: ValueAxis): boolean {
  return low <= 0 && high >= 0;
}

type Domain = readonly [low: number, high: number];

/** A scale that ends at a round value near the data, with as many ticks in it as there is room for: two at least. */
function closeScale(
  [low, high]: Domain,
  { maxTickCount, isInteger }: { readonly maxTickCount: number; readonly isInteger: boolean },
): RoundScale {
  const { from, to } = roundScale(low, high, fineCount);
  for (let count = maxTickCount; count > 0; count--) {
    const values = roundScale(from, to, count).values.filter(
      (value) => value >= from && value <= to && (!isInteger || Number.isInteger(value)),
    );
    if (values.length >= 2 && values.length <= maxTickCount) return { from, to, values };
  }
  return { from, to, values: [from, to] };
}

const fineCount = 8;

/** A scale of a number of equal steps, each of them a round value. */
function steppedScale(
  [low, high]: Domain,
  { stepCount, isInteger }: { readonly stepCount: number; readonly isInteger: boolean },
): RoundScale {
  const least = (high - low) / stepCount;
  for (let power = 10 ** Math.floor(Math.log10(least)); ; power *= 10) {
    for (const digit of [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8]) {
      const step = digit * power;
      if (isInteger && !Number.isInteger(step)) continue;
      const from = Math.floor(low / step) * step;
      const to = from + stepCount * step;
      if (to < high) continue;
      return { from, to, values: Array.from({ length: stepCount + 1 }, (_, index) => from + index * step) };
    }
  }
}

/** From where to where an axis must reach at least; never two equal numbers. */
function domainOf(low: number, high: number): [number, number] {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const spread = high - low;
  if (size === 0) return [0, 1];
  const isNearZero = spread * 3 >= size || spread <= size * 1e-9;
  if (low >= 0) return [isNearZero ? 0 : low, high];
  if (high <= 0) return [low, isNearZero ? 0 : high];
  return [low, high];
}

/** The texts of ticks, all in one unit; with all digits where a short form would show two values alike. */
function tickTexts(values: readonly number[]): string[] {
  const size = Math.max(...values.map(Math.abs));
  const short = values.map(size >= 10_000 || size < 0.001 ? formatShort : formatExact);
  return new Set(short).size === short.length ? short : values.map(formatExact);
}
