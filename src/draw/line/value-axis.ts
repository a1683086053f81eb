/** The vertical axis: from where to where, and which values are marked. */
import { formatExact, formatShort } from '../format.ts';
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

/** Where an axis lies, in pixels. */
export interface AxisPlace {
  readonly top: number;
  readonly bottom: number;
  /** The size of the text at its ticks. */
  readonly textSize: number;
}

/** The axis for values from `low` to `high`, both finite. It begins at zero unless the values are far from it. */
export function valueAxis(low: number, high: number, { top, bottom, textSize }: AxisPlace): ValueAxis {
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Numbers at the ends of what a double can hold are brought to where differences of them can be taken.
  const factor = size > 1e290 ? 2 ** -100 : size > 0 && size < 1e-290 ? 2 ** 100 : 1;
  const [from, to] = domainOf(low * factor, high * factor);
  const maxTickCount = Math.min(6, Math.max(2, Math.floor((bottom - top) / (textSize * 3))));
  const isInteger = Number.isInteger(low) && Number.isInteger(high) && factor === 1;
  let scale = roundScale(from, to, maxTickCount);
  for (let count = maxTickCount - 1; count > 0 && shownOf(scale).length > maxTickCount; count--)
    scale = roundScale(from, to, count);
  const { from: start, to: end } = scale;
  const perPixel = (bottom - top) / (end - start);
  const yAt = (value: number) =>
    Math.min(bottom, Math.max(top, bottom - (value * factor - start) * perPixel));
  const shown = shownOf(scale)
    .map((value) => value / factor)
    .filter(Number.isFinite);
  const texts = tickTexts(shown);
  return {
    low: start / factor,
    high: end / factor,
    ticks: shown.map((value, index) => ({ at: yAt(value), text: texts[index] ?? '' })),
    yAt,
  };

  /** Between integers, only integers are marked. */
  function shownOf({ values }: RoundScale): readonly number[] {
    return isInteger ? values.filter(Number.isInteger) : values;
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
