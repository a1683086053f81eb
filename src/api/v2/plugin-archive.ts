/** Everything of one plugin as an archive, the whole of it or from a time on: what a mirror copies. */
import type { Part } from '../../http/endpoint.ts';
import type { Chart } from '../../model/chart.ts';
import { shapeOf, storageOf } from '../../model/data-shapes.ts';
import { hasShares, renderLargeMoment, sharesOf } from '../../model/data-shares.ts';
import { parsePluginId } from '../../model/identifier.ts';
import type { JsonText } from '../../model/json-text.ts';
import { recordLimits, regroupHistory } from '../../model/merge-histories.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { maxPointsPerRecord, maxTimestamp, type Points, slicePoints } from '../../model/points.ts';
import { archiveVersions, beforePoints, dataJson, historyJson, recordJson } from '../../model/record-json.ts';
import { columnsIn } from '../../model/room.ts';
import { equalHistories, historyAt, type ShareHistory, sliceHistory } from '../../model/share-history.ts';
import { LentRoom } from '../../series/lent-room.ts';
import { renderRuns } from '../../series/points-json.ts';
import type { ApiEndpoint } from '../api-endpoint.ts';
import { parseQuery, time } from '../query.ts';

const parameters = { since: time(0, 'Points and histories from this time on alone.') };

/** The endpoint. */
export const pluginArchive: ApiEndpoint = {
  path: '/api/v2/plugins/{pluginId}/archive',
  operationId: 'readPluginArchive',
  summary: 'Everything of one plugin as an archive',
  description:
    'Newline-delimited JSON that `plugin-metrics import` takes: the software, the plugin, its old names, its charts with their data and ' +
    'histories, its events. The software has no global plugin in it, unless that is the plugin itself: an archive names only what it holds.',
  parameters,
  schema: 'ArchiveText',
  mediaType: 'application/x-ndjson',
  problems: ['malformed-plugin-id', 'malformed-query', 'unknown-plugin'],
  ask: (request) => {
    const { since } = parseQuery(request.searchParams, parameters);
    const pluginId = parsePluginId(request.params['pluginId']);
    const path = `/api/v2/plugins/${pluginId}/archive`;
    return {
      key: since === 0 ? path : `${path}?since=${since}`,
      mediaType: 'application/x-ndjson',
      source: 'data',
      size: 'large',
      parts: (reader) => reader.snapshot((view) => renderArchive(view, pluginId, since)),
    };
  },
};

async function* renderArchive(view: MetricsView, pluginId: number, since: number): AsyncGenerator<Part> {
  const { software, ...plugin } = await view.getPlugin(pluginId);
  const hasPast = yield* findPast(view, pluginId, since);
  const allSoftware = await view.listSoftware();
  const globalPlugin = allSoftware.find(({ id }) => id === software.id)?.globalPlugin;
  const globalPluginId = globalPlugin?.id === pluginId ? pluginId : null;
  const version = hasPast ? archiveVersions.withPast : archiveVersions.withoutPast;
  const softwareJson = recordJson({ kind: 'software', software: { ...software, globalPluginId } });
  const pluginJson = recordJson({ kind: 'plugin', plugin: { ...plugin, softwareId: software.id } });
  yield `{"record":"archive","version":${version}}\n${softwareJson}\n${pluginJson}\n`;
  let recordCount = 2;
  for await (const oldNames of view.listOldNames(pluginId)) {
    yield oldNames.map((oldName) => `${recordJson({ kind: 'oldName', oldName })}\n`).join('');
    recordCount += oldNames.length;
  }
  for await (const charts of view.listCharts(pluginId)) {
    // Ends the turn, also after a batch without charts.
    yield '';
    for (const chart of charts) {
      yield `${recordJson({ kind: 'chart', pluginId, chart })}\n`;
      recordCount += 1 + (yield* renderChartRecords(view, { pluginId, chart, since }));
    }
  }
  for await (const events of view.listEvents(pluginId)) {
    yield events.map((event) => `${recordJson({ kind: 'event', pluginId, event })}\n`).join('');
    recordCount += events.length;
  }
  yield `{"record":"end","records":${recordCount}}\n`;
}

