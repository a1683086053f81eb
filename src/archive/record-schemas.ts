/** The records of an archive as JSON Schema; their fields are those of the model. */
import { chartIdSchema, chartSchema } from '../model/chart.ts';
import { idSchema } from '../model/identifier.ts';
import { pluginSummarySchema } from '../model/plugin.ts';
import { softwareSchema } from '../model/software.ts';

/** The version of the archive format that is read and written. */
export const archiveVersion = 1;

const { uid, type, position, title, isDefault, data } = chartSchema.properties;
const { owner, isGlobal } = pluginSummarySchema.properties;
const { id, name, url } = softwareSchema.properties;

/** An object with exactly these fields beside `record`. */
const record = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties: { record: {}, ...properties },
});

/** By the name of the record. */
export const recordSchemas: Readonly<Record<string, object>> = {
  archive: record({
    version: { const: archiveVersion, description: `${archiveVersion}, the version that this program reads` },
  }),
  software: record({
    id,
    name,
    url,
    globalPluginId: { anyOf: [idSchema, { type: 'null' }], description: `${idSchema.description}, or null` },
  }),
  plugin: record({ id, name, owner, softwareId: idSchema, isGlobal }),
  chart: record({ pluginId: idSchema, chartId: chartIdSchema, uid, type, position, title, isDefault, data }),
  data: record({ pluginId: idSchema, chartId: chartIdSchema, data: {} }),
  end: record({
    records: { type: 'integer', minimum: 0, description: 'an integer, the count of the records' },
  }),
};
