/** Gets a chart and its data from a server. What is wrong with them, the drawing says. */
import type { ChartToDraw } from '../../draw/chart-content.ts';
import { parseLine } from '../../draw/line/parse-line.ts';
import type { Range } from '../../draw/range.ts';
import { formOf } from '../../model/chart-types.ts';
import { noPoints } from '../../model/points.ts';
import { coversRange, fetchHistory, type LineHistory } from './line-history.ts';
import { shareRequests } from './shared-requests.ts';

/** Which chart. */
export interface ChartAddress {
  /** The URL where `api/v1` begins, with a slash at its end. */
  readonly server: string;
  readonly pluginId: number;
  readonly chartId: string;
}

/** A chart with its data. */
export interface LoadedChart {
  /** Of a line, without its data. */
  readonly chart: ChartToDraw;
  /** Of a line, its points. */
  readonly history?: LineHistory;
}

/** There is no such chart. */
export class NoSuchChart extends Error {}

/**
 * Asks for a chart; the data of a line reaches back as far as the range.
 * @throws NoSuchChart, RequestFailure, and what `fetch` and `JSON.parse` throw
 */
export async function fetchChart(
  { server, pluginId, chartId }: ChartAddress,
  range: Range,
): Promise<LoadedChart> {
  // The registry has the charts of all elements of a plugin in one answer.
  const path = `${server}api/v1/plugins/${pluginId}`;
  const chart = chartOf(await getJson(path), chartId);
  const dataPath = `${path}/charts/${encodeURIComponent(chartId)}/data`;
  if (chart.form !== 'line') return { chart: { ...chart, data: await getJson(dataPath) } };
  let data: unknown;
  const history = await fetchHistory(range, async (maxElements) => {
    data = await getJson(`${dataPath}?maxElements=${maxElements}`);
    return { points: parseLine(data) ?? noPoints, entryCount: Array.isArray(data) ? data.length : 0 };
  });
  return parseLine(data) === undefined ? { chart: { ...chart, data } } : { chart, history };
}

/** Whether a chart has what a range needs. */
export function hasRange({ history }: LoadedChart, range: Range): boolean {
  return history === undefined || coversRange(history, range);
}

function chartOf(plugin: unknown, chartId: string): ChartToDraw {
  const charts = memberOf(plugin, 'charts');
  const chart = memberOf(charts, chartId);
  const type = memberOf(chart, 'type');
  const title = memberOf(chart, 'title');
  const pluginName = memberOf(plugin, 'name');
  if (typeof type !== 'string' || typeof title !== 'string') throw new NoSuchChart();
  return {
    form: formOf(type),
    title,
    isDefault: memberOf(chart, 'isDefault') === true,
    settings: memberOf(chart, 'data'),
    data: [],
    ...(typeof pluginName === 'string' ? { pluginName } : {}),
  };
}

/** Ids such as `constructor` are ordinary ids. */
function memberOf(object: unknown, name: string): unknown {
  const isObject = typeof object === 'object' && object !== null;
  return isObject && Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

const getJson = shareRequests((url) => fetch(url));
