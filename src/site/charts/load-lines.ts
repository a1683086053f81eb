/** Loads lines and their events from the store for pictures. */
import { type GatheredEvents, gatherEvents, noEvents } from '../../draw/events.ts';
import type { HistoryToDraw } from '../../draw/history/history-to-draw.ts';
import { columnCountFor } from '../../draw/line/line-columns.ts';
import type { LineToDraw } from '../../draw/line/line-to-draw.ts';
import { sumToDraw } from '../../draw/line/sum.ts';
import { historyStep } from '../../draw/time-step.ts';
import type { ChartName } from '../../model/catalogue.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import {
  type DataWindow,
  lastTimeOf,
  lengthOf,
  type Period,
  spanOver,
  windowOverAll,
} from '../../model/window.ts';
import { loadLines } from '../../query/load-lines.ts';
import type { StoreChart, StoreSource } from './store-source.ts';

/** Lines over one window: the period, limited to the time that the lines span. */
export interface LoadedLines {
  readonly window: DataWindow;
  readonly lines: readonly LineToDraw[];
}

/** Period of a picture, and its width in pixels. */
interface LinesRequest {
  readonly range: Period;
  readonly width: number;
  /** `true` to also load each line in the previous period. */
  readonly previous?: 'false' | 'true';
}

/** Loads lines over a period; rejects as the view does. */
export async function loadLinesIn(
  source: StoreSource,
  names: readonly ChartName[],
  { range, width, previous }: LinesRequest,
): Promise<LoadedLines> {
  const known = await findLines(source, names);
  const window = windowOverAll(
    range,
    known.flatMap(({ span }) => span ?? []),
  );
  const lines = await loadLines(source, known, { window, width, hasPrevious: previous === 'true' });
  return { window, lines };
}

async function findLines(source: StoreSource, names: readonly ChartName[]): Promise<readonly StoreChart[]> {
  const found: StoreChart[] = [];
  for (const { pluginId, chartId } of names) found.push(await source.getChart(pluginId, chartId));
  return found;
}

/** Loads the sum of lines by step, as a history in which each line is a share; rejects as the view does. */
export async function loadSum(
  source: StoreSource,
  charts: ReadonlyArray<ChartName & { readonly name: string }>,
  { range, width, title }: LinesRequest & { readonly title: string },
): Promise<HistoryToDraw> {
  const known = await findLines(source, charts);
  const spans = known.flatMap(({ span }) => span ?? []);
  const window = windowOverAll(range, spans);
  const last = lastTimeOf(window);
  const newest = Math.min(last, spanOver(spans)?.last ?? last);
  const step = historyStep(lengthOf(window), width);
  const lines = await loadLines(source, known, { window, width, step });
  const named = lines.map((line, index) => ({ ...line, name: charts[index]?.name ?? '' }));
  return sumToDraw(named, { title, window, newest, step });
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
