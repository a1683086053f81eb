/** Parses software of other servers. */
import { JsonWalk, jsonString } from '../json/json-walk.ts';
import { parseShape, quoteJson } from '../json/parse-shape.ts';
import { AppError } from '../model/app-error.ts';
import { maxId } from '../model/identifier.ts';
import type { SoftwareFields } from '../model/metrics-record.ts';
import { identifiedShape, softwareShape } from './upstream-shapes.ts';

/** The software within a plugin. */
export interface SoftwareReference {
  readonly id: number;
  readonly name?: string;
  readonly url?: string;
}

/**
 * Parses the software list, by id. An element that breaks a rule becomes an error, if its id is valid.
 * @throws AppError `invalid` for a body that is no array of objects with ids.
 */
export function parseSoftwareListBody(json: Uint8Array): Map<number, SoftwareFields | AppError> {
  const list = new Map<number, SoftwareFields | AppError>();
  visitElements(json, (element, name) => {
    const { id } = parseShape(identifiedShape, { json: element, name }) as { readonly id: number };
    list.set(id, parseElement(element, name, parseSoftware));
  });
  return list;
}

/**
 * Visits the elements of an array.
 * @param name its name in messages; `''` for a whole body.
 * @throws AppError `invalid` for something else than an array.
 */
export function visitElements(
  json: Uint8Array,
  read: (element: Uint8Array, name: string) => void,
  name = '',
): void {
  const walk = new JsonWalk(json);
  if (walk.kind() !== 'array') {
    const found = walk.text();
    throw new AppError('invalid', `${name || 'the body'} must be an array, got ${quoteJson(found)}`);
  }
  walk.array((index) => read(walk.text(), `${name}[${index}]`));
  walk.end();
}

/** Parses an element, or returns the error of the rule that it breaks. */
export function parseElement<T>(
  element: Uint8Array,
  name: string,
  read: (element: Uint8Array, name: string) => T,
): T | AppError {
  try {
    return read(element, name);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function parseSoftware(element: Uint8Array, name: string): SoftwareFields {
  const { globalPlugin, ...fields } = parseShape(softwareShape, { json: element, name }) as Omit<
    SoftwareFields,
    'globalPluginId'
  > & { readonly globalPlugin?: Uint8Array };
  return { ...fields, globalPluginId: parseGlobalPlugin(globalPlugin, `${name}.globalPlugin`) };
}

/** Parses a global plugin: an object with an id, a number or a number as a string. `""`, 0, null and a missing one mean none. */
function parseGlobalPlugin(json: Uint8Array | undefined, name: string): number | null {
  if (json === undefined) return null;
  // Longer than any id.
  const text = jsonString(json.subarray(0, 100)).replaceAll('"', '');
  if (text === '' || text === 'null' || /^0+$/.test(text)) return null;
  if (/^\d+$/.test(text) && Number(text) <= maxId) return Number(text);
  if (new JsonWalk(json).kind() === 'object')
    return (parseShape(identifiedShape, { json, name }) as { readonly id: number }).id;
  throw new AppError(
    'invalid',
    `${name} must be an object with an id, an id or null, got ${quoteJson(json)}`,
  );
}
