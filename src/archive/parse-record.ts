/** Parses the lines of an archive. */
import { isUtf8 } from 'node:buffer';
import {
  checkShape,
  integerOrNull,
  isJsonObject,
  numberOrNullSchema,
  quoteValue,
} from '../json/check-shape.ts';
import { parseChartData, pointsIn } from '../json/parse-chart-data.ts';
import { memberText, parseJson, storedJson } from '../json/parse-json.ts';
import { AppError, quote } from '../model/app-error.ts';
import {
  type Chart,
  chartIdSchema,
  chartSchema,
  idSchema,
  type OldName,
  pluginSummarySchema,
  softwareSchema,
} from '../model/catalogue.ts';
import { hasGroups, hasShares, refuseIllNamed, shapeOf, withoutShares } from '../model/chart-forms.ts';
import { type Columns, orderColumns, type ShareName } from '../model/columns.ts';
import { shareTextSchema, timestampSchema } from '../model/forms/schemas.ts';
import { maxSharesPerRecord } from '../model/merge-columns.ts';
import {
  archiveVersions,
  type MetricsRecord,
  type PluginFields,
  type SoftwareFields,
} from '../model/metrics-record.ts';
import type { Removal } from '../model/metrics-remover.ts';
import { eventProperties, type PluginEvent } from '../model/plugin-event.ts';
import type { Shape } from '../model/shape.ts';

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
          items: numberOrNullSchema,
          description: 'an array of numbers and null',
        },
      },
      description: 'an object with the fields name and values, and perhaps group',
    },
    description: 'an array of {"name", "values"}',
  },
} as const;

/** Name of a record. */
type RecordName =
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
    globalPluginId: integerOrNull(idSchema),
  }),
  plugin: record({ id, name, owner, softwareId: idSchema, isGlobal }),
  oldName: record({ pluginId: idSchema, name }),
  chart: record({ pluginId: idSchema, chartId: chartIdSchema, uid, type, position, title, isDefault, data }),
  data: record({ pluginId: idSchema, chartId: chartIdSchema, data: {} }, { at: timestampSchema }),
  history: record({ pluginId: idSchema, chartId: chartIdSchema, ...historyFields }),
  event: record({ pluginId: idSchema, ...eventProperties }),
  removal: record(
    { before: integerOrNull(timestampSchema) },
    { pluginId: idSchema, chartId: chartIdSchema, after: timestampSchema },
  ),
  end: record({
    records: { type: 'integer', minimum: 0, description: 'an integer, the count of the records' },
  }),
};

/** True if the value is a record name. */
function isRecordName(value: unknown): value is RecordName {
  return typeof value === 'string' && Object.hasOwn(recordShapes, value);
}

/** A line of an archive: a record for a store, the header, or the end record. */
export type ArchiveRecord =
  | Exclude<MetricsRecord, { kind: 'end' | 'archive' }>
  | { readonly kind: 'archive'; readonly version: number }
  | { readonly kind: 'end'; readonly place: string; readonly records: number };

/**
 * Parses one line.
 * @throws AppError `invalid` with the field and the rule that it breaks, but without a place.
 */
export function parseRecord(line: Uint8Array, place: string): ArchiveRecord {
  // Decoding would silently replace invalid bytes.
  if (!isUtf8(line)) throw new AppError('invalid', 'the line is not valid UTF-8');
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString();
  const value = parseJson(text);
  if (!isJsonObject(value))
    throw new AppError('invalid', `a record must be a JSON object, got ${quoteValue(value)}`);
  if (!isRecordName(value['record'])) throw wrongRecordName(value['record']);
  checkShape(recordShapes[value['record']], value, '');
  const { record: kind, ...others } = value as { readonly record: RecordName };
  const fields: unknown = others;
  switch (kind) {
    case 'archive':
      return { kind, version: (fields as { readonly version: number }).version };
    case 'software':
      return { kind, place, software: fields as SoftwareFields };
    case 'plugin':
      return { kind, place, plugin: fields as PluginFields };
    case 'oldName':
      return { kind, place, oldName: fields as OldName };
    case 'chart': {
      const { pluginId, ...chart } = fields as Chart & { readonly pluginId: number };
      const data = storedJson(memberText(text, 'data') ?? '', 'the settings of a chart');
      return { kind, place, pluginId, chart: { ...chart, data } };
    }
    case 'data':
      return { kind, place, ...dataFields(text, fields as DataFields) };
    case 'history': {
      const { pluginId, chartId, ...history } = fields as HistoryFields;
      checkLengths(history);
      return { kind, place, pluginId, chartId, historyFor: (typeName) => historyFor(typeName, history) };
    }
    case 'event': {
      const { pluginId, ...event } = fields as PluginEvent & { readonly pluginId: number };
      return { kind, place, pluginId, event };
    }
    case 'removal':
      return { kind, place, removal: checkedRemoval(fields as Removal) };
    default:
      return { kind, place, records: (fields as { readonly records: number }).records };
  }
}

