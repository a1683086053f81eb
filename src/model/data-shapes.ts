/** Storage form and JSON Schema of each form of chart data. Stores branch on the storage form only. */
import { type DataForm, formOf } from './chart-types.ts';
import { type JsonText, trustedJson } from './json-text.ts';
import type { Shape } from './shape.ts';
import { maxTimestamp } from './window.ts';

/** `points`: points over time, merged by timestamp. `latest`: one JSON text, replaced as a whole. */
type StorageForm = 'points' | 'latest';

/** Rules for the data of a chart. */
export interface DataShape {
  readonly storage: StorageForm;
  /** JSON Schema of the `/data` response. */
  readonly dataSchema: Shape;
  /** Data of a chart that has not received any. */
  readonly emptyData: JsonText;
  /** JSON Schema of share names, for types with shares. */
  readonly shareNameSchema: Shape;
}

/** Returns the rules for the data of a chart type. */
export function shapeOf(typeName: string): DataShape {
  return shapes[formOf(typeName)];
}

/** Returns the storage form of a chart type. */
export function storageOf(typeName: string): StorageForm {
  return shapeOf(typeName).storage;
}

/** Name of a share or its group. */
export const shareTextSchema = { type: 'string', description: 'a string' } as const;

/** A value. */
export const numberSchema = {
  type: 'number',
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
  description: 'a finite number',
} as const;

/** Makes the schema of an array with one kind of element. */
const listOf = (items: Shape, description: string): Shape => ({ type: 'array', items, description });

/** Makes the schema of an object with exactly these members. */
const record = (properties: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
  description: `an object with the members ${Object.keys(properties).join(', ')} and no others`,
});

/** Makes the schema of an array with exactly these elements. */
const tuple = (elements: readonly Shape[], description: string): Shape => ({
  type: 'array',
  prefixItems: elements,
  items: false,
  minItems: elements.length,
  description,
});

const pie = listOf(
  record({ name: shareTextSchema, y: numberSchema }),
  'an array of {"name": string, "y": number}',
);
const countrySchema = {
  type: 'string',
  pattern: '^[A-Z]{2}$',
  description: 'a country code of two capital letters (ISO 3166-1)',
} as const;
const map = listOf(
  record({
    code: countrySchema,
    value: numberSchema,
  }),
  'an array of {"code": string, "value": number}',
);
const bars = listOf(
  record({ name: shareTextSchema, data: listOf(numberSchema, 'an array of numbers') }),
  'an array of {"name": string, "data": [number, …]}',
);
const drilldown = record({
  drilldownData: listOf(
    record({
      name: shareTextSchema,
      id: shareTextSchema,
      data: listOf(
        tuple([shareTextSchema, numberSchema], 'a pair [string, number]'),
        'an array of [string, number]',
      ),
    }),
    'an array of {"name", "id", "data"}',
  ),
  seriesData: listOf(
    record({ name: shareTextSchema, y: numberSchema, drilldown: shareTextSchema }),
    'an array of {"name": string, "y": number, "drilldown": string}',
  ),
});

/** Time of a point. */
export const timestampSchema = {
  type: 'integer',
  minimum: 0,
  maximum: maxTimestamp,
  description: `an integer from 0 to ${maxTimestamp} (Unix milliseconds)`,
} as const;

/** Data of a line. */
export const lineSchema: Shape = listOf(
  tuple([timestampSchema, numberSchema], 'a pair [timestamp, value]'),
  'an array of [timestamp, value]',
);

const latestOnly = (dataSchema: Shape, emptyData = trustedJson('[]')): DataShape => ({
  storage: 'latest',
  dataSchema,
  emptyData,
  shareNameSchema: shareTextSchema,
});

const shapes: Readonly<Record<DataForm, DataShape>> = {
  line: { ...latestOnly(lineSchema), storage: 'points' },
  pie: latestOnly(pie),
  drilldown: latestOnly(drilldown, trustedJson('{"drilldownData":[],"seriesData":[]}')),
  map: { ...latestOnly(map), shareNameSchema: countrySchema },
  bars: latestOnly(bars),
  other: latestOnly({ type: ['array', 'object'], description: 'an array or an object' }),
};
