/** The route table: the six endpoints of interface.md, section 4, in its order. */
import type { Endpoint } from './endpoint.ts';
import { chart } from './endpoints/chart.ts';
import { chartData } from './endpoints/chart-data.ts';
import { chartRegistry } from './endpoints/chart-registry.ts';
import { plugin } from './endpoints/plugin.ts';
import { pluginList } from './endpoints/plugin-list.ts';
import { softwareList } from './endpoints/software-list.ts';

export const endpoints: readonly Endpoint[] = [
  pluginList,
  plugin,
  chartRegistry,
  chart,
  chartData,
  softwareList,
];

/** The path of the OpenAPI document, which stands beside the interface. */
export const openapiPath = '/openapi.json';

/** Whether some method answers on this path, with or without one trailing slash. */
export function isKnownPath(path: string): boolean {
  return knownPaths.some((pattern) => pattern.test(path));
}

const knownPaths = [openapiPath, ...endpoints.map((endpoint) => endpoint.path)].map(
  (path) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
);
