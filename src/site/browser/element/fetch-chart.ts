/** Fetches a chart and its data from a server. The drawing says what is wrong with them. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import { parseLine } from '../../../draw/line/parse-line.ts';
import type { Range } from '../../../draw/range.ts';
import { formOf } from '../../../model/chart-types.ts';
import { noPoints } from '../../../model/points.ts';
import { coversRange, fetchHistory, type LineHistory } from './line-history.ts';
import { shareRequests } from './shared-requests.ts';

/** The address of a chart. */
export interface ChartAddress {
  /** The URL in front of `api/v1`, with a slash at its end. */
  readonly server: string;
  readonly pluginId: number;
  readonly chartId: string;
}

/** A chart with its data. */
export interface LoadedChart {
  /** The chart; a line is without its data. */
  readonly chart: ChartToDraw;
  /** The points of a line. */
  readonly history?: LineHistory;
}

/** The server has no such chart. */
export class NoSuchChart extends Error {}

/**
 * Fetches a chart with its data, of a line as far back as the range.
 * @throws NoSuchChart, RequestFailure, and the errors of `fetch` and `JSON.parse`
 */
export async function fetchChart(
  { server, pluginId, chartId }: ChartAddress,
  range: Range,
): Promise<LoadedChart> {
  // One answer for all elements of a plugin.
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

/** True if the data of a chart covers a range. */
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

/** The own member of an object: ids such as `constructor` are ordinary ids. */
function memberOf(object: unknown, name: string): unknown {
  const isObject = typeof object === 'object' && object !== null;
  return isObject && Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

const getJson = shareRequests((url) => fetch(url));
