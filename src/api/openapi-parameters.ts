/** The parameters of requests, as the OpenAPI document describes them. */

import { maxSearchLength } from '../http/query-parameter.ts';
import { aggregates, ranges, steps } from '../series/series-query.ts';
import { defaultMaxElements } from './v1/max-elements.ts';
import { maxSeriesCharts, seriesDefaults } from './v2/parse-series-query.ts';
import { pluginLimits, pluginSorts } from './v2/plugin-page-query.ts';

const aboutTimes =
  'A date, or a date with a time of day (ISO 8601, UTC without a zone), or Unix milliseconds.';

/** The parameters by name. */
export const parameters = {
  pluginId: {
    name: 'pluginId',
    in: 'path',
    required: true,
    description: 'The id of a plugin: decimal digits, at most 2^53-1.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  },
  chartId: {
    name: 'chartId',
    in: 'path',
    required: true,
    description: 'A key of the chart registry, case-sensitive.',
    schema: { type: 'string' },
  },
  maxElements: {
    name: 'maxElements',
    in: 'query',
    required: false,
    allowEmptyValue: true,
    description:
      'The number of points of a line chart, the latest ones; left out or blank means one month of half-hours. ' +
      'A number beyond the history means all; other chart types ignore it.',
    schema: { type: 'string', pattern: '^[0-9]*$', default: String(defaultMaxElements) },
  },
  charts: query('charts', {
    isRequired: true,
    description: `Up to ${maxSeriesCharts} charts, each as plugin id, colon, chart id, separated by commas: \`1337:players,42:os\`.`,
    schema: { type: 'string' },
  }),
  from: query('from', {
    description: `The beginning of the window, inclusive. ${aboutTimes}`,
    schema: { type: 'string' },
  }),
  to: query('to', {
    description: `The end of the window, exclusive. ${aboutTimes}`,
    schema: { type: 'string' },
  }),
  range: query('range', {
    description: 'A window that ends at the newest time of all charts asked for, instead of `from` and `to`.',
    schema: { type: 'string', enum: Object.keys(ranges), default: seriesDefaults.range },
  }),
  step: query('step', {
    description: 'The length of steps, in UTC; weeks begin on Monday. Without it, times are as stored.',
    schema: { type: 'string', enum: Object.keys(steps) },
  }),
  aggregate: query('aggregate', {
    description:
      'How the values of a step become one. The mean is their sum in order of time, divided by their count.',
    schema: { type: 'string', enum: aggregates, default: seriesDefaults.aggregate },
  }),
  top: query('top', {
    description:
      'Of a chart of shares, the number of the largest in the window; the others are one series, `Other`.',
    schema: { type: 'string', pattern: '^[0-9]+$', default: String(seriesDefaults.top) },
  }),
  level: query('level', {
    description: 'Of a drilldown pie, `1` for the outer shares, `2` for the inner ones.',
    schema: { type: 'string', enum: ['1', '2'], default: '1' },
  }),
  sum: query('sum', {
    description: '`true` for the sum of all line charts as one series.',
    schema: { type: 'string', enum: ['true', 'false'], default: 'false' },
  }),
  q: query('q', {
    description: "A part of the name of the plugin or of its owner's, without regard to case.",
    schema: { type: 'string', maxLength: maxSearchLength },
  }),
  software: query('software', {
    description: 'Only plugins of the software with this `url`.',
    schema: { type: 'string' },
  }),
  owner: query('owner', {
    description: 'Only plugins of the owner with this id.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  }),
  global: query('global', {
    description: '`true` for global plugins alone, `false` for all others; left out, both.',
    schema: { type: 'string', enum: ['true', 'false'] },
  }),
  sort: query('sort', {
    description: 'What to sort by.',
    schema: { type: 'string', enum: pluginSorts, default: 'servers' },
  }),
  order: query('order', {
    description: 'Left out, `desc` for numbers of servers and players, `asc` for names and ids.',
    schema: { type: 'string', enum: ['asc', 'desc'] },
  }),
  limit: query('limit', {
    description: `The most plugins on the page, 1 to ${pluginLimits.max}.`,
    schema: { type: 'string', pattern: '^[0-9]+$', default: String(pluginLimits.default) },
  }),
  after: query('after', {
    description: '`next` of the page before.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  }),
  since: query('since', {
    description: `Points and histories from this time on alone. ${aboutTimes}`,
    schema: { type: 'string' },
  }),
};

/** The name of a parameter. */
export type ParameterName = keyof typeof parameters;

function query(
  name: string,
  {
    isRequired = false,
    description,
    schema,
  }: { readonly isRequired?: boolean; readonly description: string; readonly schema: object },
) {
  return { name, in: 'query', required: isRequired, description, schema };
}
