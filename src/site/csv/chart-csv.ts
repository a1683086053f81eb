/**
 * `/plugin/{softwareUrl}/{pluginName}/{pluginId}/{chartId}.csv`: the data of one chart as CSV, in parts of
 * bounded size. The id identifies the plugin, whatever its names in the path are.
 */

import { lineStep } from '../../draw/time-step.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Chart, ChartName } from '../../model/catalogue.ts';
import { chartForms, hasShares } from '../../model/chart-forms.ts';
import { formOf } from '../../model/chart-types.ts';
import { type Columns, columnsWithin, copyColumns, joinPoints } from '../../model/columns.ts';
import { byteOrderMark, type Cell, csvRow } from '../../model/csv-row.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { type DataWindow, lengthOf, type Period, windowUpTo } from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { type LoadBounds, loadSeries } from '../../series/load-series.ts';
import { renderSeriesCsv } from '../../series/series-csv.ts';
import { chartFileOf } from '../address/file-name.ts';
import { withQuery } from '../address/paths.ts';
import { loadNewestPart } from '../charts/load-history.ts';
import { parseSettings } from '../charts/store-source.ts';
import { parse, type StateOf, write } from '../state/fields.ts';
import { csvFields } from '../state/page-state.ts';

const csvAddress = '/plugin/{softwareUrl}/{pluginName}/{pluginId}/{file}';

/** Endpoint of the data of a chart. */
export const csvEndpoint: Endpoint = {
  path: csvAddress,
  ask: (request) => {
    const { pluginId, chartId } = chartFileOf(request, ['csv']);
    const state = parse(csvFields, request.searchParams);
    const query = write(csvFields, state);
    return {
      key: withQuery(csvAddress, { pluginId: `${pluginId}`, chartId, ...query }),
      // RFC 4180 3: the first row names the columns.
      mediaType: 'text/csv; charset=utf-8; header=present',
      source: 'data',
      headers: ['Content-Disposition', 'attachment'],
      size: 'large',
      async *parts(reader) {
        const table = await reader.read((view) => loadTable(view, { ...state, pluginId, chartId }));
        if (state.bom === 'true') yield byteOrderMark;
        yield* cut(table);
      },
    };
  },
};

/**
 * Minimum length of a part, in characters, for data without times; a single row may have any number of cells.
 */
const partLength = 16 * 1024;

/** Maximum size of a file. Bars can take far more room as rows than as JSON. */
const maxCsvBytes = 16 * 1024 * 1024;

/** Maximum number of points in a file; more cannot fit. */
const maxPointCount = maxCsvBytes / '1970-01-01T00:00:00Z,0\r\n'.length;

/** Number of shares that get their own column in a history, the same as the default of `/api/v2/series`. */
const top = 20;

/** A table as CSV. */
interface Table {
  readonly parts: Iterable<string>;
  /** True if rows were left out. */
  readonly isCut?: boolean;
}

/** Loads header and rows; rejects with `not_found` if the plugin does not have the chart. */
async function loadTable(
  view: MetricsView,
  { pluginId, chartId, window, view: shown }: ChartName & StateOf<typeof csvFields>,
): Promise<Table> {
  const chart = await view.getChart(pluginId, chartId);
  const { uid, type } = chart;
  const form = formOf(type);
  if (form === 'line' || (shown !== 'now' && hasShares(type))) {
    const span = (await view.findSpans([uid])).get(uid) ?? { first: 0, last: 0 };
    const asked = windowUpTo(window, span);
    if (form === 'line') {
      const points = await readPoints(view, chart, asked, maxPointCount);
      return { parts: renderSeriesCsv(points, ['timestamp', 'value'], shortTime) };
    }
    const step = lineStep(lengthOf({ ...asked, from: Math.max(asked.from, span.first) })) ?? null;
    const wanted = { charts: [{ pluginId, chartId }], step, aggregate: 'mean', top, level: 1 } as const;
    const { loaded, isCut } = await loadNewestPart(
      { period: window, span },
      (part: Period, bounds?: LoadBounds) =>
        loadSeries(view, { ...wanted, isSum: false, window: part }, bounds),
    );
    return { parts: renderSeriesCsv(loaded, ['time', ...loaded.series.map(({ name }) => name)]), isCut };
  }
  const data = await view.readChartData(pluginId, chartId, 0);
  const json = data.storage === 'points' ? '' : data.json;
  const { shares } = chartForms[form];
  return {
    parts: inParts(shares?.rows(shares.parse(JSON.parse(json)), parseSettings(chart)) ?? [['json'], [json]]),
  };
}

/** Reads the points of a line in a window; stops after the run that exceeds `maxCount`. */
async function readPoints(
  view: MetricsView,
  line: Chart,
  window: DataWindow,
  maxCount: number,
): Promise<Columns> {
  const runs: Columns[] = [];
  let pointCount = 0;
  for await (const points of view.readColumns(line, window)) {
    const run = columnsWithin(points, window);
    runs.push(copyColumns(run));
    pointCount += run.times.length;
    if (pointCount > maxCount) break;
    await nextTurn();
  }
  return joinPoints(runs);
}

/** Formats a time, without milliseconds if they are 0. */
function shortTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Ends a table that is too large or incomplete with a row that says so. */
function* cut({ parts, isCut }: Table): Generator<string> {
  const note = csvRow(['(cut here: the rest is in the data of the chart as JSON)']);
  let sizeBytes = 0;
  for (const part of parts) {
    sizeBytes += Buffer.byteLength(part);
    if (sizeBytes > maxCsvBytes) return yield note;
    yield part;
  }
  if (isCut) yield note;
}

function* inParts(rows: Iterable<readonly Cell[]>): Generator<string> {
  let part = '';
  for (const row of rows) {
    part += csvRow(row);
    if (part.length < partLength) continue;
    yield part;
    part = '';
  }
  yield part;
}
