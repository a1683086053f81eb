/** Plain JSON values of the case files, and the checks that narrow them to the required type. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * Returns the value as an object; throws, naming `where`, if it is not one or has members outside `known`.
 */
export function asObject(value: Json | undefined, where: string, known?: readonly string[]): JsonObject {
  if (!isObject(value)) throw new TypeError(`${where}: expected an object, not ${JSON.stringify(value)}`);
  const stranger = known && Object.keys(value).find((name) => !known.includes(name));
  if (stranger !== undefined) throw new TypeError(`${where}: "${stranger}" is none of ${known?.join(', ')}`);
  return value;
}

/** Returns the value as a list; throws, naming `where`, if it is not one. */
export function asList(value: Json | undefined, where: string): readonly Json[] {
  if (!isList(value)) throw new TypeError(`${where}: expected a list, not ${JSON.stringify(value)}`);
  return value;
}

/** Returns the value as a string; throws, naming `where`, if it is not one. */
export function asString(value: Json | undefined, where: string): string {
  if (typeof value !== 'string')
    throw new TypeError(`${where}: expected a string, not ${JSON.stringify(value)}`);
  return value;
}

/** Returns the value as a number; throws, naming `where`, if it is not one. */
export function asNumber(value: Json | undefined, where: string): number {
  if (typeof value !== 'number')
    throw new TypeError(`${where}: expected a number, not ${JSON.stringify(value)}`);
  return value;
}

/** Narrows a value to an object (not null, not a list). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** Narrows a value to a list. `Array.isArray` alone does not narrow a readonly list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
