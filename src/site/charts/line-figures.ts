/** The figures of a line: its latest value, its peak, its changes. */

import type { Chart } from '../../model/catalogue.ts';
import { valuesOf } from '../../model/columns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { RecentChanges } from '../../model/plugin-list.ts';
import { type Span, startOfDays } from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { daysOfChanges, LineDays, type LineInsights } from '../../series/line-days.ts';

/** Figures of one line, as its insights have them. */
export interface LineFigures extends Pick<LineInsights, 'now' | 'peak30d'> {
  readonly changes: RecentChanges;
}

/** Loads the figures of a line with points. Rejects as the view does. */
export async function loadLineFigures(
  view: MetricsView,
  line: Pick<Chart, 'uid' | 'type'>,
  { last }: Span,
): Promise<LineFigures | undefined> {
  const days = new LineDays(last, daysOfChanges(last));
  // The changes need 56 days, and the peak needs the last 30.
  for await (const points of view.readColumns(line, { from: startOfDays(last, 56), to: last + 1 })) {
    days.add(points.times, valuesOf(points));
    await nextTurn();
  }
  return days.insights('');
}
