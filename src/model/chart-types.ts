/**
 * The table of chart types. A type is one entry: how its data is stored and what shape the data has. Adding a
 * type touches this file alone; stores switch on the storage, never on the name.
 */
import type { JsonText } from './json-text.ts';
import { trustedJson } from './json-text.ts';
import { maxTimestamp } from './points.ts';
import type { Shape } from './shape.ts';

/** `series`: points over time, merged by timestamp. `snapshot`: one JSON text, replaced as a whole. */
export type Storage = 'series' | 'snapshot';

/** How the data of one chart type is stored and shaped. */
export interface ChartType {
  readonly storage: Storage;
  /** JSON Schema of the `/data` response. */
  readonly dataSchema: Shape;
  /** The data of a chart that has none yet. */
  readonly emptyData: JsonText;
}

/** The wire name of a chart type. Names outside the table are types of their own. */
export const chartTypeNameSchema = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_]{0,49}$',
  description: 'a string of 1 to 50 characters a-z, 0-9 or "_" that starts with a letter',
} as const;

const text = { type: 'string', description: 'a string' } as const;
const number = {
  type: 'number',
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
  description: 'a finite number',
} as const;

/** An array of objects (or tuples) that all look alike. */
const listOf = (items: Shape, description: string): Shape => ({ type: 'array', items, description });

/** An object with exactly these members. */
const record = (properties: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
  description: `an object with the members ${Object.keys(properties).join(', ')} and no others`,
});

/** An array of exactly these elements. */
const tuple = (elements: readonly Shape[], description: string): Shape => ({
  type: 'array',
  prefixItems: elements,
  items: false,
  minItems: elements.length,
  description,
});

const pie = listOf(record({ name: text, y: number }), 'an array of {"name": string, "y": number}');
const map = listOf(
  record({
    code: {
      type: 'string',
      pattern: '^[A-Z]{2}$',
      description: 'a country code of two capital letters (ISO 3166-1)',
    },
    value: number,
  }),
  'an array of {"code": string, "value": number}',
);
const bar = listOf(
  record({ name: text, data: listOf(number, 'an array of numbers') }),
  'an array of {"name": string, "data": [number, …]}',
);
const drilldown = record({
  drilldownData: listOf(
    record({
      name: text,
      id: text,
      data: listOf(tuple([text, number], 'a pair [string, number]'), 'an array of [string, number]'),
    }),
    'an array of {"name", "id", "data"}',
  ),
  seriesData: listOf(
    record({ name: text, y: number, drilldown: text }),
    'an array of {"name": string, "y": number, "drilldown": string}',
  ),
});

/** The time of a point. */
export const timestampSchema = {
  type: 'integer',
  minimum: 0,
  maximum: maxTimestamp,
  description: `an integer from 0 to ${maxTimestamp} (Unix milliseconds)`,
} as const;

const line = listOf(
  tuple([timestampSchema, number], 'a pair [timestamp, value]'),
  'an array of [timestamp, value]',
);

const noEntries = trustedJson('[]');
const snapshot = (dataSchema: Shape, emptyData = noEntries): ChartType => ({
  storage: 'snapshot',
  dataSchema,
  emptyData,
});

const knownTypes: ReadonlyMap<string, ChartType> = new Map([
  ['single_linechart', { storage: 'series', dataSchema: line, emptyData: noEntries }],
  ['simple_pie', snapshot(pie)],
  ['advanced_pie', snapshot(pie)],
  ['drilldown_pie', snapshot(drilldown, trustedJson('{"drilldownData":[],"seriesData":[]}'))],
  ['simple_map', snapshot(map)],
  ['advanced_map', snapshot(map)],
  ['simple_bar', snapshot(bar)],
  ['advanced_bar', snapshot(bar)],
]);

const unknownType = snapshot({ type: ['array', 'object'], description: 'an array or an object' });

/** The names of the types with a known shape, in the order of the table. */
export const knownChartTypeNames: readonly string[] = [...knownTypes.keys()];

/** True for a type in the table: its data has a shape that an import checks. */
export function isKnownChartType(name: string): boolean {
  return knownTypes.has(name);
}

/** The entry of a type; a name outside the table is a snapshot of any array or object. */
export function chartTypeOf(name: string): ChartType {
  return knownTypes.get(name) ?? unknownType;
}
