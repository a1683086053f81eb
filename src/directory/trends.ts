/** The servers of plugins over the last two weeks, by day, and their change from one week to the next. */

import type { MetricsView } from '../model/metrics-reader.ts';
import { nextTurn } from '../model/next-turn.ts';
import { concatPoints, copyPoints, type Points } from '../model/points.ts';
import { changeOfHalves, DayMeans, startOfDays } from './day-means.ts';

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
  ): Promise<ReadonlyMap<number, Trend | undefined>> {
    const loaded = new Map<number, Trend | undefined>();
    let count = 0;
    for (const pluginId of pluginIds) {
      const known = this.#known.get(pluginId);
      const trend = known ?? (await loadTrend(view, pluginId, this.#chartId));
      loaded.set(pluginId, trend);
      if (known === undefined && this.#known.size < maxKeptCount) this.#known.set(pluginId, trend);
      if (known === undefined && ++count % linesPerTurn === 0) await nextTurn();
    }
    return loaded;
  }
}

async function loadTrend(view: MetricsView, pluginId: number, chartId: string): Promise<Trend | undefined> {
  for (let count = usualCount; ; count = Math.min(count * 8, maxCount)) {
    const data = await view.readChartData(pluginId, chartId, count);
    if (data.storage !== 'series' || data.pointCount === 0) return undefined;
    const points = concatPoints(Array.from(data.runs, copyPoints));
    const start = startOfDays(points.timestamps.at(-1) ?? 0, trendDays);
    const isWhole = data.pointCount < count || (points.timestamps[0] ?? 0) <= start;
    if (isWhole || count === maxCount) return trendOf(points);
  }
}

/** Makes the trend of ascending points, of which there is at least one. */
export function trendOf(points: Points): Trend {
  const newest = points.timestamps.at(-1) ?? 0;
  const days = new DayMeans(newest, trendDays);
  days.add(points);
  return { newest, means: days.means, change: changeOfHalves(days.means) };
}
