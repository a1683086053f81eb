/** The schemas of the responses of the second interface, except for series. */
import { chartIdSchema, chartSchema } from '../../model/chart.ts';
import { timestampSchema } from '../../model/data-shapes.ts';
import { pluginSummarySchema } from '../../model/plugin.ts';
import { eventProperties } from '../../model/plugin-event.ts';
import { softwareSchema } from '../../model/software.ts';

const latestPointSchema = {
  type: ['array', 'null'],
  prefixItems: [timestampSchema, { type: 'number' }],
  minItems: 2,
  maxItems: 2,
  description: 'The latest point as [timestamp, value]; null where there is none.',
};

const timeOrNullSchema = { ...timestampSchema, type: ['integer', 'null'] };

const { uid, type, position, title, isDefault, data } = chartSchema.properties;

/** The schemas by their names in the OpenAPI document. @param chartDataSchema of the data of any chart */
export function v2Schemas(chartDataSchema: object) {
  const chartNow = objectOf({
    chartId: chartIdSchema,
    uid,
    type,
    position,
    title,
    isDefault,
    settings: { ...data, description: 'The settings of the chart.' },
    first: { ...timeOrNullSchema, description: 'The first time of its points or of its history.' },
    last: { ...timeOrNullSchema, description: 'The last time of its points or of its history.' },
    latest: {
      anyOf: [latestPointSchema, chartDataSchema],
      description: 'The newest point of a line, or null; the data of any other chart.',
    },
  });
  return {
    PluginPage: objectOf({
      total: { type: 'integer', minimum: 0, description: 'The number of plugins on all pages.' },
      next: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last.' },
      plugins: {
        type: 'array',
        items: objectOf({
          ...pluginSummarySchema.properties,
          servers: latestPointSchema,
          players: latestPointSchema,
        }),
      },
    }),
    PluginNow: objectOf({
      ...pluginSummarySchema.properties,
      charts: { type: 'array', items: chartNow },
      events: { type: 'array', items: objectOf(eventProperties) },
    }),
    SoftwareNowList: {
      type: 'array',
      items: objectOf({
        ...softwareSchema.properties,
        plugins: { type: 'integer', minimum: 0, description: 'The number of its plugins.' },
        servers: latestPointSchema,
      }),
    },
    ArchiveText: { type: 'string', description: 'Newline-delimited JSON: the archive of docs/archive.md.' },
  } as const;
}

/** The schema of an object that has these members and no others. */
function objectOf(properties: object) {
  return {
    type: 'object',
    required: Object.keys(properties),
    additionalProperties: false,
    properties,
  } as const;
}
