/**
 * Everything about one plugin as CSV in long form: a row for each point of a line, and one for each share at
 * each time.
 */
import type { Chart } from '../../model/catalogue.ts';
import { hasShares, sharesIn } from '../../model/chart-forms.ts';
import { formOf } from '../../model/chart-types.ts';
import type { Columns } from '../../model/columns.ts';
import { byteOrderMark, cellText, csvRow } from '../../model/csv-row.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { maxTimestamp } from '../../model/window.ts';
import { free, release } from '../../runtime/releasable-memory.ts';
import { lineName } from '../../series/load-series.ts';
import { TextParts } from '../../series/text-parts.ts';
import { apiEndpoint, csvMediaType, csvParameters, parseOfPlugin } from '../api-endpoint.ts';

/** Endpoint of the CSV export of a plugin. */
export const pluginCsv = apiEndpoint({
  path: '/api/v2/plugins/{pluginId}/export.csv',
  operationId: 'readPluginCsv',
  summary: 'Everything about one plugin as CSV',
  description:
    'By chart, then time. `group` is the outer share of a drilldown pie. A share without a row at a time of its chart is 0 there. Shares that show what ' +
    'is known now have no time.',
  parameters: csvParameters,
  schema: 'CsvText',
  mediaType: csvMediaType,
  source: 'data',
  size: 'large',
  parse: (request) => parseOfPlugin(request, csvParameters),
  async *render(view, { pluginId, bom }) {
    await view.getPlugin(pluginId);
    if (bom) yield byteOrderMark;
    yield csvRow(['chart', 'group', 'name', 'time', 'value']);
    for await (const charts of view.listCharts(pluginId)) {
      // An empty part ends the turn of the event loop, even after a batch without charts.
      yield '';
      for (const chart of charts)
        for await (const block of listBlocks(view, pluginId, chart)) yield* renderRows(chart.chartId, block);
    }
  },
});

/**
 * Values of a line or of shares at some times; an undefined time stands for data that the chart shows now,
 * without a time.
 */
interface Block extends Pick<Columns, 'series'> {
  readonly times: readonly undefined[] | Float64Array;
  /** True for a history: zeros get no row. */
  readonly isSparse?: boolean;
}

/** Reads the values of a chart in the blocks that the store returns. */
async function* listBlocks(view: MetricsView, pluginId: number, chart: Chart): AsyncGenerator<Block> {
  const window = { from: 0, to: maxTimestamp + 1 };
  const shown = await view.readChartData(pluginId, chart.chartId, 0);
  if (shown.storage === 'points') {
    const name = lineName(chart);
    for await (const { times, series } of view.readColumns(chart, window))
      yield { times, series: series.map((line) => ({ ...line, name })) };
    return;
  }
  if (!hasShares(chart.type)) return;
  for await (const history of view.readColumns(chart, window)) {
    yield { ...history, isSparse: true };
    free(history.times.buffer);
  }
  if (shown.at !== null) return;
  const now = sharesIn(formOf(chart.type), JSON.parse(shown.json));
  yield {
    times: [undefined],
    series: now.map(([{ group, name }, value]) => ({ group, name, values: Float64Array.of(value) })),
  };
}

/** Renders rows in order of time, in parts. */
function* renderRows(chartId: string, { times, series, isSparse }: Block): Generator<Uint8Array> {
  const rows = new TextParts();
  // The cells of all shares share one buffer. A chart may have thousands of shares at each time, and objects
  // that survive two garbage collections are not freed soon.
  let text = '';
  const ends = new Int32Array(series.length);
  for (let rank = 0, end = 0; rank < series.length; rank++) {
    const { group = null, name = '' } = series[rank] ?? {};
    const cells = `${cellText(chartId)},${cellText(group ?? '')},${cellText(name)},`;
    text += cells;
    end += Buffer.byteLength(cells);
    ends[rank] = end;
  }
  const firstCells = Buffer.from(text);
  for (let index = 0; index < times.length; index++) {
    const time = times[index];
    const timeCell = Buffer.from(`${time === undefined ? '' : new Date(time).toISOString()},`);
    for (let rank = 0; rank < series.length; rank++) {
      const values = series[rank]?.values;
      if (values === undefined || (isSparse && values[index] === 0)) continue;
      rows.bytes(firstCells, rank === 0 ? 0 : ends[rank - 1], ends[rank]);
      rows.bytes(timeCell);
      rows.number(values, index);
      rows.bytes(lineEnd);
      if (rows.isFull) yield rows.take();
    }
  }
  yield rows.take();
  release(firstCells);
}

const lineEnd = Buffer.from('\r\n');
