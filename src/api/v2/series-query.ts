/** The query of a request for series. */
import { malformedQuery, type Query, textUpTo } from '../../http/query-parameter.ts';
import { type ChartName, parseChartName } from '../../model/chart.ts';
import { aggregates, type RangeName, ranges, type SeriesQuery, steps } from '../../series/series-query.ts';
import { boundedInteger, choice, malformed, parseQuery, type QueryValues, time, yesOrNo } from '../query.ts';

/** The most charts of a request. */
const maxCharts = 50;

const chartsAllowed = `1 to ${maxCharts} charts, such as 1337:players,42:os, each once`;

/** The parameters. */
export const seriesParameters = {
  charts: {
    ...textUpTo(maxCharts * 120),
    description: `Up to ${maxCharts} charts, each as plugin id, colon, chart id, separated by commas: \`1337:players,42:os\`.`,
    schema: { type: 'string' },
    fallback: '',
    isRequired: true,
  },
  from: time(undefined, 'The beginning of the window, inclusive.'),
  to: time(undefined, 'The end of the window, exclusive.'),
  range: {
    ...choice<RangeName, undefined>(
      Object.keys(ranges) as RangeName[],
      undefined,
      'A window that ends at the newest time of all charts asked for, instead of `from` and `to`; `30d` if all three are left out.',
    ),
  },
  step: choice(
    Object.keys(steps) as (keyof typeof steps)[],
    null,
    'The length of steps, in UTC; weeks begin on Monday. Without it, times are as stored.',
  ),
  aggregate: choice(
    aggregates,
    'mean',
    'How the values of a step become one. The mean is their sum in order of time, divided by their count.',
  ),
  top: boundedInteger(
    { min: 1, max: 100 },
    20,
    'Of a chart of shares, the number of the largest in the window; the others are one series, `Other`.',
  ),
  level: boundedInteger(
    { min: 1, max: 2, allowed: '1 or 2' },
    1,
    'Of a drilldown pie, `1` for the outer shares, `2` for the inner ones.',
  ),
  sum: yesOrNo(false, '`true` for the sum of all line charts as one series.'),
};

/**
 * Parses the query.
 * @throws AppError `invalid` for a parameter that is not allowed, given twice or not known.
 */
export function parseSeriesQuery(query: Query): SeriesQuery {
  const values = parseQuery(query, seriesParameters);
  const { step, aggregate, top, level, sum: isSum } = values;
  return {
    charts: parseChartNames(values.charts.trim()),
    window: windowOf(values),
    step,
    // Without steps there is nothing to aggregate.
    aggregate: step === null ? 'mean' : aggregate,
    top,
    level: level === 2 ? 2 : 1,
    isSum,
  };
}

function parseChartNames(text: string): readonly ChartName[] {
  const parts = text.split(',');
  if (text === '' || parts.length > maxCharts || new Set(parts).size < parts.length)
    throw malformedQuery('charts', chartsAllowed, text);
  return parts.map((part) => {
    const name = parseChartName(part);
    if (name === undefined) throw malformedQuery('charts', chartsAllowed, part === '' ? text : part);
    return name;
  });
}

function windowOf({ from, to, range }: QueryValues<typeof seriesParameters>): SeriesQuery['window'] {
  if (from === undefined && to === undefined) return { range: range ?? '30d' };
  if (range !== undefined) throw malformed('a window has either range, or from and to, not both');
  if (from === undefined || to === undefined) throw malformed('a window has both from and to');
  if (from >= to) throw malformed(`from must be before to, got ${isoOf(from)} and ${isoOf(to)}`);
  return { from, to };
}

function isoOf(timestamp: number): string {
  return new Date(timestamp).toISOString();
}
