/** The schemas of the lines of an archive, from the schemas of the model. */
import { chartIdSchema, chartSchema } from '../model/chart.ts';
import { idSchema } from '../model/identifier.ts';
import { pluginSummarySchema } from '../model/plugin.ts';
import type { Shape } from '../model/shape.ts';
import { softwareSchema } from '../model/software.ts';

/** The version of the archive format. */
export const archiveVersion = 1;

const { uid, type, position, title, isDefault, data } = chartSchema.properties;
const { owner, isGlobal } = pluginSummarySchema.properties;
const { id, name, url } = softwareSchema.properties;

/** Makes the schema of an object with exactly these fields and `record`. */
const record = (fields: Readonly<Record<string, Shape>>): Shape => {
  const properties = { record: {}, ...fields };
  return { type: 'object', required: Object.keys(properties), additionalProperties: false, properties };
};

/** The name of a record. */
export type RecordName = 'archive' | 'software' | 'plugin' | 'chart' | 'data' | 'end';

/** The schemas by the name of the record. */
export const recordShapes: Readonly<Record<RecordName, Shape>> = {
  archive: record({
    version: {
      type: 'integer',
      minimum: archiveVersion,
      maximum: archiveVersion,
      description: `${archiveVersion}, the version that this program reads`,
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
  chart: record({ pluginId: idSchema, chartId: chartIdSchema, uid, type, position, title, isDefault, data }),
  data: record({ pluginId: idSchema, chartId: chartIdSchema, data: {} }),
  end: record({
    records: { type: 'integer', minimum: 0, description: 'an integer, the count of the records' },
  }),
};

/** True for the name of a record. */
export function isRecordName(text: string): text is RecordName {
  return Object.hasOwn(recordShapes, text);
}
