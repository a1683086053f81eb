/** Loads what a store has of a plugin: the times of its charts, and its events. */

import type { Chart } from '../../model/chart.ts';
import type { ChartSpan } from '../../model/chart-data.ts';
import { storageOf } from '../../model/data-shapes.ts';
import type { MetricsReader, MetricsView } from '../../model/metrics-reader.ts';
import type { PluginEvent } from '../../model/plugin-event.ts';
import type { TimeWindow } from '../../model/window.ts';

/** A chart of a store. */
export interface StoredChart {
  readonly chart: Chart;
  /** The times of its points or its history; undefined if it has none. */
  readonly span: ChartSpan | undefined;
}

/** Charts of a store by chart id. */
export type StoredCharts = ReadonlyMap<string, StoredChart>;

/** Loads the charts of a plugin; none for a plugin that the store does not have, and for a store that does not exist yet. */
export async function loadStoredCharts(
  stored: MetricsReader | undefined,
  pluginId: number,
): Promise<StoredCharts> {
  const found = new Map<string, StoredChart>();
  await stored?.read(async (view) => {
    for await (const charts of view.listCharts(pluginId)) {
      const spans = await view.findSpans(charts.map(({ uid }) => uid));
      for (const chart of charts) found.set(chart.chartId, { chart, span: spans.get(chart.uid) });
    }
  });
  return found;
}

const monthMs = 31 * 24 * 60 * 60 * 1000;

/** Finds the newest time of a chart that is not later than `latest`, in Unix milliseconds. */
export async function findNewest(
  stored: MetricsReader | undefined,
  { chart, span }: StoredChart,
  latest: number,
): Promise<number | undefined> {
  if (stored === undefined || span === undefined || span.last <= latest) return span?.last;
  for (const from of [Math.max(0, latest - monthMs), 0]) {
    let newest: number | undefined;
    const window = { from, to: latest + 1 };
    for await (const times of stored.stream((view) => readTimes(view, chart, window)))
      newest = times.findLast((time) => time <= latest) ?? newest;
    if (newest !== undefined) return newest;
  }
  return undefined;
}

async function* readTimes(
  view: MetricsView,
  { uid, type }: Chart,
  window: TimeWindow,
): AsyncGenerator<Float64Array> {
  if (storageOf(type) === 'series')
    for await (const { timestamps } of view.readPoints(uid, window)) yield timestamps;
  else for await (const { times } of view.readHistory(uid, window)) yield times;
}

/** The addresses of events, by time and title. */
export type StoredEvents = ReadonlyMap<string, string | null>;

/** The most events that are compared; a plugin with more has all of them written again, which changes nothing. */
const maxEvents = 10_000;

/** Loads the events of a plugin. */
export async function loadStoredEvents(
  stored: MetricsReader | undefined,
  pluginId: number,
): Promise<StoredEvents> {
  const found = new Map<string, string | null>();
  if (stored === undefined) return found;
  for await (const events of stored.stream((view) => view.listEvents(pluginId))) {
    for (const { time, title, url } of events) found.set(`${time} ${title}`, url);
    if (found.size > maxEvents) return new Map();
  }
  return found;
}

/** True if the store has an event, with the same address. */
export function hasEvent(stored: StoredEvents, { time, title, url }: PluginEvent): boolean {
  return stored.get(`${time} ${title}`) === url;
}
