/** The query of series: charts, a window of time, steps, and how shares become series. */
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
import { parseIsoTime } from '../../model/iso-time.ts';
import type { Aggregate } from '../../series/steps.ts';
import { refuseUnknown } from './known-parameters.ts';

/** The most charts of a request. */
export const maxSeriesCharts = 50;

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Steps by name, in milliseconds. */
export const steps = {
  '30m': hourMs / 2,
  '1h': hourMs,
  '6h': 6 * hourMs,
  '1d': dayMs,
  '7d': 7 * dayMs,
} as const;

/** Lengths of the windows that end at the newest time, in milliseconds. */
export const ranges = {
  '1d': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  '1y': 365 * dayMs,
  all: Number.POSITIVE_INFINITY,
} as const;

export type RangeName = keyof typeof ranges;

/** Ways in which the values of a step become one. */
export const aggregates: readonly Aggregate[] = ['mean', 'min', 'max', 'last', 'count'];

/** The query of a request for series. */
export interface SeriesQuery {
  /** At least one; no two are the same. */
  readonly charts: readonly ChartName[];
  /** A window of two times, or one that ends at the newest time of all charts. */
  readonly window: { readonly from: number; readonly to: number } | { readonly range: RangeName };
  readonly step: keyof typeof steps | null;
  readonly aggregate: Aggregate;
  /** Number of shares that are series of their own. */
  readonly top: number;
  /** 1: the outer shares of drilldown pies; 2: the inner ones. */
  readonly level: 1 | 2;
  /** True to add up all line charts. */
  readonly isSum: boolean;
}

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
    if (name === undefined) throw malformedQuery('charts', chartsAllowed, part);
    return name;
  });
}

function parseWindow(query: Query): SeriesQuery['window'] {
  const parseTime = (name: string) => parseParameter(query, name, { parameter: time, fallback: undefined });
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

/** The year 10000. */
const endOfTimes = 253_402_300_800_000;

const time: Parameter<number> = {
  allowed:
    'a date such as 2026-01-31, a time such as 2026-01-31T12:00:00Z (UTC without a zone), or Unix milliseconds, up to the year 9999',
  parse: (text) => {
    // A plus sign in a query is a space.
    const timestamp = /^\d{1,15}$/.test(text)
      ? Number(text)
      : parseIsoTime(text.replace(' ', '+'))?.timestamp;
    const isWithin = timestamp !== undefined && timestamp >= 0 && timestamp < endOfTimes;
    return isWithin ? timestamp : undefined;
  },
};
