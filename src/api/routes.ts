/** The route table: the six endpoints of interface.md, section 4, in its order, and their description beside them. */
import type { Endpoint } from '../http/endpoint.ts';
import { openapiPath } from '../http/problem.ts';
import { type ApiEndpoint, jsonMediaType } from './api-endpoint.ts';
import type { ApiOptions } from './api-options.ts';
import { chartEndpoint } from './endpoints/chart.ts';
import { chartData } from './endpoints/chart-data.ts';
import { chartRegistryEndpoint } from './endpoints/chart-registry.ts';
import { pluginEndpoint } from './endpoints/plugin.ts';
import { pluginList } from './endpoints/plugin-list.ts';
import { softwareList } from './endpoints/software-list.ts';

/** The interface. */
export function apiEndpointsFor(options: ApiOptions): readonly ApiEndpoint[] {
  return [
    pluginList,
    pluginEndpoint(options),
    chartRegistryEndpoint(options),
    chartEndpoint(options),
    chartData,
    softwareList,
  ];
}

/** Everything that `serve` serves. */
export function endpointsFor(options: ApiOptions): readonly Endpoint[] {
  return [...apiEndpointsFor(options), openapiEndpoint(options)];
}

/** The OpenAPI document. The schemas are loaded with the first request for it: nothing else needs them. */
function openapiEndpoint(options: ApiOptions): Endpoint {
  return {
    path: openapiPath,
    ask: () => ({
      key: openapiPath,
      mediaType: jsonMediaType,
      source: 'catalogue',
      workClass: 'small',
      async *parts(_reader, turns) {
        yield (await turns.wait(import('./openapi.ts'))).openapiJson(options);
      },
    }),
  };
}
