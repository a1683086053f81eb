/** Parameters of a request, parsed. */
import type { EndpointRequest } from '../http/endpoint.ts';
import { AppError, quote } from '../model/app-error.ts';
import { isChartId } from '../model/chart.ts';
import { maxId } from '../model/identifier.ts';

/** How many points of a line chart a response has by default: one month (interface.md 4, rule 4). */
export const defaultMaxElements = 1440;

const digits = /^[0-9]+$/;

/** The plugin that a path names. Throws `invalid` for anything but decimal digits up to 2^53-1. */
export function parsePluginId({ params }: EndpointRequest): number {
  const text = params['pluginId'] ?? '';
  const id = digits.test(text) ? Number(text) : Number.NaN;
  if (id <= maxId) return id;
  const message = `the plugin id must be decimal digits, at most ${maxId}; got ${quote(text)}`;
  throw new AppError('invalid', message, { kind: 'malformed-plugin-id' });
}

/** The chart that a path names. Throws `not_found` for an id that no chart can have (CONTRACT 2). */
export function parseChartId({ params }: EndpointRequest): string {
  const text = params['chartId'] ?? '';
  if (isChartId(text)) return text;
  throw new AppError('not_found', `no plugin has a chart ${quote(text)}`, { kind: 'unknown-chart' });
}

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
