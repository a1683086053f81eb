/** The records of an archive: what their lines must look like. The fields are those of the model. */
import { chartIdSchema, chartSchema } from '../model/chart.ts';
import { idSchema } from '../model/identifier.ts';
import { pluginSummarySchema } from '../model/plugin.ts';
import type { Shape } from '../model/shape.ts';
import { softwareSchema } from '../model/software.ts';

/** The version of the archive format that is read and written. */
export const archiveVersion = 1;

const { uid, type, position, title, isDefault, data } = chartSchema.properties;
const { owner, isGlobal } = pluginSummarySchema.properties;
const { id, name, url } = softwareSchema.properties;

/** An object with exactly these fields beside `record`. */
const record = (fields: Readonly<Record<string, Shape>>): Shape => {
  const properties = { record: {}, ...fields };
  return { type: 'object', required: Object.keys(properties), additionalProperties: false, properties };
};

/** The name of a record. */
export type RecordName = 'archive' | 'software' | 'plugin' | 'chart' | 'data' | 'end';

/** By the name of the record. */
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

/** Whether a record can have this name. */
export function isRecordName(text: string): text is RecordName {
  return Object.hasOwn(recordShapes, text);
}
