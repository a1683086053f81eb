/** Checks parsed JSON against the schemas of the model. */
import { AppError, quote } from '../model/app-error.ts';
import { numberSchema } from '../model/forms/schemas.ts';
import type { Shape } from '../model/shape.ts';

/**
 * Checks a value against its schema. Messages quote the `description` of the schema as the rule.
 * @param name name of the value in messages; `''` for a record.
 * @throws AppError `invalid` with the field, the rule and the value, at the first violation.
 */
export function checkShape(shape: Shape, value: unknown, name: string): void {
  const fault = findFault(shape, value);
  if (fault === undefined) return;
  const path = (name + fault.path).replace(/^\./, '');
  if (fault.rule === undefined) throw new AppError('invalid', `${path && `${path}: `}${fault.said}`);
  throw new AppError('invalid', `${path || 'it'} must be ${fault.rule}, got ${fault.said}`);
}

/** A value that may be missing. */
export const numberOrNullSchema = {
  ...numberSchema,
  type: ['number', 'null'],
  description: 'a finite number or null',
} as const;

/** Makes the schema of an integer that may be null. */
export function integerOrNull(schema: Shape): Shape {
  return { ...schema, type: ['integer', 'null'], description: `${schema.description}, or null` };
}

/** A violated rule. */
interface Fault {
  /** Path from the checked value, such as `.series[3].name`. */
  readonly path: string;
  /** The rule in words that follow "must be"; undefined if a member of an object is missing or unknown. */
  readonly rule?: string | undefined;
  /** The value, or a description of the fault. */
  readonly said: string;
}

function findFault(shape: Shape, value: unknown): Fault | undefined {
  const { type, properties, items } = shape;
  if (type === undefined) return undefined;
  if (!isOfType(value, type) || !isWithin(shape, value))
    return { path: '', rule: shape.description, said: quoteValue(value) };
  if (Array.isArray(value)) return items === undefined ? undefined : findInArray(shape, value);
  if (typeof value !== 'object' || value === null || properties === undefined) return undefined;
  return findInObject(shape, value as Readonly<Record<string, unknown>>);
}

/** Checks the bounds of a number or the pattern of a string. */
function isWithin(shape: Shape, value: unknown): boolean {
  if (typeof value === 'number') {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = shape;
    return value >= minimum && value <= maximum;
  }
  if (typeof value === 'string')
    return shape.pattern === undefined || new RegExp(shape.pattern, 'u').test(value);
  return true;
}

function findInArray(shape: Shape, values: readonly unknown[]): Fault | undefined {
  const { prefixItems = [], items = false, minItems = 0 } = shape;
  for (const [index, value] of values.entries()) {
    const element = prefixItems[index] ?? items;
    const fault = element === false ? undefined : findFault(element, value);
    if (fault !== undefined) return { ...fault, path: `[${index}]${fault.path}` };
  }
  const { length } = values;
  if (length >= minItems && (items !== false || length <= prefixItems.length)) return undefined;
  return { path: '', rule: shape.description, said: quoteValue(values) };
}

function findInObject(shape: Shape, members: Readonly<Record<string, unknown>>): Fault | undefined {
  const { properties = {}, required = [], additionalProperties } = shape;
  for (const name in members) {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (member === undefined && additionalProperties === false)
      return { path: '', said: `unknown field ${quote(name)}` };
    const fault = member && findFault(member, members[name]);
    if (fault !== undefined) return { ...fault, path: `.${name}${fault.path}` };
  }
  const missing = required.filter((name) => !Object.hasOwn(members, name));
  if (missing.length === 0) return undefined;
  return { path: '', said: `the field ${missing.map((name) => quote(name)).join(', ')} is missing` };
}

/** Checks the type; an integer is also a number. */
function isOfType(value: unknown, type: Shape['type']): boolean {
  if (Array.isArray(type)) return type.some((one) => isOfType(value, one));
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}

/** True for a JSON object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Renders a parsed value for a message, as JSON of at most 80 characters. */
export function quoteValue(value: unknown): string {
  return quote(Array.isArray(value) && value.length > 40 ? value.slice(0, 40) : value);
}
