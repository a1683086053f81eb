/** Software as other servers tell it. */
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
 * The software list by id. An element that cannot be taken is the error that says so, if its id can be read.
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
 * Walks over an array.
 * @throws AppError `invalid` for a body that is none.
 */
export function visitElements(json: Uint8Array, read: (element: Uint8Array, name: string) => void): void {
  const walk = new JsonWalk(json);
  if (walk.kind() !== 'array') {
    const found = walk.text();
    throw new AppError('invalid', `the body must be an array, got ${quoteJson(found)}`);
  }
  walk.array((index) => read(walk.text(), `[${index}]`));
  walk.end();
}

/** What an element says, or the error that it cannot be taken. */
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

/** An object with an id, a number, a number as a string; `""`, 0, null or nothing for none. */
function parseGlobalPlugin(json: Uint8Array | undefined, name: string): number | null {
  if (json === undefined) return null;
  // No id has as many bytes.
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
