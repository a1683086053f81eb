/** `maxElements`, the query parameter of the interface. */
import type { EndpointRequest } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import type { QueryParameters } from '../query.ts';

/** The number of points that a line chart has by default: one month (interface.md 4, rule 4). */
export const defaultMaxElements = 1440;

/** The parameter, as the OpenAPI document describes it. */
export const maxElementsParameter: QueryParameters = {
  maxElements: {
    allowed: 'decimal digits',
    parse: (text) => text,
    description:
      'The number of points of a line chart, the latest ones; left out or blank means one month of half-hours. ' +
      'A number beyond the history means all; other chart types ignore it.',
    schema: { type: 'integer', minimum: 0, default: defaultMaxElements },
    fallback: defaultMaxElements,
  },
};

const digits = /^[0-9]+$/;

/**
 * Parses the number of points that a query asks for; above 2^53-1 it is 2^53-1, because no line has more.
 * @returns the error of a malformed value, because only line charts refuse it: the caller throws it.
 */
export function parseMaxElements({ searchParams }: EndpointRequest): number | AppError {
  const text = searchParams['maxElements'];
  if (text === undefined) return defaultMaxElements;
  if (typeof text !== 'string') return malformedMaxElements('was given more than once');
  if (text.trim() === '') return defaultMaxElements;
  if (!digits.test(text)) return malformedMaxElements(`got ${quote(text)}`);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function malformedMaxElements(found: string): AppError {
  return new AppError('invalid', `maxElements must be decimal digits, and be given once; ${found}`, {
    kind: 'malformed-max-elements',
  });
}
