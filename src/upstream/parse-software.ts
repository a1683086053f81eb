/** Parses software from other servers. */
import { checkShape, isJsonObject, quoteValue } from '../json/check-shape.ts';
import { parseJson } from '../json/parse-json.ts';
import { AppError } from '../model/app-error.ts';
import { maxId } from '../model/identifier.ts';
import type { SoftwareFields } from '../model/metrics-record.ts';
import { identifiedShape, softwareShape } from './upstream-shapes.ts';

/** Software as a plugin refers to it. */
export interface UpstreamSoftware {
  readonly id: number;
  readonly name?: string;
  readonly url?: string;
}

/** Software with the name and `url` from the user. */
export type GivenSoftware = Required<UpstreamSoftware>;

/** List by id. Elements are parsed on demand, so that an invalid element does not affect the others. */
export type ParsedList<T> = ReadonlyMap<number, () => T>;

/**
 * Parses an array of objects.
 * @param parse parses an element; its second parameter is the name of the element in messages.
 * @throws AppError `invalid` if the body is not an array of objects with ids.
 */
export function parseList<T>(json: string, parse: (element: unknown, name: string) => T): ParsedList<T> {
  const list = new Map<number, () => T>();
  const elements = parseJson(json);
  if (!Array.isArray(elements))
    throw new AppError('invalid', `the body must be an array, got ${quoteValue(elements)}`);
  for (const [index, element] of elements.entries()) {
    const name = `[${index}]`;
    list.set(idIn(element, name), () => parse(element, name));
  }
  return list;
}

function idIn(value: unknown, name: string): number {
  checkShape(identifiedShape, value, name);
  return (value as { readonly id: number }).id;
}

type ReceivedSoftware = Omit<SoftwareFields, 'globalPluginId'> & { readonly globalPlugin?: unknown };

/** Parses an element of the software list. @throws AppError `invalid`. */
export function parseSoftware(element: unknown, name: string): SoftwareFields {
  checkShape(softwareShape, element, name);
  const software = element as ReceivedSoftware;
  return {
    id: software.id,
    name: software.name,
    url: software.url,
    globalPluginId: parseGlobalPlugin(software.globalPlugin, `${name}.globalPlugin`),
  };
}

/**
 * Parses a global plugin: an object with an id, a number, or a number as a string. `""`, 0, null and a
 * missing member mean none.
 */
function parseGlobalPlugin(value: unknown, name: string): number | null {
  if (isJsonObject(value)) return idIn(value, name);
  const text = String(value ?? '');
  if (/^0*$/.test(text)) return null;
  if (/^\d+$/.test(text) && Number(text) <= maxId) return Number(text);
  throw new AppError(
    'invalid',
    `${name} must be an object with an id, an id or null, got ${quoteValue(value)}`,
  );
}
