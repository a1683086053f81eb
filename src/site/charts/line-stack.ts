/** Loads the sum of lines by step of time, stacked as shares are in a history. */

import type { HistoryToDraw } from '../../draw/history/history-to-draw.ts';
import { sumToDraw } from '../../draw/line/sum.ts';
import { historyStep } from '../../draw/time-step.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { type Period, type StepName, windowOverAll } from '../../model/window.ts';
import { type LineBySteps, readSteps } from './load-lines.ts';

/** A period, and the width of the widest picture in pixels. */
interface StackRequest {
  readonly range: Period;
  readonly width: number;
}

/** Lines by step, in their order. */
export interface LoadedStack {
  /** The first and the last time, both included. */
  readonly from: number;
  readonly to: number;
  readonly step: StepName;
  readonly lines: readonly LineBySteps[];
}

/** Loads lines by their uid; rejects as the view does. */
export async function loadStack(
  view: MetricsView,
  charts: readonly { readonly uid: number }[],
  { range, width }: StackRequest,
): Promise<LoadedStack> {
  const spans = await view.findSpans(charts.map(({ uid }) => uid));
  const window = windowOverAll(range, [...spans.values()]);
  const ends = { from: window.from, to: window.to - 1 };
  const step = historyStep(ends.to - ends.from, width);
  const lines: LineBySteps[] = [];
  for (const { uid } of charts)
    lines.push(await readSteps(view, uid, { window, step, aggregates: ['mean', 'last'] }));
  return { ...ends, step, lines };
}

/** The sum of lines as a history: its shares are the lines. */
export function stackToDraw(
  { lines, ...about }: LoadedStack,
  { title, names }: { readonly title: string; readonly names: readonly string[] },
): HistoryToDraw {
  const named = lines.map(({ times: timestamps, columns: [means, lasts] }, index) => ({
    name: names[index] ?? '',
    means: { timestamps, values: means ?? timestamps },
    lasts: { timestamps, values: lasts ?? timestamps },
  }));
  return sumToDraw(named, { title, ...about });
}
