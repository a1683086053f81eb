/** The servers of plugins over the last two weeks, by day, and their change from one week to the next. */
import type { Turns } from '../http/turns.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import { concatPoints, type Points } from '../model/points.ts';

/** Days of a trend. */
export const trendDays = 14;

/** Two weeks of a line. Days are those of UTC, and end with the last whole day before its newest point. */
export interface Trend {
  /** The time of the newest point in Unix milliseconds. */
  readonly newest: number;
  /** The mean of each day; NaN for a day without points. */
  readonly means: Float64Array;
  /**
   * The change from the mean of the first seven days to that of the last seven, as a share: 0.1 is a tenth more. Undefined if it was 0, and if
   * one of the weeks has fewer than four days with points.
   */
  readonly change: number | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;
const daysPerWeek = trendDays / 2;
const minDays = 4;

/** The usual interval of points. */
const usualIntervalMs = 30 * 60 * 1000;
const usualCount = ((trendDays + 1) * dayMs) / usualIntervalMs;

/** Denser points: one a minute. If there are more, the trend begins later. */
const maxCount = (trendDays + 1) * 24 * 60;

/** Most trends to keep: 4 MB. */
const maxKeptCount = 20_000;

/** Lines read in a turn. */
const linesPerTurn = 16;

/** The trends of one state of the store, kept once they are loaded. */
export class Trends {
  readonly #known = new Map<number, Trend | undefined>();
  readonly #chartId: string;

  constructor(chartId: string) {
    this.#chartId = chartId;
  }

  /** Loads the trends of plugins that have this line; undefined for one without points. Rejects as `readChartData` does. */
  async load(
    view: MetricsView,
    pluginIds: readonly number[],
    turns: Turns,
  ): Promise<ReadonlyMap<number, Trend | undefined>> {
    const loaded = new Map<number, Trend | undefined>();
    let count = 0;
    for (const pluginId of pluginIds) {
      const known = this.#known.get(pluginId);
      const trend = known ?? (await loadTrend(view, pluginId, this.#chartId));
      loaded.set(pluginId, trend);
      if (known === undefined && this.#known.size < maxKeptCount) this.#known.set(pluginId, trend);
      if (known === undefined && ++count % linesPerTurn === 0) await turns.next();
    }
    return loaded;
  }
}

async function loadTrend(view: MetricsView, pluginId: number, chartId: string): Promise<Trend | undefined> {
  for (let count = usualCount; ; count = Math.min(count * 8, maxCount)) {
    const data = await view.readChartData(pluginId, chartId, count);
    if (data.storage !== 'series' || data.pointCount === 0) return undefined;
    const points = concatPoints([...data.runs]);
    const isWhole = data.pointCount < count || (points.timestamps[0] ?? 0) <= startOf(points);
    if (isWhole || count === maxCount) return trendOf(points);
  }
}

/** The beginning of the first day of a trend. */
function startOf({ timestamps }: Points): number {
  const newest = timestamps.at(-1) ?? 0;
  // With its last half-hour a day is whole.
  return Math.floor((newest + usualIntervalMs) / dayMs) * dayMs - trendDays * dayMs;
}

/** Makes the trend of ascending points, of which there is at least one. */
export function trendOf(points: Points): Trend {
  const { timestamps, values } = points;
  const start = startOf(points);
  const sums = new Float64Array(trendDays);
  const counts = new Float64Array(trendDays);
  for (let at = timestamps.length - 1; at >= 0; at--) {
    const day = Math.floor(((timestamps[at] ?? 0) - start) / dayMs);
    if (day < 0) break;
    if (day >= trendDays) continue;
    sums[day] = (sums[day] ?? 0) + (values[at] ?? 0);
    counts[day] = (counts[day] ?? 0) + 1;
  }
  const means = sums.map((sum, day) => sum / (counts[day] ?? 0));
  const before = meanOf(means.subarray(0, daysPerWeek));
  const now = meanOf(means.subarray(daysPerWeek));
  const change = before !== undefined && before > 0 && now !== undefined ? now / before - 1 : Number.NaN;
  // The sum of huge numbers may not be a number.
  return { newest: timestamps.at(-1) ?? 0, means, change: Number.isFinite(change) ? change : undefined };
}

/** The mean of the days that have points; undefined if there are too few. */
function meanOf(days: Float64Array): number | undefined {
  const known = days.filter((mean) => !Number.isNaN(mean));
  return known.length < minDays ? undefined : known.reduce((sum, mean) => sum + mean, 0) / known.length;
}
