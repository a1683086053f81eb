/** Schemas of the parts of chart data. */
import type { Shape } from '../shape.ts';
import { maxTimestamp } from '../window.ts';

/** Name of a share or its group. */
export const shareTextSchema = { type: 'string', description: 'a string' } as const;

/** A value. */
export const numberSchema = {
  type: 'number',
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
  description: 'a finite number',
} as const;

/** Time of a point. */
export const timestampSchema = {
  type: 'integer',
  minimum: 0,
  maximum: maxTimestamp,
  description: `an integer from 0 to ${maxTimestamp} (Unix milliseconds)`,
} as const;

/** Makes the schema of an array with one kind of element. */
export const listOf = (items: Shape, description: string): Shape => ({ type: 'array', items, description });

/** Makes the schema of an object with exactly these members. */
export const record = (properties: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
  description: `an object with the members ${Object.keys(properties).join(', ')} and no others`,
});

/** Makes the schema of an array with exactly these elements. */
export const tuple = (elements: readonly Shape[], description: string): Shape => ({
  type: 'array',
  prefixItems: elements,
  items: false,
  minItems: elements.length,
  description,
});