function wrongRecordName(found: unknown): AppError {
  const known = Object.keys(recordShapes).join(', ');
  const got = found === undefined ? 'none' : quoteValue(found);
  return new AppError('invalid', `the field "record" must be one of ${known}, got ${got}`);
}

interface DataFields {
  readonly pluginId: number;
  readonly chartId: string;
  readonly data: unknown;
  readonly at?: number;
}

/**
 * Makes the fields of a data record. Points are kept as numbers; other data is kept as text until the chart
 * type is known.
 */
function dataFields(line: string, { data, ...fields }: DataFields) {
  const points = pointsIn(data);
  return {
    ...fields,
    dataFor: (typeName: string) => {
      const { storage } = shapeOf(typeName);
      if (storage === 'points' && points !== undefined) return { storage, points: orderColumns(points) };
      return parseChartData(typeName, memberText(line, 'data') ?? '');
    },
  };
}

interface ReceivedSeries {
  readonly group?: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** Times and shares of a history record. */
interface HistoryColumns {
  readonly times: readonly number[];
  readonly series: readonly ReceivedSeries[];
}

type HistoryFields = HistoryColumns & { readonly pluginId: number; readonly chartId: string };

/** Refuses series whose length differs from that of the times, and too many series. */
function checkLengths({ times, series }: HistoryColumns): void {
  if (series.length > maxSharesPerRecord)
    throw new AppError(
      'invalid',
      `series may have at most ${maxSharesPerRecord} shares, got ${series.length}`,
    );
  for (const [index, { values }] of series.entries()) {
    if (values.length === times.length) continue;
    const message = `series[${index}].values must have a value for each of the times; got ${values.length} values and ${times.length} times`;
    throw new AppError('invalid', message);
  }
}

/** Makes the history once the chart type is known. */
function historyFor(typeName: string, { times, series }: HistoryColumns): Columns {
  if (!hasShares(typeName)) throw withoutShares(typeName);
  const parsed = series.map((one, index) => ({
    ...shareFor(typeName, one, index),
    values: Float64Array.from(one.values, (value) => value ?? 0),
  }));
  refuseRepeated(parsed);
  return orderColumns({ times: Float64Array.from(times), series: parsed });
}

function refuseRepeated(shares: readonly ShareName[]): void {
  const seen = new Set<string>();
  for (const [index, { group, name }] of shares.entries()) {
    const key = JSON.stringify([group, name]);
    if (seen.has(key))
      throw new AppError('invalid', `series[${index}] is the share ${quote(name)} once more`);
    seen.add(key);
  }
}

/**
 * Makes the name of a share. In a drilldown pie, a share without a group is an outer share without inner
 * ones.
 */
function shareFor(typeName: string, { group, name }: ReceivedSeries, index: number): ShareName {
  // Share names follow the chart type: a country, for example, must be a code.
  checkShape(shapeOf(typeName).shareNameSchema, name, `series[${index}].name`);
  refuseIllNamed({ group: group ?? null, name }, `series[${index}]`);
  if (hasGroups(typeName)) return { group: group ?? name, name };
  if (group === undefined) return { group: null, name };
  const message = `series[${index}].group must be left out, because only drilldown pies have groups; got ${quote(group)}`;
  throw new AppError('invalid', message);
}

function checkedRemoval(removal: Removal): Removal {
  const { pluginId, chartId, before, after } = removal;
  if (chartId !== undefined && pluginId === undefined)
    throw new AppError('invalid', 'the field "pluginId" is missing, which "chartId" needs');
  if (after === undefined) return removal;
  if (chartId === undefined)
    throw new AppError('invalid', 'the field "chartId" is missing, which "after" needs');
  if (before === null || before <= after)
    throw new AppError('invalid', `before must be a time later than after, ${after}, got ${before}`);
  return removal;
}
