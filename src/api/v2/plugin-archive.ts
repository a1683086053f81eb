/** Everything about one plugin as an archive, complete or from a given time on; mirrors copy it. */
import type { BodyPart } from '../../http/endpoint.ts';
import type { Chart, PluginSummary } from '../../model/catalogue.ts';
import { hasShares, historyOf, shapeOf } from '../../model/chart-forms.ts';
import {
  type Columns,
  columnsWithin,
  equalColumns,
  lineOf,
  sliceColumns,
  valuesOf,
} from '../../model/columns.ts';
import type { JsonText } from '../../model/json-text.ts';
import { maxPointsPerRecord, recordRules, regroupColumns } from '../../model/merge-columns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { archiveVersions } from '../../model/metrics-record.ts';
import { firstFrom, maxTimestamp } from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { free } from '../../runtime/releasable-memory.ts';
import { renderRecord } from '../../series/record-text.ts';
import { apiEndpoint, parseOfPlugin, timeParameter } from '../api-endpoint.ts';

const parameters = { since: timeParameter(0, 'Only points and histories from this time on.') };

/** Endpoint of the archive of a plugin. */
export const pluginArchive = apiEndpoint({
  path: '/api/v2/plugins/{pluginId}/archive',
  operationId: 'readPluginArchive',
  summary: 'Everything about one plugin as an archive',
  description:
    'Newline-delimited JSON that `plugin-metrics import` reads. The software in it has no global plugin, unless that is the plugin itself.',
  parameters,
  schema: 'ArchiveText',
  mediaType: 'application/x-ndjson',
  source: 'data',
  size: 'large',
  parse: (request) => parseOfPlugin(request, parameters),
  async *render(view, asked) {
    const plugin = await view.getPlugin(asked.pluginId);
    const version = (await hasPast(view, asked)) ? archiveVersions.withPast : archiveVersions.withoutPast;
    yield `{"record":"archive","version":${version}}\n`;
    let recordCount = 0;
    for await (const part of renderRecords(view, plugin, asked.since)) {
      // Each record is one line; parts with points, which are bytes, contain no line ends.
      if (typeof part === 'string') recordCount += part.split('\n').length - 1;
      yield part;
    }
    yield `{"record":"end","records":${recordCount}}\n`;
  },
});

interface ArchiveRequest {
  readonly pluginId: number;
  /** Unix milliseconds. */
  readonly since: number;
}

/** Checks if the archive will contain an event, an old name, a history, or data with a time. */
async function hasPast(view: MetricsView, { pluginId, since }: ArchiveRequest): Promise<boolean> {
  for await (const _ of view.listEvents(pluginId)) return true;
  for await (const _ of view.listOldNames(pluginId)) return true;
  for await (const charts of view.listCharts(pluginId)) {
    const spans = await view.findSpans(charts.map(({ uid }) => uid));
    for (const { uid, chartId, type } of charts) {
      const span = spans.get(uid);
      if (span === undefined || !hasShares(type)) continue;
      if (span.last >= since) return true;
      const data = await view.readChartData(pluginId, chartId, 0);
      if (data.storage === 'latest' && data.at !== null) return true;
    }
    await nextTurn();
  }
  return false;
}

/** Renders the records between the header and the end record, one per line. */
async function* renderRecords(
  view: MetricsView,
  { software, ...plugin }: PluginSummary,
  since: number,
): AsyncGenerator<BodyPart> {
  const pluginId = plugin.id;
  const allSoftware = await view.listSoftware();
  const globalPlugin = allSoftware.find(({ id }) => id === software.id)?.globalPlugin;
  const globalPluginId = globalPlugin?.id === pluginId ? pluginId : null;
  yield* renderRecord({ kind: 'software', software: { ...software, globalPluginId } });
  yield* renderRecord({ kind: 'plugin', plugin: { ...plugin, softwareId: software.id } });
  for await (const oldNames of view.listOldNames(pluginId))
    for (const oldName of oldNames) yield* renderRecord({ kind: 'oldName', oldName });
  for await (const charts of view.listCharts(pluginId)) {
    // An empty part ends the turn of the event loop, even after a batch without charts.
    yield '';
    for (const chart of charts) {
      yield* renderRecord({ kind: 'chart', pluginId, chart });
      yield* renderData(view, { pluginId, chart, since });
    }
  }
  for await (const events of view.listEvents(pluginId))
    for (const event of events) yield* renderRecord({ kind: 'event', pluginId, event });
}

/** Renders the data and history records of a chart. */
async function* renderData(
  view: MetricsView,
  { pluginId, chart, since }: ArchiveRequest & { readonly chart: Chart },
): AsyncGenerator<BodyPart> {
  const { chartId, type } = chart;
  const name = { pluginId, chartId };
  const shown = await view.readChartData(pluginId, chartId, 0);
  if (shown.storage === 'points') {
    const runs = view.readColumns(chart, { from: since, to: maxTimestamp + 1 });
    for await (const points of pointsOfRecords(runs, since))
      yield* renderRecord({ kind: 'data', ...name, dataFor: () => ({ storage: 'points', points }) });
    return;
  }
  const { storage, json, at } = shown;
  // Empty data that has a time is written too, or the reader would keep showing older data.
  if (json !== shapeOf(type).emptyData || at !== null)
    yield* renderRecord({
      kind: 'data',
      ...name,
      ...(at !== null && { at }),
      dataFor: () => ({ storage, json }),
    });
  for await (const history of historyFrom(view, { chart, since, shown })) {
    for (const part of regroupColumns([history], recordRules.shares))
      yield* renderRecord({ kind: 'history', ...name, historyFor: () => part });
    free(history.times.buffer);
    yield '';
  }
}

/**
 * Splits the points from a given time on into records, as an export does. The records share one buffer: each
 * overwrites the one before.
 */
async function* pointsOfRecords(runs: AsyncIterable<Columns>, since: number): AsyncGenerator<Columns> {
  const [times, values] = [new Float64Array(maxPointsPerRecord), new Float64Array(maxPointsPerRecord)];
  let count = 0;
  for await (const run of runs) {
    let rest = sliceColumns(run, firstFrom(run.times, since));
    while (rest.times.length > 0) {
      const taken = sliceColumns(rest, 0, maxPointsPerRecord - count);
      times.set(taken.times, count);
      values.set(valuesOf(taken), count);
      count += taken.times.length;
      rest = sliceColumns(rest, taken.times.length);
      if (count < maxPointsPerRecord) continue;
      yield lineOf(times, values);
      count = 0;
    }
  }
  if (count > 0) yield sliceColumns(lineOf(times, values), 0, count);
}

interface PastChart {
  readonly chart: Chart;
  readonly since: number;
  readonly shown: { readonly json: JsonText; readonly at: number | null };
}

/**
 * Reads a history from a given time on. If the shown data is older than that, a reader also adds it to its
 * history. So if the history differs from the shown data at that time, the stored values of that time come
 * first.
 */
async function* historyFrom(
  view: MetricsView,
  { chart, since, shown: { json, at } }: PastChart,
): AsyncGenerator<Columns> {
  if (at !== null && at < since) {
    const shownHistory = historyOf(chart.type, { json, at });
    const window = { from: at, to: at + 1 };
    for await (const part of view.readColumns(chart, window))
      for (const history of regroupColumns([columnsWithin(part, window)], recordRules.shares))
        if (!equalColumns(history, shownHistory)) yield history;
  }
  const window = { from: since, to: maxTimestamp + 1 };
  for await (const part of view.readColumns(chart, window)) yield columnsWithin(part, window);
}
