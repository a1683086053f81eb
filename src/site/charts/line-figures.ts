/** The figures of a line: its latest value, its peak, its changes. */

import type { Chart } from '../../model/catalogue.ts';
import { valuesOf } from '../../model/columns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { startOfDays } from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { daysOfChanges, LineDays } from '../../series/line-days.ts';

/** Figures of one line. */
export interface LineFigures {
  /** Latest value, and its time in Unix milliseconds. */
  readonly now: number;
  readonly timestamp: number;
  /** Largest value of the last 30 days. */
  readonly peak: number;
  /**
   * Relative change of the mean of the last 7 days, or 28 days, from that of the same number of days before:
   * 0.1 means 10% more. Days are whole UTC days. Undefined if there is too little data.
   */
  readonly weekChange: number | undefined;
  readonly monthChange: number | undefined;
}

/** Loads the figures of a line; undefined without points. Rejects as the view does. */
export async function loadLineFigures(
  view: MetricsView,
  line: Pick<Chart, 'uid' | 'type'>,
): Promise<LineFigures | undefined> {
  const span = (await view.findSpans([line.uid])).get(line.uid);
  if (span === undefined) return undefined;
  const days = new LineDays(span.last, daysOfChanges(span.last));
  // The changes need 56 days, and the peak needs the last 30.
  const from = startOfDays(span.last, 56);
  for await (const points of view.readColumns(line, { from, to: span.last + 1 })) {
    days.add(points.times, valuesOf(points));
    await nextTurn();
  }
  const said = days.insights('');
  if (said === undefined) return undefined;
  const { now, changes, peak30d } = said;
  return {
    now: now[1],
    timestamp: now[0],
    peak: peak30d[1],
    weekChange: changes['7d'] ?? undefined,
    monthChange: changes['28d'] ?? undefined,
  };
}
