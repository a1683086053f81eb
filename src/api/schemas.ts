/** Schemas of the responses, built from the schemas of the model. */
import {
  chartIdSchema,
  chartRegistrySchema,
  chartSchema,
  idSchema,
  pluginSummarySchema,
  softwareSchema,
} from '../model/catalogue.ts';
import { shapeOf } from '../model/chart-forms.ts';
import { chartTypes } from '../model/chart-types.ts';
import { shareTextSchema, timestampSchema } from '../model/forms/schemas.ts';
import { eventProperties } from '../model/plugin-event.ts';
import { aggregates } from '../series/steps.ts';

/** A name in `components.schemas`. */
export type SchemaName = keyof ReturnType<typeof schemasFor>;

/** Response of `/data`: a known shape, or any array or object for an unknown type. */
const chartDataSchema = {
  description: 'The shape depends on the type of the chart.',
  anyOf: [
    ...Object.keys(chartTypes).map((name) => ({ title: name, ...shapeOf(name).dataSchema })),
    { title: 'any other type', type: ['array', 'object'] },
  ],
};

const valuesSchema = arrayOf({ type: ['number', 'null'] });

/** One series: a line, a share, or the sum of several. */
const seriesSchema = objectOf(
  {
    pluginId: { ...idSchema, type: ['integer', 'null'], description: 'Null for shares that are added up.' },
    chartId: { ...chartIdSchema, type: ['string', 'null'] },
    group: { ...shareTextSchema, description: 'The outer share, with `level=2`.' },
    name: { type: 'string' },
    isOther: { const: true, description: 'The sum of the other shares.' },
    isSum: { const: true },
    values: valuesSchema,
    lows: { ...valuesSchema, description: 'With `band=true`, of a line: the lowest value of each step.' },
    highs: { ...valuesSchema, description: 'The highest value of each step.' },
  },
  ['name', 'values'],
);

const seriesSet = {
  from: timestampSchema,
  to: timestampSchema,
  step: {
    type: ['integer', 'null'],
    description: 'In milliseconds, 30 days for a month; null without steps.',
  },
  aggregate: { enum: [...aggregates, null] },
  partial: {
    ...objectOf({ first: { type: 'boolean' }, last: { type: 'boolean' } }),
    description:
      'With a step: `true` where the window begins within the first one, and where the window or the values end within the last one.',
  },
  times: { ...arrayOf({ type: 'integer' }), description: 'Ascending, in Unix milliseconds.' },
  series: arrayOf(seriesSchema),
};

const latestPointSchema = {
  type: ['array', 'null'],
  prefixItems: [timestampSchema, { type: 'number' }],
  minItems: 2,
  maxItems: 2,
  description: 'The latest [timestamp, value], or null.',
};

const countSchema = { type: 'integer', minimum: 0 };

const timeOrNullSchema = { ...timestampSchema, type: ['integer', 'null'] };

/** Fields that only charts of shares have. */
const shareFacts = {
  colours: {
    ...arrayOf(shareTextSchema),
    maxItems: 12,
    description:
      'The largest shares by their sum over the whole history, then bytewise, in the order in which they get colours; without a history by `latest`.',
  },
  mostUsed: {
    anyOf: [objectOf({ name: shareTextSchema, since: timestampSchema }), { type: 'null' }],
    description:
      'The largest share now, and the beginning of the UTC day since which it has led; null without a history.',
  },
};

const eventList = arrayOf(objectOf(eventProperties));

const ratioSchema = { type: ['number', 'null'] };
const countOrNullSchema = { type: ['integer', 'null'], minimum: 0 };
const pointSchema = { ...latestPointSchema, type: 'array', description: 'A [timestamp, value].' };

const lineShareSchemas = {
  share: ratioSchema,
  atLeast: { ...ratioSchema, description: 'The share of this minor line and of all newer ones.' },
};

