/** Ids in paths, parsed. */
import { AppError, quote } from '../model/app-error.ts';
import { isChartId } from '../model/chart.ts';
import { maxId } from '../model/identifier.ts';
import type { EndpointRequest } from './endpoint.ts';

/** What a path says. */
type PathRequest = Pick<EndpointRequest, 'params'>;

const digits = /^[0-9]+$/;

/** The plugin that a path names. Throws `invalid` for anything but decimal digits up to 2^53-1. */
export function parsePluginId({ params }: PathRequest): number {
  const text = params['pluginId'] ?? '';
  const id = digits.test(text) ? Number(text) : Number.NaN;
  if (id <= maxId) return id;
  const message = `the plugin id must be decimal digits, at most ${maxId}; got ${quote(text)}`;
  throw new AppError('invalid', message, { kind: 'malformed-plugin-id' });
}

/** The chart that a path names. Throws `not_found` for an id that no chart can have (CONTRACT 2). */
export function parseChartId({ params }: PathRequest): string {
  const text = params['chartId'] ?? '';
  if (isChartId(text)) return text;
  throw new AppError('not_found', `no plugin has a chart ${quote(text)}`, { kind: 'unknown-chart' });
}
