/** Parameters of a request, parsed. */
import { AppError, quote } from '../model/app-error.ts';
import { maxId } from '../model/identifier.ts';

/** How many points of a line an answer has when nobody says otherwise: one month (interface.md 4, rule 4). */
export const defaultMaxElements = 1440;

const digits = /^[0-9]+$/;

/** A plugin id. Throws `invalid` for anything but decimal digits up to 2^53-1. */
export function parsePluginId(text: string): number {
  const id = digits.test(text) ? Number(text) : Number.NaN;
  if (id <= maxId) return id;
  throw new AppError(
    'invalid',
    `the plugin id must be decimal digits, at most ${maxId}; got ${quote(text)}`,
    {
      kind: 'malformed-plugin-id',
    },
  );
}

/**
 * How many points a query asks for, at most 2^53-1: no line has more, and no larger number has digits of its own.
 * @returns the error instead where the value is malformed, because only a line chart minds.
 */
export function parseMaxElements(query: string): number | AppError {
  if (query === '') return defaultMaxElements;
  const given = new URLSearchParams(query).getAll('maxElements');
  const [text] = given;
  if (given.length > 1) return malformedMaxElements('was given more than once');
  if (text === undefined || text.trim() === '') return defaultMaxElements;
  if (!digits.test(text)) return malformedMaxElements(`got ${quote(text)}`);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function malformedMaxElements(found: string): AppError {
  return new AppError('invalid', `maxElements must be decimal digits, and be given once; ${found}`, {
    kind: 'malformed-max-elements',
  });
}
