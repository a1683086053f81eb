/** Schemas of archive lines, built from the schemas of the model. */
import { chartIdSchema, chartSchema } from '../model/chart.ts';
import { numberSchema, shareTextSchema, timestampSchema } from '../model/forms/schemas.ts';
import { idSchema } from '../model/identifier.ts';
import { archiveVersions } from '../model/metrics-record.ts';
import { pluginSummarySchema } from '../model/plugin.ts';
import { eventProperties } from '../model/plugin-event.ts';
import type { Shape } from '../model/shape.ts';
import { softwareSchema } from '../model/software.ts';

const { uid, type, position, title, isDefault, data } = chartSchema.properties;
const { owner, isGlobal } = pluginSummarySchema.properties;
const { id, name, url } = softwareSchema.properties;

/** Makes the schema of an object with `record`, these fields, and no others but the optional ones. */
const record = (
  fields: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape => {
  const properties = { record: {}, ...fields };
  return {
    type: 'object',
    required: Object.keys(properties),
    additionalProperties: false,
    properties: { ...properties, ...optional },
  };
};

/** Times and shares of a history. */
const historyFields = {
  times: { type: 'array', items: timestampSchema, description: 'an array of times' },
  series: {
    type: 'array',
    items: {
      type: 'object',
      required: ['name', 'values'],
      additionalProperties: false,
      properties: {
        group: shareTextSchema,
        name: shareTextSchema,
        values: {
          type: 'array',
          items: { ...numberSchema, type: ['number', 'null'], description: 'a finite number or null' },
          description: 'an array of numbers and null',
        },
      },
      description: 'an object with the fields name and values, and perhaps group',
    },
    description: 'an array of {"name", "values"}',
  },
} as const;

/** Name of a record. */
export type RecordName =
  | 'archive'
  | 'software'
  | 'plugin'
  | 'oldName'
  | 'chart'
  | 'data'
  | 'history'
  | 'event'
  | 'removal'
  | 'end';

/** Schemas by record name. */
export const recordShapes: Readonly<Record<RecordName, Shape>> = {
  archive: record({
    version: {
      type: 'integer',
      minimum: archiveVersions.withoutPast,
      maximum: archiveVersions.withWindows,
      description: `${archiveVersions.withoutPast}, ${archiveVersions.withPast} or ${archiveVersions.withWindows}, the versions that this program reads`,
    },
  }),
  software: record({
    id,
    name,
    url,
    globalPluginId: {
      ...idSchema,
      type: ['integer', 'null'],
      description: `${idSchema.description}, or null`,
    },
  }),
  plugin: record({ id, name, owner, softwareId: idSchema, isGlobal }),
  oldName: record({ pluginId: idSchema, name }),
  chart: record({ pluginId: idSchema, chartId: chartIdSchema, uid, type, position, title, isDefault, data }),
  data: record({ pluginId: idSchema, chartId: chartIdSchema, data: {} }, { at: timestampSchema }),
  history: record({ pluginId: idSchema, chartId: chartIdSchema, ...historyFields }),
  event: record({ pluginId: idSchema, ...eventProperties }),
  removal: record(
    {
      before: {
        ...timestampSchema,
        type: ['integer', 'null'],
        description: `${timestampSchema.description}, or null`,
      },
    },
    { pluginId: idSchema, chartId: chartIdSchema, after: timestampSchema },
  ),
  end: record({
    records: { type: 'integer', minimum: 0, description: 'an integer, the count of the records' },
  }),
};

/** True if the value is a record name. */
export function isRecordName(value: unknown): value is RecordName {
  return typeof value === 'string' && Object.hasOwn(recordShapes, value);
}
