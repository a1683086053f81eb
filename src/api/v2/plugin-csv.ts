/** Everything of one plugin as CSV in long form: a row for each point of a line, and for each share at each time. */
import type { Part } from '../../http/endpoint.ts';
import type { Chart } from '../../model/chart.ts';
import { type Cell, csvRow } from '../../model/csv-row.ts';
import { storageOf } from '../../model/data-shapes.ts';
import { hasShares, shownShares } from '../../model/data-shares.ts';
import { parsePluginId } from '../../model/identifier.ts';
import type { JsonText } from '../../model/json-text.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { maxTimestamp, type Points } from '../../model/points.ts';
import type { ShareHistory } from '../../model/share-history.ts';
import { lineName } from '../../series/load-series.ts';
import type { ApiEndpoint } from '../api-endpoint.ts';
import { parseQuery } from '../query.ts';

/** Rows in a part: about a millisecond of work. */
const rowsPerPart = 2048;

/** The endpoint. */
export const pluginCsv: ApiEndpoint = {
  path: '/api/v2/plugins/{pluginId}/export.csv',
  operationId: 'readPluginCsv',
  summary: 'Everything of one plugin as CSV',
  description:
    'The columns `chart`, `group`, `name`, `time` and `value`, by chart, then time. `group` is the outer share of a drilldown pie. A share without a row at ' +
    'a time of its chart is 0 there. Shares without a time, which show what is known now, have an empty one. Charts that are neither lines nor shares are left out.',
  schema: 'CsvText',
  mediaType: 'text/csv',
  problems: ['malformed-plugin-id', 'malformed-query', 'unknown-plugin'],
  ask: (request) => {
    parseQuery(request.searchParams, {});
    const pluginId = parsePluginId(request.params['pluginId']);
    return {
      key: `/api/v2/plugins/${pluginId}/export.csv`,
      // RFC 4180 3: the first row names the columns.
      mediaType: 'text/csv; charset=utf-8; header=present',
      source: 'data',
      size: 'large',
      parts: (reader) => reader.snapshot((view) => renderCsv(view, pluginId)),
    };
  },
};

async function* renderCsv(view: MetricsView, pluginId: number): AsyncGenerator<Part> {
  await view.getPlugin(pluginId);
  yield csvRow(['chart', 'group', 'name', 'time', 'value']);
  let rowCount = 0;
  for await (const charts of view.listCharts(pluginId)) {
    yield '';
    for (const chart of charts) {
      for await (const rows of listRows(view, pluginId, chart)) {
        let part = '';
        for (const row of rows) {
          part += row;
          rowCount++;
          if (rowCount % rowsPerPart !== 0) continue;
          yield part;
          part = '';
        }
        yield part;
      }
    }
  }
}

/** Lists the rows of a chart in parts; those of a part are made as they are taken. */
async function* listRows(
  view: MetricsView,
  pluginId: number,
  chart: Chart,
): AsyncGenerator<Iterable<string>> {
  const window = { from: 0, to: maxTimestamp + 1 };
  if (storageOf(chart.type) === 'series') {
    for await (const points of view.readPoints(chart.uid, window)) yield pointRows(chart, points);
    return;
  }
  if (!hasShares(chart.type)) return;
  for await (const part of view.readHistory(chart.uid, window)) yield historyRows(chart.chartId, part);
  const shown = await view.readChartData(pluginId, chart.chartId, 0);
  if (shown.storage === 'snapshot' && shown.at === null) yield shownRows(chart, shown.json);
}

function* pointRows(chart: Chart, { timestamps, values }: Points): Generator<string> {
  const start = rowStart(chart.chartId, undefined, lineName(chart));
  for (const [index, timestamp] of timestamps.entries())
    yield `${start}${isoTime(timestamp)},${values[index]}\r\n`;
}

function* historyRows(chartId: string, { times, shares, columns }: ShareHistory): Generator<string> {
  const starts = shares.map(({ group, name }) => rowStart(chartId, group ?? undefined, name));
  for (const [index, timestamp] of times.entries()) {
    const time = isoTime(timestamp);
    for (const [rank, start] of starts.entries()) {
      const value = columns[rank]?.[index] ?? 0;
      if (value !== 0) yield `${start}${time},${value}\r\n`;
    }
  }
}

/** Lists what a chart shows now; bars of several values, which have no history, have a row for each value. */
function* shownRows({ chartId, type }: Chart, json: JsonText): Generator<string> {
  for (const [{ group, name }, value] of shownShares(type, json))
    yield csvRow([chartId, group ?? undefined, name, undefined, value]);
}

/** The cells of a row before its time, which many rows share. */
function rowStart(...cells: readonly Cell[]): string {
  return `${csvRow(cells).slice(0, -2)},`;
}

function isoTime(timestamp: number): string {
  return new Date(timestamp).toISOString();
}
