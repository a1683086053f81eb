/** Parses the query of a request for series. */
import {
  digitsFrom,
  malformedQuery,
  oneOf,
  type Parameter,
  parseParameter,
  type Query,
  textUpTo,
} from '../../http/query-parameter.ts';
import { AppError } from '../../model/app-error.ts';
import { type ChartName, chartNamesText, parseChartName } from '../../model/chart.ts';
import { aggregates, type RangeName, ranges, type SeriesQuery, steps } from '../../series/series-query.ts';
import { refuseUnknown } from './known-parameters.ts';
import { timeParameter } from './time-parameter.ts';

/** The most charts of a request. */
export const maxSeriesCharts = 50;

/** The parameters of a query. */
export const seriesParameters = [
  'charts',
  'from',
  'to',
  'range',
  'step',
  'aggregate',
  'top',
  'level',
  'sum',
] as const;

const maxTop = 100;
/** Values of parameters that are left out. */
export const seriesDefaults = { range: '30d', aggregate: 'mean', top: 20 } as const;

/**
 * Parses the query.
 * @throws AppError `invalid` for a parameter that is not allowed, given twice or not known.
 */
export function parseSeriesQuery(query: Query): SeriesQuery {
  refuseUnknown(query, seriesParameters);
  const charts = parseChartNames(query);
  const window = parseWindow(query);
  const parse = <Value, Fallback>(name: string, parameter: Parameter<Value>, fallback: Fallback) =>
    parseParameter<Value | Fallback>(query, name, { parameter, fallback });
  const step = parse('step', oneOf(Object.keys(steps) as (keyof typeof steps)[]), null);
  const aggregate = parse('aggregate', oneOf(aggregates), seriesDefaults.aggregate);
  return {
    charts,
    window,
    step,
    // Without steps there is nothing to aggregate.
    aggregate: step === null ? seriesDefaults.aggregate : aggregate,
    top: parse('top', digitsFrom(1, maxTop), seriesDefaults.top),
    level: parse('level', oneOf(['1', '2']), '1') === '2' ? 2 : 1,
    isSum: parse('sum', oneOf(['true', 'false']), 'false') === 'true',
  };
}

/** Renders the shortest query that means the same, which is the key of the answer. */
export function seriesQueryText(query: SeriesQuery): string {
  const { charts, window, step, aggregate, top, level, isSum } = query;
  const text = new URLSearchParams();
  text.set('charts', chartNamesText(charts));
  if ('from' in window) {
    text.set('from', String(window.from));
    text.set('to', String(window.to));
  } else if (window.range !== seriesDefaults.range) text.set('range', window.range);
  if (step !== null) text.set('step', step);
  if (aggregate !== seriesDefaults.aggregate) text.set('aggregate', aggregate);
  if (top !== seriesDefaults.top) text.set('top', String(top));
  if (level !== 1) text.set('level', '2');
  if (isSum) text.set('sum', 'true');
  return String(text);
}

const chartsAllowed = `1 to ${maxSeriesCharts} charts, such as 1337:players,42:os, each once`;

function parseChartNames(query: Query): readonly ChartName[] {
  const maxLength = maxSeriesCharts * 120;
  const text = parseParameter(query, 'charts', { parameter: textUpTo(maxLength), fallback: '' }).trim();
  const parts = text.split(',');
  if (text === '' || parts.length > maxSeriesCharts || new Set(parts).size < parts.length)
    throw malformedQuery('charts', chartsAllowed, text);
  return parts.map((part) => {
    const name = parseChartName(part);
    if (name === undefined) throw malformedQuery('charts', chartsAllowed, part === '' ? text : part);
    return name;
  });
}

function parseWindow(query: Query): SeriesQuery['window'] {
  const parseTime = (name: string) =>
    parseParameter(query, name, { parameter: timeParameter, fallback: undefined });
  const [from, to] = [parseTime('from'), parseTime('to')];
  const rangeNames = Object.keys(ranges) as RangeName[];
  const range = parseParameter(query, 'range', { parameter: oneOf(rangeNames), fallback: undefined });
  if (from === undefined && to === undefined) return { range: range ?? seriesDefaults.range };
  if (range !== undefined) throw malformedWindow('a window has either range, or from and to, not both');
  if (from === undefined || to === undefined) throw malformedWindow('a window has both from and to');
  if (from >= to) throw malformedWindow(`from must be before to, got ${isoOf(from)} and ${isoOf(to)}`);
  return { from, to };
}

function malformedWindow(message: string): AppError {
  return new AppError('invalid', message, { kind: 'malformed-query' });
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
