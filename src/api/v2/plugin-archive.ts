/** Everything of one plugin as an archive, the whole of it or from a time on: what a mirror copies. */
import type { Part } from '../../http/endpoint.ts';
import type { Chart, ChartName } from '../../model/chart.ts';
import { shapeOf } from '../../model/data-shapes.ts';
import { hasShares, momentOf } from '../../model/data-shares.ts';
import type { JsonText } from '../../model/json-text.ts';
import { recordLimits, regroupHistory } from '../../model/merge-histories.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { archiveVersions } from '../../model/metrics-record.ts';
import { nextTurn } from '../../model/next-turn.ts';
import { free } from '../../model/own-pages.ts';
import type { PluginSummary } from '../../model/plugin.ts';
import { maxPointsPerRecord, maxTimestamp, type Points, slicePoints } from '../../model/points.ts';
import { beforePoints, dataJson, historyPieces, recordJson } from '../../model/record-json.ts';
import { equalHistories, type ShareHistory, sliceHistory } from '../../model/share-history.ts';
import { firstFrom } from '../../model/window.ts';
import { renderRuns } from '../../series/points-json.ts';
import { TextParts } from '../../series/text-parts.ts';
import { apiEndpoint, parseQuery, pluginIn, time } from '../api-endpoint.ts';

const parameters = { since: time(0, 'Points and histories from this time on alone.') };

/** The endpoint. */
export const pluginArchive = apiEndpoint({
  path: '/api/v2/plugins/{pluginId}/archive',
  operationId: 'readPluginArchive',
  summary: 'Everything of one plugin as an archive',
  description:
    'Newline-delimited JSON that `plugin-metrics import` takes. The software has no global plugin in it, unless that is the plugin itself.',
  parameters,
  schema: 'ArchiveText',
  mediaType: 'application/x-ndjson',
  source: 'data',
  size: 'large',
  parse: (request) => ({ ...parseQuery(request.searchParams, parameters), ...pluginIn(request) }),
  async *render(view, asked) {
    const plugin = await view.getPlugin(asked.pluginId);
    const version = (await hasPast(view, asked)) ? archiveVersions.withPast : archiveVersions.withoutPast;
    yield `{"record":"archive","version":${version}}\n`;
    let recordCount = 0;
    for await (const part of renderRecords(view, plugin, asked.since)) {
      // A record is a line, and points have no line ends.
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

/** Finds out whether the archive will have an event, an old name, a history or data with a time. */
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
      if (data.storage === 'snapshot' && data.at !== null) return true;
    }
    await nextTurn();
  }
  return false;
}

/** Renders the records between the first and the last, a line each. */
async function* renderRecords(
  view: MetricsView,
  { software, ...plugin }: PluginSummary,
  since: number,
): AsyncGenerator<Part> {
  const pluginId = plugin.id;
  const allSoftware = await view.listSoftware();
  const globalPlugin = allSoftware.find(({ id }) => id === software.id)?.globalPlugin;
  const globalPluginId = globalPlugin?.id === pluginId ? pluginId : null;
  yield `${recordJson({ kind: 'software', software: { ...software, globalPluginId } })}\n`;
  yield `${recordJson({ kind: 'plugin', plugin: { ...plugin, softwareId: software.id } })}\n`;
  for await (const oldNames of view.listOldNames(pluginId))
    yield oldNames.map((oldName) => `${recordJson({ kind: 'oldName', oldName })}\n`).join('');
  for await (const charts of view.listCharts(pluginId)) {
    // Ends the turn, also after a batch without charts.
    yield '';
    for (const chart of charts) {
      yield `${recordJson({ kind: 'chart', pluginId, chart })}\n`;
      yield* renderData(view, { pluginId, chart, since });
    }
  }
  for await (const events of view.listEvents(pluginId))
    yield events.map((event) => `${recordJson({ kind: 'event', pluginId, event })}\n`).join('');
}

/** Renders the records behind a chart. */
async function* renderData(
  view: MetricsView,
  { pluginId, chart, since }: ArchiveRequest & { readonly chart: Chart },
): AsyncGenerator<Part> {
  const { chartId, uid, type } = chart;
  const name = { pluginId, chartId };
  const shown = await view.readChartData(pluginId, chartId, 0);
  if (shown.storage === 'series') {
    const runs = view.readPoints(uid, { from: since, to: maxTimestamp + 1 });
    for await (const points of pointsOfRecords(runs, since)) {
      yield beforePoints(name);
      yield* renderRuns([points]);
      yield '}\n';
    }
    return;
  }
  // Empty data with a time are written too: data of an older time must not take their place.
  if (shown.json !== shapeOf(type).emptyData || shown.at !== null) yield `${dataJson(name, shown)}\n`;
  for await (const history of historyFrom(view, { chart, since, shown })) {
    for (const record of regroupHistory([history], recordLimits)) yield* renderHistory(name, record);
    free(history.times.buffer);
    yield '';
  }
}

/** Renders the record of a history in parts. */
function* renderHistory(chart: ChartName, history: ShareHistory): Generator<Part> {
  const json = new TextParts();
  for (const piece of historyPieces(chart, history))
    if (typeof piece === 'string') json.text(piece);
    else yield* json.numbers(piece);
  yield json.take();
  yield '\n';
}

/** Divides points from a time on into those of records, as an export does. Each lies in the memory of the one before. */
async function* pointsOfRecords(runs: AsyncIterable<Points>, since: number): AsyncGenerator<Points> {
  const timestamps = new Float64Array(maxPointsPerRecord);
  const values = new Float64Array(maxPointsPerRecord);
  let count = 0;
  for await (const run of runs) {
    let rest = slicePoints(run, firstFrom(run.timestamps, since));
    while (rest.timestamps.length > 0) {
      const taken = slicePoints(rest, 0, maxPointsPerRecord - count);
      timestamps.set(taken.timestamps, count);
      values.set(taken.values, count);
      count += taken.timestamps.length;
      rest = slicePoints(rest, taken.timestamps.length);
      if (count < maxPointsPerRecord) continue;
      yield { timestamps, values };
      count = 0;
    }
  }
  if (count > 0) yield slicePoints({ timestamps, values }, 0, count);
}

interface PastChart {
  readonly chart: Chart;
  readonly since: number;
  readonly shown: { readonly json: JsonText; readonly at: number | null };
}

/**
 * Reads a history from a time on. Shown data that are older bring their moment into the history of the reader, so that moment comes first if
 * the history here, after a later record, says something else of it.
 */
async function* historyFrom(
  view: MetricsView,
  { chart: { uid, type }, since, shown: { json, at } }: PastChart,
): AsyncGenerator<ShareHistory> {
  if (at !== null && at < since) {
    const shownMoment = momentOf(type, { json, at });
    for await (const part of view.readHistory(uid, { from: at, to: at + 1 }))
      for (const moment of regroupHistory([sliceHistory(part, at, at + 1)], recordLimits))
        if (!equalHistories(moment, shownMoment)) yield moment;
  }
  for await (const part of view.readHistory(uid, { from: since, to: maxTimestamp + 1 }))
    yield sliceHistory(part, since, Number.POSITIVE_INFINITY);
}
