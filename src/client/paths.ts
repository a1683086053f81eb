/** Paths of the interface (interface.md 4). */
import { PluginMetricsError } from './plugin-metrics-error.ts';

/** The path of an endpoint: `pathOf('plugins', 1337, 'charts')`. */
export function pathOf(...steps: ReadonlyArray<string | number>): string {
  const path = `/api/v1/${steps.map((step) => encodeURIComponent(step)).join('/')}`;
  // A URL drops such steps, and would lead to something else.
  if (steps.some((step) => /^\.{0,2}$/.test(`${step}`)))
    throw new PluginMetricsError('an id must not be empty, "." or ".."', { url: path });
  return path;
}