/** Finds out whether the archive will have an event, an old name, a history or data with a time. */
async function* findPast(
  view: MetricsView,
  pluginId: number,
  since: number,
): AsyncGenerator<string, boolean> {
  for await (const _ of view.listEvents(pluginId)) return true;
  for await (const _ of view.listOldNames(pluginId)) return true;
  for await (const charts of view.listCharts(pluginId)) {
    yield '';
    const withShares = charts.filter(({ type }) => hasShares(type));
    const spans = await view.findSpans(withShares.map(({ uid }) => uid));
    for (const { uid, chartId } of withShares) {
      const span = spans.get(uid);
      if (span === undefined) continue;
      if (span.last >= since) return true;
      const data = await view.readChartData(pluginId, chartId, 0);
      if (data.storage === 'snapshot' && data.at !== null) return true;
    }
  }
  return false;
}

interface ArchivedChart {
  readonly pluginId: number;
  readonly chart: Chart;
  readonly since: number;
}

/** Renders the records behind a chart; returns their number. */
async function* renderChartRecords(
  view: MetricsView,
  { pluginId, chart, since }: ArchivedChart,
): AsyncGenerator<Part, number> {
  const { chartId, type } = chart;
  const name = { pluginId, chartId };
  const dataLine = (json: JsonText, at: number | null) => `${dataJson(name, { json, at })}\n`;
  const window = { from: since, to: maxTimestamp + 1 };
  let count = 0;
  if (storageOf(type) === 'series') {
    using room = new LentRoom();
    using record = new LentRoom();
    const runs = pointsFrom(view.readPoints(chart.uid, window, room.make), since);
    for await (const points of regroupIn(record.make(2 * maxPointsPerRecord), runs)) {
      yield beforePoints(name);
      yield* renderRuns([points]);
      yield '}\n';
      count++;
    }
    return count;
  }
  const shown = await view.readChartData(pluginId, chartId, 0);
  if (shown.storage !== 'snapshot') return count;
  const { emptyData } = shapeOf(type);
  // Empty data with a time are written too: data of an older time must not take their place.
  if (shown.json !== emptyData || shown.at !== null) {
    yield dataLine(shown.json, shown.at);
    count++;
  }
  let newestLarge = Number.NEGATIVE_INFINITY;
  for await (const history of historyFrom(view, { chart, since, shown })) {
    const large: ShareHistory[] = [];
    for (const record of regroupHistory([history], recordLimits, (moment) => large.push(moment))) {
      yield `${historyJson(name, record)}\n`;
      count++;
    }
    // More shares than a history record may have can only be written as data with a time.
    for (const moment of large) {
      const [at = 0] = moment.times;
      if (at === shown.at) continue;
      yield dataLine(renderLargeMoment(type, moment), at);
      count++;
      newestLarge = at;
    }
    yield '';
  }
  // Data with a newer time has taken its place, and only data without one takes it back.
  if (newestLarge > (shown.at ?? Number.NEGATIVE_INFINITY)) {
    yield dataLine(shown.json, null) + (shown.at === null ? '' : dataLine(shown.json, shown.at));
    count += shown.at === null ? 1 : 2;
  }
  return count;
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
    const shownMoment = historyAt(at, sharesOf(type, json));
    for await (const part of view.readHistory(uid, { from: at, to: at + 1 }))
      for (const moment of regroupHistory([sliceHistory(part, at, at + 1)], recordLimits))
        if (!equalHistories(moment, shownMoment)) yield moment;
  }
  for await (const part of view.readHistory(uid, { from: since, to: maxTimestamp + 1 }))
    yield sliceHistory(part, since, Number.POSITIVE_INFINITY);
}

/** Regroups points as an export does, each record in the same room. */
async function* regroupIn(room: Float64Array, runs: AsyncIterable<Points>): AsyncGenerator<Points> {
  const [timestamps = room, values = room] = columnsIn(room, 2);
  let count = 0;
  for await (const run of runs)
    for (let at = 0; at < run.timestamps.length; ) {
      const { timestamps: times, values: numbers } = slicePoints(run, at, at + maxPointsPerRecord - count);
      timestamps.set(times, count);
      values.set(numbers, count);
      at += times.length;
      count += times.length;
      if (count < maxPointsPerRecord) continue;
      yield { timestamps, values };
      count = 0;
    }
  if (count > 0) yield slicePoints({ timestamps, values }, 0, count);
}

async function* pointsFrom(runs: AsyncIterable<Points>, since: number): AsyncGenerator<Points> {
  for await (const points of runs) {
    const start = points.timestamps.findIndex((timestamp) => timestamp >= since);
    if (start === 0) yield points;
    else if (start > 0) yield slicePoints(points, start);
  }
}
