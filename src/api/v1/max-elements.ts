/** The query parameter of the interface, parsed. */
import type { EndpointRequest } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';

/** How many points of a line chart a response has by default: one month (interface.md 4, rule 4). */
export const defaultMaxElements = 1440;

const digits = /^[0-9]+$/;

/**
 * How many points a query asks for, at most 2^53-1: no line chart has more, and no larger number has digits of its
 * own.
 * @returns the error where the value is malformed: only line charts refuse it, so the caller throws it.
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
