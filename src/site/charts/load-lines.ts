/** Loads lines from the store for pictures, and the events on them. */
import { EventColumns } from '../../draw/events.ts';
import type { HistoryToDraw } from '../../draw/history/history-to-draw.ts';
import { bandOf } from '../../draw/line/line-band.ts';
import { columnCountFor } from '../../draw/line/line-columns.ts';
import type { LineShape } from '../../draw/line/line-shape.ts';
import { readLine } from '../../draw/line/line-to-draw.ts';
import { sumToDraw } from '../../draw/line/sum.ts';
import { historyStep } from '../../draw/time-step.ts';
import type { ChartName } from '../../model/chart.ts';
import { noPoints } from '../../model/columns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { SeriesSource, SourceChart } from '../../model/series-source.ts';
import { type Period, spanOver, windowOverAll } from '../../model/window.ts';
import { loadLines } from '../../query/load-lines.ts';
import { loadLinesToAdd } from '../../query/load-sum.ts';
import { storeSource } from './store-source.ts';

/** Lines over one window: that of a period, or what it has of them. Both ends are included. */
export interface LoadedLines {
  readonly from: number;
  readonly to: number;
  /** A shape for each line; that of a line without points has none. */
  readonly shapes: readonly LineShape[];
}

/** The period of a picture, and its width in pixels. */
interface LinesRequest {
  readonly range: Period;
  readonly width: number;
  /** `true` for lines with those of the period before. */
  readonly previous?: 'false' | 'true';
}

/** Loads lines; rejects as the view does. */
export async function loadShapes(
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
  const shapesIn = async (one: typeof window) => {
    const lines = await loadLines(source, known, { window: one, width });
    return lines.map((line) => readLine(line, { window: one, width }, bandOf).shape);
  };
  const shapes = await shapesIn(window);
  const before = { from: 2 * window.from - window.to, to: window.from };
  const past = previous === 'true' ? await shapesIn(before) : [];
  return {
    from: window.from,
    to: window.to - 1,
    shapes: shapes.map((shape, index) => {
      const earlier = past[index];
      return earlier === undefined || earlier.pointCount === 0 ? shape : { ...shape, previous: earlier };
    }),
  };
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
  const [from, to] = [window.from, window.to - 1];
  const newest = Math.min(to, spanOver(spans)?.last ?? to);
  const step = historyStep(to - from, width);
  const { means, lasts } = await loadLinesToAdd(source, charts, { window, step });
  const lines = charts.map(({ name }, index) => ({
    name,
    means: means[index] ?? noPoints,
    lasts: lasts[index] ?? noPoints,
  }));
  return sumToDraw(lines, { title, from, to, newest, step });
}

/** A plugin, a range of time with both ends included, and the width of the picture in pixels. */
interface EventsRequest {
  readonly pluginId: number;
  readonly hasEvents: boolean;
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** Loads the events of a plugin; undefined if it has none. Rejects as the view does. */
export async function loadEvents(
  view: MetricsView,
  { pluginId, hasEvents, width, from, to }: EventsRequest,
): Promise<EventColumns | undefined> {
  if (!hasEvents) return undefined;
  const events = new EventColumns({ from, to, columnCount: columnCountFor(width) });
  for await (const batch of view.listEvents(pluginId)) events.add(batch);
  return events;
}
