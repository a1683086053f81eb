/** The route table: the six endpoints of interface.md, section 4, in its order, and their description beside them. */
import type { Endpoint } from '../http/endpoint.ts';
import { openapiPath } from '../http/problem.ts';
import { type ApiEndpoint, jsonMediaType } from './api-endpoint.ts';
import { chart } from './endpoints/chart.ts';
import { chartData } from './endpoints/chart-data.ts';
import { chartRegistry } from './endpoints/chart-registry.ts';
import { plugin } from './endpoints/plugin.ts';
import { pluginList } from './endpoints/plugin-list.ts';
import { softwareList } from './endpoints/software-list.ts';

/** The interface. */
export const apiEndpoints: readonly ApiEndpoint[] = [
  pluginList,
  plugin,
  chartRegistry,
  chart,
  chartData,
  softwareList,
];

/** The OpenAPI document. The schemas are loaded with the first request for it: nothing else needs them. */
const openapi: Endpoint = {
  path: openapiPath,
  ask: () => ({
    key: openapiPath,
    mediaType: jsonMediaType,
    source: 'catalogue',
    isLarge: false,
    read: async () => (await import('./openapi.ts')).openapiJson(),
  }),
};

/** Everything that `serve` serves. */
export const endpoints: readonly Endpoint[] = [...apiEndpoints, openapi];
