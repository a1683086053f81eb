/** The figures of a line: its latest value, its peak, its changes, its record. */

import { changeOfHalves, DayMeans, startOfDays } from '../../model/day-means.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import { dayMs, firstFrom } from '../../model/window.ts';

const peakDays = 30;

/** The figures of one line. */
export interface LineFigures {
  /** The latest value, and its time in Unix milliseconds. */
  readonly now: number;
  readonly timestamp: number;
  /** The largest value of the last 30 days. */
  readonly peak: number;
  /**
   * The change from the mean of the 7 days before to that of the last 7, and the same of 30 days, as a share: 0.1 is a tenth more. Days are whole,
   * in UTC. Undefined if there is too little to compare.
   */
  readonly weekChange: number | undefined;
  readonly monthChange: number | undefined;
}

/** Loads the figures of a line by its uid; undefined for one without points. Rejects as the view does. */
export async function loadLineFigures(view: MetricsView, uid: number): Promise<LineFigures | undefined> {
  const span = (await view.findSpans([uid])).get(uid);
  if (span === undefined) return undefined;
  const { last: timestamp, lastValue: now } = span;
  const days = new DayMeans(timestamp, 60);
  const from = Math.min(startOfDays(timestamp, 60), timestamp - peakDays * dayMs);
  let peak = now;
  for await (const points of view.readPoints(uid, { from, to: timestamp + 1 })) {
    days.add(points);
    const { timestamps, values } = points;
    for (let at = firstFrom(timestamps, timestamp - peakDays * dayMs); at < timestamps.length; at++)
      peak = Math.max(peak, values[at] ?? 0);
    await nextTurn();
  }
  const { means } = days;
  const changes = { weekChange: changeOfHalves(means.subarray(-14)), monthChange: changeOfHalves(means) };
  return { now, timestamp, peak, ...changes };
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
