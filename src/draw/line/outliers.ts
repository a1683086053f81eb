/**
 * Outliers: a few values so far from all others that an axis with them would flatten the rest. The axis is then cut, and the picture says so.
 *
 * The rule: the distance of a column is that of its farther value from the median. At most one column in fifty, or one, may be outliers: those
 * that are more than ten times as far from the median as every other column, and as zero. A line of fewer than five columns has none.
 */
import { formatExact } from '../format.ts';
import { coordinate } from '../svg.ts';
import type { Ink, Paint } from '../theme.ts';
import type { PlotBox } from './plot-box.ts';

/** The lowest and the highest value of each column or step, and its time. Those without points are infinite. */
export interface ColumnExtremes {
  readonly times: Float64Array;
  readonly lows: Float64Array;
  readonly highs: Float64Array;
}

/** The values that an axis is for. */
export interface AxisBounds {
  readonly low: number;
  readonly high: number;
  /** The outliers beyond them, with their times. */
  readonly above: readonly number[];
  readonly below: readonly number[];
}

const leastColumnCount = 5;
const columnsPerOutlier = 50;
const farTimes = 10;

/** Finds the bounds of a line without its outliers. */
export function boundsWithoutOutliers(extremes: ColumnExtremes): AxisBounds | undefined {
  const { lows, highs } = extremes;
  if (areAlike(lows, highs)) return undefined;
  const { times } = extremes;
  const columns = [...times.keys()].filter((index) => (lows[index] ?? 0) <= (highs[index] ?? 0));
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
    const far = columns.filter((index) => distanceOf(index) > rest);
    const low = near.reduce((least, index) => Math.min(least, lows[index] ?? 0), Number.POSITIVE_INFINITY);
    const high = near.reduce((most, index) => Math.max(most, highs[index] ?? 0), Number.NEGATIVE_INFINITY);
    const timesOf = (isBeyond: (index: number) => boolean) =>
      far.filter(isBeyond).map((index) => times[index] ?? 0);
    return {
      low,
      high,
      above: timesOf((index) => (highs[index] ?? 0) > high),
      below: timesOf((index) => (lows[index] ?? 0) < low),
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
export function withCutWords(
  phrases: readonly string[],
  cuts: ReadonlyArray<AxisBounds | undefined>,
): readonly string[] {
  const words = cuts.filter((cut) => cut !== undefined).map(wordsOf);
  if (words.length === 0) return phrases;
  const all = `axis cut ${words.join(', ')}`;
  return phrases.length === 0 ? [all, 'axis cut'] : phrases.map((phrase) => `${phrase}; ${all}`);
}

function wordsOf({ low, high, above, below }: AxisBounds): string {
  const ends = [
    ...(above.length === 0 ? [] : [`above ${formatExact(high)}`]),
    ...(below.length === 0 ? [] : [`below ${formatExact(low)}`]),
  ];
  return ends.join(' and ');
}

/** The position and the ink of a line whose axis is cut. */
interface CutPlace {
  readonly box: PlotBox;
  readonly xAt: (timestamp: number) => number;
  readonly ink: Ink;
}

/** Draws an arrow at the edge of the plot for each outlier. */
export function drawCutMarks(cut: AxisBounds | undefined, { box, xAt, ink }: CutPlace, paint: Paint): string {
  const { above = [], below = [] } = cut ?? {};
  const arrow = (time: number, y: number, height: number) =>
    `M${coordinate(xAt(time) - 4)} ${coordinate(y)}h8l-4 ${height}z`;
  const arrows = [
    ...above.map((time) => arrow(time, box.top, -6)),
    ...below.map((time) => arrow(time, box.bottom, 6)),
  ];
  return arrows.length === 0 ? '' : `<path d="${arrows.join('')}"${paint.fill(ink)}/>`;
}
