/** The addresses of comparisons, their pages, pictures and badges: `charts=1337:players,42:players&mode=sum`. */

import { maxComparedLines } from '../../draw/line/line-layout.ts';
import { type Range, rangeNames } from '../../draw/range.ts';
import {
  malformedQuery,
  parseChoice,
  parseParameter,
  parseSearch,
  type Query,
  textUpTo,
} from '../../http/query-parameter.ts';
import { type ChartName, chartNamesText, parseChartName } from '../../model/chart.ts';
import { comparePath, withQuery } from './paths.ts';

/** Modes of a comparison: values, indices (100 at the first point of each line), or one line that is the sum. */
export const compareModes = ['absolute', 'indexed', 'sum'] as const;

/** One of {@link compareModes}. */
export type CompareMode = (typeof compareModes)[number];

/** Room for ten of the longest plugin and chart ids, with their separators. */
const maxChartsLength = maxComparedLines * 120;

const chartsAllowed = `up to ${maxComparedLines} line charts, such as 1337:players,42:players`;

/**
 * Parses `charts`; an empty list if it is left out.
 * @throws AppError `invalid` for more than {@link maxComparedLines}, for a chart twice, and for a malformed list.
 */
function parseCharts(query: Query): readonly ChartName[] {
  const text = parseParameter(query, 'charts', { parameter: textUpTo(maxChartsLength), fallback: '' }).trim();
  if (text === '') return [];
  const parts = text.split(',');
  if (parts.length > maxComparedLines || new Set(parts).size < parts.length)
    throw malformedQuery('charts', `${chartsAllowed}, each once`, text);
  return parts.map((part) => {
    const name = parseChartName(part);
    if (name === undefined) throw malformedQuery('charts', chartsAllowed, part);
    return name;
  });
}

/**
 * Parses `charts` where it is required.
 * @throws AppError as {@link parseCharts}, and `invalid` for an empty list.
 */
export function parseSomeCharts(query: Query): readonly ChartName[] {
  const charts = parseCharts(query);
  if (charts.length > 0) return charts;
  throw malformedQuery('charts', `one or ${chartsAllowed}`, '');
}

/**
 * Parses `mode`; `absolute` if it is left out.
 * @throws AppError `invalid` for another word.
 */
export function parseMode(query: Query): CompareMode {
  return parseChoice(query, 'mode', { words: compareModes, fallback: 'absolute' });
}

/** The state of a comparison page; all of it is in the address. */
export interface CompareQuery {
  readonly charts: readonly ChartName[];
  readonly mode: CompareMode;
  readonly range: Range;
  /** Search for plugins to add; blank for no search. */
  readonly add: string;
}

/**
 * Parses the query of a comparison page.
 * @throws AppError `invalid` for a parameter that is not allowed.
 */
export function parseCompareQuery(query: Query): CompareQuery {
  return {
    charts: parseCharts(query),
    mode: parseMode(query),
    range: parseChoice(query, 'range', { words: rangeNames, fallback: '30d' }),
    add: parseSearch(query, 'add'),
  };
}

/** The address of a comparison page. */
export function compareAddress({ charts, mode, range, add }: CompareQuery): string {
  return withQuery(comparePath, {
    charts: charts.length === 0 ? undefined : chartNamesText(charts),
    mode: mode === 'absolute' ? undefined : mode,
    range: range === '30d' ? undefined : range,
    add: add === '' ? undefined : add,
  });
}