const insightsSchema = objectOf({
  at: { ...timeOrNullSchema, description: 'The newest time of the plugin.' },
  lines: {
    ...arrayOf(
      objectOf({
        chartId: chartIdSchema,
        now: pointSchema,
        changes: {
          ...objectOf({ '7d': ratioSchema, '28d': ratioSchema, '1y': ratioSchema }),
          description:
            'The mean of the last 7 or 28 days compared with that of as many days before, and that of the last 28 days with that of 364 days earlier: 0.1 is a tenth more.',
        },
        peak30d: pointSchema,
        record: pointSchema,
      }),
    ),
    description: 'One each for `servers` and `players`.',
  },
  standing: {
    anyOf: [
      objectOf({ rank: countOrNullSchema, of: countOrNullSchema, share: ratioSchema }),
      { type: 'null' },
    ],
    description:
      'Its place by servers among the plugins of its software that have a number of them; null beyond 10,000. `share` is of the servers of the global plugin.',
  },
  versions: {
    ...arrayOf(
      objectOf({
        chartId: chartIdSchema,
        at: { ...timeOrNullSchema, description: 'The day that the values are means of.' },
        total: { type: 'number' },
        lines: arrayOf(
          objectOf({
            name: { type: 'string' },
            value: { type: 'number' },
            ...lineShareSchemas,
            before: {
              anyOf: [objectOf({ at: timestampSchema, ...lineShareSchemas }), { type: 'null' }],
              description: 'The same 90 days earlier.',
            },
          }),
        ),
        other: {
          ...objectOf({ value: { type: 'number' }, share: ratioSchema }),
          description: 'The names that are not versions.',
        },
      }),
    ),
    description: 'The charts of versions by minor line, the newest first.',
  },
  releases: {
    ...arrayOf(
      objectOf({
        ...eventProperties,
        version: { type: 'string' },
        servers: {
          anyOf: [objectOf({ before: { type: 'number' }, after: { type: 'number' } }), { type: 'null' }],
          description: 'The means of the 7 days before and after its day.',
        },
        share: {
          ...objectOf({ '7d': ratioSchema, '30d': ratioSchema, now: ratioSchema }),
          description: 'The share of its version on the day 7 and 30 days later, and now.',
        },
        halfAfterDays: {
          ...countOrNullSchema,
          description: 'Days until its version and newer ones had at least half.',
        },
      }),
    ),
    maxItems: 20,
    description: 'The newest events that name a version, the newest first.',
  },
});

/**
 * Returns the schemas by their names in the OpenAPI document.
 * @param hasLiveFields as in the options of the API.
 */
export function schemasFor(hasLiveFields: boolean) {
  const { id, name, owner, software, isGlobal } = pluginSummarySchema.properties;
  const { data, ...chartFields } = chartSchema.properties;
  const chart = objectOf({ ...chartFields, data, ...(hasLiveFields ? { idCustom: chartIdSchema } : {}) });
  const charts = { ...chartRegistrySchema, additionalProperties: chart };
  const chartNow = {
    chartId: chartIdSchema,
    ...chartFields,
    settings: data,
    first: timeOrNullSchema,
    last: timeOrNullSchema,
    latest: { anyOf: [latestPointSchema, chartDataSchema] },
  };
  return {
    PluginList: arrayOf(pluginSummarySchema),
    PluginDetail: objectOf({ id, name, owner, charts, ...(hasLiveFields ? { software, isGlobal } : {}) }),
    ChartRegistry: charts,
    Chart: chart,
    ChartData: chartDataSchema,
    SoftwareList: arrayOf(softwareSchema),
    Series: objectOf(
      seriesSet,
      Object.keys(seriesSet).filter((name) => name !== 'partial'),
    ),
    PluginPage: objectOf({
      total: countSchema,
      next: { type: ['string', 'null'] },
      plugins: arrayOf(
        objectOf({
          ...pluginSummarySchema.properties,
          servers: latestPointSchema,
          players: latestPointSchema,
        }),
      ),
    }),
    PluginNow: objectOf({
      ...pluginSummarySchema.properties,
      charts: arrayOf(objectOf({ ...chartNow, ...shareFacts }, Object.keys(chartNow))),
      events: eventList,
    }),
    EventList: eventList,
    Insights: insightsSchema,
    SoftwareNowList: arrayOf(
      objectOf({
        ...softwareSchema.properties,
        plugins: countSchema,
        servers: latestPointSchema,
      }),
    ),
    ArchiveText: { type: 'string' },
    CsvText: { type: 'string' },
    MetricsText: { type: 'string' },
    OpenapiDocument: { type: 'object' },
    Problem: {
      type: 'object',
      required: ['type', 'title', 'status', 'detail'],
      properties: {
        type: { type: 'string', format: 'uri-reference', description: 'One per kind of error.' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
      },
    },
  };
}

/** Makes the schema of an object with these members and no others. */
function objectOf(properties: object, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', required, additionalProperties: false, properties };
}

function arrayOf(items: object) {
  return { type: 'array', items };
}
