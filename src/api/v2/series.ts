/** Points and histories over a window, as JSON and as CSV. */

import type { BodyPart } from '../../http/endpoint.ts';
import { byteOrderMark } from '../../model/csv-row.ts';
import { chartsUpTo, malformedQuery, type Query } from '../../model/parameter.ts';
import { parseStep, type SeriesOfChart, type SeriesQuery, seriesSteps } from '../../model/series-source.ts';
import { type RangeName, ranges } from '../../model/window.ts';
import { loadSeries, type SteppedSeries } from '../../series/load-series.ts';
import { columnCountOf } from '../../series/merge-series.ts';
import { renderSeriesCsv } from '../../series/series-csv.ts';
import { aggregates } from '../../series/steps.ts';
import { TextParts } from '../../series/text-parts.ts';
import {
  type ApiEndpoint,
  apiEndpoint,
  boundedInteger,
  choice,
  csvMediaType,
  csvParameters,
  malformed,
  parseQuery,
  type QueryValues,
  timeParameter,
  yesOrNo,
} from '../api-endpoint.ts';

/** Maximum number of charts in a request. */
const maxCharts = 50;

const someCharts = chartsUpTo(maxCharts, 'charts');

const seriesParameters = {
  charts: {
    ...someCharts,
    description: `Up to ${maxCharts} charts, such as \`1337:players,42:os\`.`,
    schema: { type: 'string' },
    fallback: [],
    isRequired: true,
  },
  from: timeParameter(undefined, 'The beginning of the window, inclusive.'),
  to: timeParameter(
    undefined,
    'The end of the window, exclusive; by default after the newest time of these charts.',
  ),
  range: choice(
    Object.keys(ranges) as RangeName[],
    undefined,
    'A window that ends at the newest time of these charts, instead of `from` and `to`; `30d` without them.',
  ),
  step: {
    allowed: `${Object.keys(seriesSteps).join(', ')}, or another length, which counts as the next longer one`,
    parse: parseStep,
    description: `The length of steps, in UTC; weeks begin on Monday: ${Object.keys(seriesSteps).join(', ')}. Another length counts as the next longer one, a longer one as a month.`,
    schema: { type: 'string', pattern: '^\\d+(ms|s|m|h|d|w|mo|y)$' },
    fallback: null,
  },
  points: boundedInteger(
    { min: 1, max: 10_000 },
    undefined,
    'In place of `step`: the smallest step with which the window has at most so many times.',
  ),
  aggregate: choice(
    aggregates,
    undefined,
    'How the values of a step become one, by default `mean`; means are rounded to four decimals, below 1 to four digits.',
  ),
  top: boundedInteger(
    { min: 1, max: 100 },
    20,
    'The number of the largest shares; the others are one series, `Other`.',
  ),
  level: boundedInteger(
    { min: 1, max: 2, allowed: '1 or 2' },
    1,
    'For a drilldown pie, `1` for the outer shares, `2` for the inner ones.',
  ),
  group: choice(
    ['minor', 'none'],
    'none',
    '`minor` adds up the versions of each minor line: 1.21.4 and 1.21.11 are `1.21.x`.',
  ),
  order: choice(
    ['size', 'version'],
    'size',
    'The order of the shares of a chart: the largest first, or the newest version first and names that are not versions last.',
  ),
  sum: yesOrNo(false, '`true` adds up all line charts, and the shares of charts of one form by their names.'),
};

const bandParameters = {
  band: yesOrNo(
    false,
    '`true` with a step for `lows` and `highs` of each line, its lowest and highest values.',
  ),
};

type SeriesParameters = typeof seriesParameters & (typeof bandParameters | typeof csvParameters);

const description =
  'Points of lines and histories of shares, as they are stored or by step, with the times at which any of them has a value. A line has null where it ' +
  'has none, a share has 0 where its chart has others.';

/** Endpoint of series as JSON. */
export const series = seriesEndpoint({
  parameters: { ...seriesParameters, ...bandParameters },
  path: '/api/v2/series',
  operationId: 'readSeries',
  summary: 'Series of up to 50 charts over a window',
  schema: 'Series',
  renderAnswer: renderJson,
  // Each value takes at least a digit and a comma.
  minBytes: ({ times, series }) =>
    times.length *
    (`${times[0] ?? 0},`.length + 2 * series.reduce((sum, one) => sum + columnCountOf(one), 0)),
});

/** Endpoint of series as CSV. */
export const seriesCsv = seriesEndpoint({
  parameters: { ...seriesParameters, ...csvParameters },
  path: '/api/v2/series.csv',
  operationId: 'readSeriesCsv',
  summary: 'The same as CSV: a column of times, and one for each series',
  schema: 'CsvText',
  mediaType: csvMediaType,
  renderAnswer: (answer) => renderSeriesCsv(answer, ['time', ...columnNames(answer.series)]),
  // Each row has its time, and one comma per series even if the value is missing.
  minBytes: ({ times, series }) => times.length * (`${new Date(0).toISOString()}\r\n`.length + series.length),
});

