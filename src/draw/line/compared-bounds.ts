/** The bounds of the axis of several lines. The outliers of each line are left out, unless another line is as high or as low. */
import type { LineShape } from './line-shape.ts';
import { type AxisBounds, boundsWithoutOutliers, type ColumnExtremes } from './outliers.ts';

/** A line, and the values of its axis for its own. */
interface BoundedLine {
  readonly shape: LineShape;
  readonly scaled: (value: number) => number;
}

/** The bounds that lines share. */
interface ComparedBounds {
  readonly low: number;
  readonly high: number;
  /** One for each line: its values beyond the bounds; undefined for a line without. */
  readonly cuts: ReadonlyArray<AxisBounds | undefined>;
}

/** Finds the bounds for lines with points: with all values if `isWhole`, with the means of lines alone unless they have bands. */
export function boundsOfLines(
  lines: readonly BoundedLine[],
  { hasBands, isWhole }: { readonly hasBands: boolean; readonly isWhole: boolean },
): ComparedBounds {
  const each = lines.map(({ shape, scaled }) => {
    const values = hasBands ? shape : (shape.means ?? shape);
    const { extremes } = values;
    const cut = isWhole ? undefined : boundsWithoutOutliers(extremes);
    const { low, high } = cut ?? values;
    // The index of a line whose first day is below zero falls where its values rise.
    const ends = [scaled(low), scaled(high)];
    return { extremes, scaled, isCut: cut !== undefined, low: Math.min(...ends), high: Math.max(...ends) };
  });
  const low = Math.min(...each.map((line) => line.low));
  const high = Math.max(...each.map((line) => line.high));
  const cuts = each.map(({ extremes, scaled, isCut }) => {
    if (!isCut) return undefined;
    const endsOf = (index: number) => [scaled(extremes.lows[index] ?? 0), scaled(extremes.highs[index] ?? 0)];
    const above = timesOf(extremes, (index) => Math.max(...endsOf(index)) > high);
    const below = timesOf(extremes, (index) => Math.min(...endsOf(index)) < low);
    return above.length + below.length === 0 ? undefined : { low, high, above, below };
  });
  return { low, high, cuts };
}

function timesOf({ times, lows, highs }: ColumnExtremes, isBeyond: (index: number) => boolean): number[] {
  return [...times].filter((_, index) => (lows[index] ?? 0) <= (highs[index] ?? 0) && isBeyond(index));
}

/** Sums up what is cut off from all lines, for the words about it; undefined if nothing is. */
export function wholeCut({ low, high, cuts }: ComparedBounds): AxisBounds | undefined {
  const above = cuts.flatMap((cut) => cut?.above ?? []);
  const below = cuts.flatMap((cut) => cut?.below ?? []);
  if (above.length + below.length === 0) return undefined;
  return { low: rounded(low), high: rounded(high), above, below };
}

/** An index without decimals that say nothing. */
function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : value;
}
