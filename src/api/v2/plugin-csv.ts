/** Everything of one plugin as CSV in long form: a row for each point of a line, and for each share at each time. */
import type { Chart } from '../../model/chart.ts';
import { formOf } from '../../model/chart-types.ts';
import { byteOrderMark, csvRow } from '../../model/csv-row.ts';
import { hasShares, sharesIn } from '../../model/data-shares.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { maxTimestamp, type Points } from '../../model/points.ts';
import type { ShareHistory, ShareName } from '../../model/share-history.ts';
import { lineName } from '../../series/load-series.ts';
import { apiEndpoint, csvMediaType, csvParameters, parseQuery, pluginIn } from '../api-endpoint.ts';

/** Rows in a part: some milliseconds of work. */
const rowsPerPart = 2048;

/** The endpoint. */
export const pluginCsv = apiEndpoint({
  path: '/api/v2/plugins/{pluginId}/export.csv',
  operationId: 'readPluginCsv',
  summary: 'Everything of one plugin as CSV',
  description:
    'By chart, then time. `group` is the outer share of a drilldown pie. A share without a row at a time of its chart is 0 there. Shares that show what ' +
    'is known now have no time.',
  parameters: csvParameters,
  schema: 'CsvText',
  mediaType: csvMediaType,
  source: 'data',
  size: 'large',
  parse: (request) => ({ ...parseQuery(request.searchParams, csvParameters), ...pluginIn(request) }),
  async *render(view, { pluginId, bom }) {
    await view.getPlugin(pluginId);
    if (bom) yield byteOrderMark;
    yield csvRow(['chart', 'group', 'name', 'time', 'value']);
    for await (const charts of view.listCharts(pluginId)) {
      // Ends the turn, also after a batch without charts.
      yield '';
      for (const chart of charts)
        for await (const entries of listEntries(view, pluginId, chart))
          yield* renderRows(chart.chartId, entries);
    }
  },
});

/** The value of a line or of a share; without a time for shares that show what is known now. */
type Entry = readonly [share: ShareName, time: number | undefined, value: number];

/** Lists the entries of a chart in parts, as the store gives them; those of a part are made as they are taken. */
async function* listEntries(
  view: MetricsView,
  pluginId: number,
  chart: Chart,
): AsyncGenerator<Iterable<Entry>> {
  const window = { from: 0, to: maxTimestamp + 1 };
  const shown = await view.readChartData(pluginId, chart.chartId, 0);
  if (shown.storage === 'series') {
    for await (const points of view.readPoints(chart.uid, window))
      yield pointEntries(lineName(chart), points);
    return;
  }
  if (!hasShares(chart.type)) return;
  for await (const history of view.readHistory(chart.uid, window)) yield historyEntries(history);
  if (shown.at === null)
    yield sharesIn(formOf(chart.type), JSON.parse(shown.json)).map(
      ([share, value]): Entry => [share, undefined, value],
    );
}

function* pointEntries(name: string, { timestamps, values }: Points): Generator<Entry> {
  const line = { group: null, name };
  for (const [index, timestamp] of timestamps.entries()) yield [line, timestamp, values[index] ?? 0];
}

function* historyEntries({ times, shares, columns }: ShareHistory): Generator<Entry> {
  for (const [index, time] of times.entries())
    for (const [rank, share] of shares.entries()) {
      const value = columns[rank]?.[index] ?? 0;
      if (value !== 0) yield [share, time, value];
    }
}

/** Renders rows in parts. */
function* renderRows(chartId: string, entries: Iterable<Entry>): Generator<string> {
  let part = '';
  let rowCount = 0;
  for (const [{ group, name }, time, value] of entries) {
    const isoTime = time === undefined ? undefined : new Date(time).toISOString();
    part += csvRow([chartId, group ?? undefined, name, isoTime, value]);
    rowCount++;
    if (rowCount % rowsPerPart !== 0) continue;
    yield part;
    part = '';
  }
  yield part;
}
