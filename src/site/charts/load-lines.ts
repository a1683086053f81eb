/** Loads lines from the store for pictures, and the events on them. */
import { type GatheredEvents, gatherEvents, noEvents } from '../../draw/events.ts';
import type { HistoryToDraw } from '../../draw/history/history-to-draw.ts';
import { columnCountFor } from '../../draw/line/line-columns.ts';
import type { LineToDraw } from '../../draw/line/line-to-draw.ts';
import { sumToDraw } from '../../draw/line/sum.ts';
import { historyStep } from '../../draw/time-step.ts';
import type { ChartName } from '../../model/chart.ts';
import { noPoints } from '../../model/columns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { SeriesSource, SourceChart } from '../../model/series-source.ts';
import {
  type DataWindow,
  lastTimeOf,
  lengthOf,
  type Period,
  spanOver,
  windowOverAll,
} from '../../model/window.ts';
import { loadLines } from '../../query/load-lines.ts';
import { loadLinesToAdd } from '../../query/load-sum.ts';
import { storeSource } from './store-source.ts';

/** Lines over one window: that of a period, or what it has of them. */
export interface LoadedLines {
  readonly window: DataWindow;
  readonly lines: readonly LineToDraw[];
}

/** The period of a picture, and its width in pixels. */
interface LinesRequest {
  readonly range: Period;
  readonly width: number;
  /** `true` for lines with those of the period before. */
  readonly previous?: 'false' | 'true';
}

/** Loads lines in a period; rejects as the view does. */
export async function loadLinesIn(
  view: MetricsView,
  names: readonly ChartName[],
  { range, width, previous }: LinesRequest,
): Promise<LoadedLines> {
  const source = storeSource(view);
  const known = await findLines(source, names);
  const window = windowOverAll(
    range,
    known.flatMap(({ span }) => span ?? []),
  );
  const lines = await loadLines(source, known, { window, width, hasPrevious: previous === 'true' });
  return { window, lines };
}

async function findLines(source: SeriesSource, names: readonly ChartName[]): Promise<readonly SourceChart[]> {
  const found: SourceChart[] = [];
  for (const name of names) found.push(await source.chart(name));
  return found;
}

/** Loads the sum of lines by step of time, as a history whose shares are the lines; rejects as the view does. */
export async function loadSum(
  view: MetricsView,
  charts: ReadonlyArray<ChartName & { readonly name: string }>,
  { range, width, title }: LinesRequest & { readonly title: string },
): Promise<HistoryToDraw> {
  const source = storeSource(view);
  const spans = (await findLines(source, charts)).flatMap(({ span }) => span ?? []);
  const window = windowOverAll(range, spans);
  const last = lastTimeOf(window);
  const newest = Math.min(last, spanOver(spans)?.last ?? last);
  const step = historyStep(lengthOf(window), width);
  const { means, lasts } = await loadLinesToAdd(source, charts, { window, step });
  const lines = charts.map(({ name }, index) => ({
    name,
    means: means[index] ?? noPoints,
    lasts: lasts[index] ?? noPoints,
  }));
  return sumToDraw(lines, { title, window, newest, step });
}

/** A plugin, a window, and the width of the picture in pixels. */
interface EventsRequest {
  readonly pluginId: number;
  readonly hasEvents: boolean;
  readonly window: DataWindow;
  readonly width: number;
}

/** Loads the events of a plugin; undefined if it has none. Rejects as the view does. */
export async function loadEvents(
  view: MetricsView,
  { pluginId, hasEvents, width, window }: EventsRequest,
): Promise<GatheredEvents | undefined> {
  if (!hasEvents) return undefined;
  let events = noEvents;
  const columns = { window, columnCount: columnCountFor(width) };
  for await (const batch of view.listEvents(pluginId)) events = gatherEvents(events, batch, columns);
  return events;
}
