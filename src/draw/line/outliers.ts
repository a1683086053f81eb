/**
 * Outliers: a few values so far from all others that an axis with them would flatten the rest. The axis is then cut, and the picture says so.
 *
 * The rule: the distance of a column is that of its farther value from the median. At most one column in fifty, or one, may be outliers: those
 * that are more than ten times as far from the median as every other column, and as zero. A line of fewer than five columns has none.
 */
import { formatExact } from '../format.ts';
import type { ColumnExtremes, LineShape } from './line-shape.ts';

/** The values that an axis has. */
interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** The values that an axis has, and the ends beyond which lines have others. */
export interface AxisBounds extends Bounds {
  readonly isCutAbove: boolean;
  readonly isCutBelow: boolean;
}

/** A line, and the values of its axis for its own. */
interface BoundedLine {
  readonly values: Pick<LineShape, 'low' | 'high' | 'extremes'>;
  readonly scaled?: (value: number) => number;
}

/** Finds the bounds of the axis of lines with points. Outliers are left out unless `isWhole`, or another line is as high or as low. */
export function axisBounds(lines: readonly BoundedLine[], isWhole = false): AxisBounds {
  const usual: number[] = [];
  const all: number[] = [];
  for (const { values, scaled = (value: number) => value } of lines) {
    const { low, high } = (isWhole ? undefined : boundsWithoutOutliers(values.extremes)) ?? values;
    // The index of a line whose first day is below zero falls where its values rise.
    usual.push(scaled(low), scaled(high));
    all.push(scaled(values.low), scaled(values.high));
  }
  const [low, high] = [Math.min(...usual), Math.max(...usual)];
  return { low, high, isCutAbove: Math.max(...all) > high, isCutBelow: Math.min(...all) < low };
}

const leastColumnCount = 5;
const columnsPerOutlier = 50;
const farTimes = 10;

/** Finds the bounds of a line without its outliers; undefined for a line without. */
export function boundsWithoutOutliers({ lows, highs }: ColumnExtremes): Bounds | undefined {
  if (areAlike(lows, highs)) return undefined;
  const columns = [...lows.keys()].filter((index) => (lows[index] ?? 0) <= (highs[index] ?? 0));
  if (columns.length < leastColumnCount) return undefined;
  const sorted = Float64Array.from(columns, (index) => highs[index] ?? 0).sort();
  const median = sorted[sorted.length >> 1] ?? 0;
  const distanceOf = (index: number) =>
    Math.max(Math.abs((highs[index] ?? 0) - median), Math.abs((lows[index] ?? 0) - median));
  const distances = Float64Array.from(columns, distanceOf).sort().reverse();
  const most = Math.max(1, Math.floor(columns.length / columnsPerOutlier));
  for (let count = most; count > 0; count--) {
    const rest = Math.max(distances[count] ?? 0, Math.abs(median));
    if (!(rest > 0 && (distances[count - 1] ?? 0) > farTimes * rest)) continue;
    const near = columns.filter((index) => distanceOf(index) <= rest);
    return {
      low: Math.min(...near.map((index) => lows[index] ?? 0)),
      high: Math.max(...near.map((index) => highs[index] ?? 0)),
    };
  }
  return undefined;
}

/**
 * Checks without sorting what is true of most lines: no value is below zero, and half of the columns have a tenth of the highest value or more.
 * Then the median is so close to all of them that there are no outliers.
 */
function areAlike(lows: Float64Array, highs: Float64Array): boolean {
  let highest = 0;
  for (let index = 0; index < highs.length; index++) {
    const high = highs[index] ?? 0;
    if ((lows[index] ?? 0) < 0) return false;
    if (high > highest) highest = high;
  }
  let [columnCount, largeCount] = [0, 0];
  for (let index = 0; index < highs.length; index++) {
    const high = highs[index] ?? 0;
    // Columns without points are left out.
    if (!((lows[index] ?? 0) <= high)) continue;
    columnCount++;
    if (farTimes * high >= highest) largeCount++;
  }
  return largeCount >= columnCount - (columnCount >> 1);
}

/** Adds to phrases about lines where their axes are cut: `axis cut above 7,279`. */
export function withCutWords(phrases: readonly string[], axes: readonly AxisBounds[]): readonly string[] {
  const words = axes.flatMap(cutWords);
  if (words.length === 0) return phrases;
  const all = `axis cut ${words.join(', ')}`;
  return phrases.length === 0 ? [all, 'axis cut'] : phrases.map((phrase) => `${phrase}; ${all}`);
}

function cutWords({ low, high, isCutAbove, isCutBelow }: AxisBounds): string[] {
  const ends = [
    ...(isCutAbove ? [`above ${rounded(high)}`] : []),
    ...(isCutBelow ? [`below ${rounded(low)}`] : []),
  ];
  return ends.length === 0 ? [] : [ends.join(' and ')];
}

/** An index without decimals that say nothing. */
function rounded(value: number): string {
  return formatExact(Math.abs(value) >= 100 ? Math.round(value) : value);
}
