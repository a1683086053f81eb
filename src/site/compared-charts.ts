/** The query parameters of a comparison, of its page, its picture and its badge: `charts=1337:players,42:players&mode=sum`. */
import { isChartId } from '../model/chart.ts';
import { maxId } from '../model/identifier.ts';
import {
  malformedQuery,
  oneOf,
  type Query,
  readParameter,
  refuseByThrowing,
  textUpTo,
} from './query-parameter.ts';

/** Most lines that one comparison may have. */
export const maxComparedCharts = 10;

/** Modes of a comparison: lines as they are, each as 100 at its first point, or added into one. */
export const compareModes = ['absolute', 'indexed', 'sum'] as const;

/** One of {@link compareModes}. */
export type CompareMode = (typeof compareModes)[number];

/** A line of a comparison. */
export interface ComparedChart {
  readonly pluginId: number;
  readonly chartId: string;
}

/** Writes charts as the parameter `charts` has them: `1337:players,42:players`. */
export function chartsText(charts: readonly ComparedChart[]): string {
  return charts.map(({ pluginId, chartId }) => `${pluginId}:${chartId}`).join(',');
}

/** Room for ten of the longest plugin and chart ids, with their separators. */
const maxChartsLength = maxComparedCharts * 120;

const chartsAllowed = `up to ${maxComparedCharts} line charts, such as 1337:players,42:players`;

/**
 * The parameter `charts`; none where it is left out.
 * @throws AppError `invalid` for more than {@link maxComparedCharts}, for one twice, and for what is no such list.
 */
export function parseCharts(query: Query): readonly ComparedChart[] {
  const parameter = textUpTo(maxChartsLength);
  const given = readParameter(query, 'charts', { parameter, fallback: '', refuse: refuseByThrowing });
  const text = given.trim();
  if (text === '') return [];
  const parts = text.split(',');
  if (parts.length > maxComparedCharts || new Set(parts).size < parts.length)
    throw malformedQuery('charts', `${chartsAllowed}, each once`, text);
  return parts.map((part) => {
    const [, id = '', chartId = ''] = /^([1-9][0-9]{0,15}):(.+)$/.exec(part) ?? [];
    const pluginId = Number(id);
    if (id === '' || pluginId > maxId || !isChartId(chartId))
      throw malformedQuery('charts', chartsAllowed, part);
    return { pluginId, chartId };
  });
}

/** Parses `charts` where one at least is needed. @throws AppError as {@link parseCharts}, and `invalid` for none. */
export function parseSomeCharts(query: Query): readonly ComparedChart[] {
  const charts = parseCharts(query);
  if (charts.length > 0) return charts;
  throw malformedQuery('charts', `one or ${chartsAllowed}`, '');
}

/** The parameter `mode`; `absolute` where it is left out. @throws AppError `invalid` for another word. */
export function parseMode(query: Query): CompareMode {
  const parameter = oneOf(compareModes);
  return readParameter(query, 'mode', { parameter, fallback: 'absolute', refuse: refuseByThrowing });
}