function seriesEndpoint({
  renderAnswer,
  minBytes,
  ...about
}: Pick<ApiEndpoint, 'path' | 'operationId' | 'summary' | 'schema' | 'mediaType'> & {
  readonly parameters: SeriesParameters;
  readonly renderAnswer: (answer: SteppedSeries) => Iterable<BodyPart>;
  /** Returns a lower bound on the size of the response, in bytes. */
  readonly minBytes: (answer: SteppedSeries) => number;
}): ApiEndpoint {
  return apiEndpoint({
    ...about,
    description,
    problems: ['unknown-plugin', 'unknown-chart'],
    source: 'data',
    size: 'large',
    parse: ({ searchParams }) => parseSeriesQuery(searchParams, about.parameters),
    async *render(view, query, forecast) {
      const answer = await loadSeries(view, query);
      forecast.minBytes = minBytes(answer);
      if (query.bom) yield byteOrderMark;
      yield* renderAnswer(answer);
    },
  });
}

/**
 * Parses the query.
 * @throws AppError `invalid` if a parameter is malformed, repeated or unknown.
 */
function parseSeriesQuery(
  query: Query,
  parameters: SeriesParameters,
): SeriesQuery & { readonly bom: boolean } {
  const values = parseQuery(query, parameters);
  const { charts, step, points, aggregate, top, level, group, order, sum: isSum } = values;
  if (step !== null && points !== undefined) throw malformed('either step or points can be given');
  const hasStep = step !== null || points !== undefined;
  if (!hasStep && aggregate !== undefined)
    throw malformed(`aggregate=${aggregate} needs a step, such as step=1d`);
  const hasBand = 'band' in values && values.band;
  if (hasBand && !hasStep) throw malformed('band=true needs a step, such as step=1d');
  if (hasBand && isSum)
    throw malformed('use either band=true, which is for each line, or sum=true, which adds them up');
  if (charts.length === 0) throw malformedQuery('charts', someCharts.allowed, '', someCharts.hint);
  return {
    charts,
    window: windowOf(values),
    step,
    points,
    aggregate: aggregate ?? 'mean',
    top,
    level: level === 2 ? 2 : 1,
    group,
    order,
    isSum,
    hasBand,
    bom: 'bom' in values && values.bom,
  };
}

function windowOf({ from, to, range }: QueryValues<typeof seriesParameters>): SeriesQuery['window'] {
  if (from === undefined && to === undefined) return range ?? '30d';
  if (range !== undefined || from === undefined)
    throw malformed('a window is either range, or from and optionally to');
  if (to !== undefined && from >= to)
    throw malformed(`from must be before to, got ${isoOf(from)} and ${isoOf(to)}`);
  return { from, to };
}

function isoOf(timestamp: number): string {
  return new Date(timestamp).toISOString();
}

function* renderJson({
  window,
  step,
  aggregate,
  partial,
  times,
  series,
}: SteppedSeries): Generator<BodyPart> {
  const { from, to } = window;
  const json = new TextParts();
  json.text(
    `{"from":${from},"to":${to},"step":${step},"aggregate":${step === null ? null : `${JSON.stringify(aggregate)},"partial":${JSON.stringify(partial)}`},"times":`,
  );
  yield* json.numbers(times);
  json.text(',"series":[');
  for (const [index, one] of series.entries()) {
    json.text(`${index === 0 ? '' : ','}${JSON.stringify(membersOf(one)).slice(0, -1)}`);
    for (const name of ['values', 'lows', 'highs'] as const) {
      const numbers = one[name];
      if (numbers === undefined) continue;
      json.text(`,"${name}":`);
      yield* json.numbers(numbers);
    }
    json.text('}');
  }
  json.text(']}');
  yield json.take();
}

/**
 * Returns the JSON members of a series. A sum of lines has no `pluginId` and `chartId`; in a sum of shares
 * both are null.
 */
function membersOf({ chart, values, lows, highs, otherCount, group, ...members }: SeriesOfChart): object {
  const { pluginId, chartId } = chart ?? (members.isSum ? {} : { pluginId: null, chartId: null });
  return { pluginId, chartId, group: group ?? undefined, ...members };
}

/**
 * Names the columns. A column has the name of its series; series with the same name get longer column names:
 * `1337:players` for a line, `os Windows 11` or `1337:os Windows 11` for a share.
 */
function columnNames(series: readonly SeriesOfChart[]): readonly string[] {
  const chartNames = series.map(({ chart }) =>
    chart === undefined ? '' : `${chart.pluginId}:${chart.chartId}`,
  );
  const columnCounts = Map.groupBy(chartNames, (name) => name);
  const choices = series.map(({ chart, group, name }, index) => {
    const chartName = chartNames[index] ?? '';
    const full = group === null ? name : `${group} ${name}`;
    if (columnCounts.get(chartName)?.length === 1 && chart !== undefined) return [name, chartName];
    return [name, full, ...(chart === undefined ? [] : [`${chart.chartId} ${full}`, `${chartName} ${full}`])];
  });
  const names = choices.map(([name = '']) => name);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    const taken = Map.groupBy(['time', ...names], (name) => name);
    for (const [index, name] of names.entries()) {
      const longer = choices[index]?.[Number(choices[index]?.lastIndexOf(name)) + 1];
      if (longer === undefined || taken.get(name)?.length === 1) continue;
      names[index] = longer;
      isDone = false;
    }
  }
  return names;
}
