/** The figures of a line: its latest value, its peak, its changes, its record. */

import type { Chart } from '../../model/chart.ts';
import { valuesOf } from '../../model/columns.ts';
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
  /** The highest value, and the time of the first point with it. */
  readonly record: { readonly value: number; readonly timestamp: number };
  /**
   * The change from the mean of the 7 days before to that of the last 7, and the same of 30 days, as a share: 0.1 is a tenth more. Days are whole,
   * in UTC. Undefined if there is too little to compare.
   */
  readonly weekChange: number | undefined;
  readonly monthChange: number | undefined;
}

/** Options of figures. */
interface FiguresOptions {
  /** True to look for the record in the whole history, false for one of the last 60 days. */
  readonly hasRecord: boolean;
}

/** Loads the figures of a line; undefined for one without points. Rejects as the view does. */
export async function loadLineFigures(
  view: MetricsView,
  line: Pick<Chart, 'uid' | 'type'>,
  { hasRecord }: FiguresOptions = { hasRecord: false },
): Promise<LineFigures | undefined> {
  const span = (await view.findSpans([line.uid])).get(line.uid);
  if (span === undefined) return undefined;
  const { first, last: timestamp, lastValue: now } = span;
  const days = new DayMeans(timestamp, 60);
  const peakFrom = timestamp - peakDays * dayMs;
  const from = hasRecord ? first : Math.min(startOfDays(timestamp, 60), peakFrom);
  let peak = now;
  let record = { value: Number.NEGATIVE_INFINITY, timestamp };
  for await (const points of view.readColumns(line, { from, to: timestamp + 1 })) {
    days.add(points);
    const [times, values] = [points.times, valuesOf(points)];
    const firstOfPeak = firstFrom(times, peakFrom);
    for (let at = 0; at < values.length; at++) {
      const value = values[at] ?? 0;
      if (value > record.value) record = { value, timestamp: times[at] ?? 0 };
      if (at >= firstOfPeak) peak = Math.max(peak, value);
    }
    await nextTurn();
  }
  const { means } = days;
  const changes = { weekChange: changeOfHalves(means.subarray(-14)), monthChange: changeOfHalves(means) };
  return { now, timestamp, peak, record, ...changes };
}
