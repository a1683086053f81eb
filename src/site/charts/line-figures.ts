/** The figures of a line: its latest value, its peak, its changes, its record. */

import type { ChartName } from '../../model/chart.ts';
import { changeOfHalves, DayMeans } from '../../model/day-means.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import type { Points } from '../../model/points.ts';
import { dayMs } from '../../model/window.ts';
import { loadLine } from './load-line.ts';

const peakDays = 30;

/** The figures of one line. */
export interface LineFigures {
  /** The latest value, and its time in Unix milliseconds. */
  readonly now: number;
  readonly timestamp: number;
  /** The largest value of the last 30 days. */
  readonly peak: number;
  readonly peakTimestamp: number;
  /**
   * The change from the mean of the 7 days before to that of the last 7, and the same of 30 days, as a share: 0.1 is a tenth more. Days are whole,
   * in UTC. Undefined if there is too little to compare.
   */
  readonly weekChange: number | undefined;
  readonly monthChange: number | undefined;
}

/** Loads the figures of a line; undefined for one without points. Rejects as {@link loadLine} does. */
export async function loadLineFigures(view: MetricsView, name: ChartName): Promise<LineFigures | undefined> {
  const line = await loadLine(view, { ...name, range: '90d' });
  if (line === undefined) return undefined;
  const taken = new TakenFigures(line.to);
  for (const run of line.runs) {
    taken.add(run);
    await nextTurn();
  }
  return taken.figures;
}

/** The figures of points in ascending order; undefined without points. */
export function lineFigures(points: Points): LineFigures | undefined {
  const newest = points.timestamps.at(-1);
  if (newest === undefined) return undefined;
  const taken = new TakenFigures(newest);
  taken.add(points);
  return taken.figures;
}

/** Takes points in ascending order, up to the newest one. */
class TakenFigures {
  readonly #newest: number;
  readonly #fortnight: DayMeans;
  readonly #months: DayMeans;
  #now = Number.NaN;
  #peak = Number.NEGATIVE_INFINITY;
  #peakTimestamp = Number.NaN;

  constructor(newest: number) {
    this.#newest = newest;
    this.#fortnight = new DayMeans(newest, 14);
    this.#months = new DayMeans(newest, 60);
  }

  get figures(): LineFigures {
    return {
      now: this.#now,
      timestamp: this.#newest,
      peak: this.#peak,
      peakTimestamp: this.#peakTimestamp,
      weekChange: changeOfHalves(this.#fortnight.means),
      monthChange: changeOfHalves(this.#months.means),
    };
  }

  add(points: Points): void {
    const { timestamps, values } = points;
    this.#fortnight.add(points);
    this.#months.add(points);
    this.#now = values.at(-1) ?? this.#now;
    for (let at = timestamps.length - 1; at >= 0; at--) {
      const timestamp = timestamps[at] ?? 0;
      if (timestamp < this.#newest - peakDays * dayMs) break;
      const value = values[at] ?? 0;
      if (value < this.#peak) continue;
      this.#peak = value;
      this.#peakTimestamp = timestamp;
    }
  }
}

/** The highest value of a line in its whole history. */
export interface LineRecord {
  readonly value: number;
  /** The time of the first point with this value, in Unix milliseconds. */
  readonly timestamp: number;
}

/** Loads the record of a line by its uid; undefined for one without points. Rejects as the view does. */
export async function loadLineRecord(view: MetricsView, uid: number): Promise<LineRecord | undefined> {
  const span = (await view.findSpans([uid])).get(uid);
  if (span === undefined) return undefined;
  let record: LineRecord = { value: Number.NEGATIVE_INFINITY, timestamp: span.first };
  const window = { from: span.first, to: span.last + 1 };
  for await (const { timestamps, values } of view.readPoints(uid, window)) {
    for (let at = 0; at < values.length; at++) {
      const value = values[at] ?? 0;
      if (value > record.value) record = { value, timestamp: timestamps[at] ?? 0 };
    }
    await nextTurn();
  }
  return record;
}
