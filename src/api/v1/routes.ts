/** The route table of the first interface: the six endpoints of interface.md, section 4, in its order. */
import type { ApiEndpoint } from '../api-endpoint.ts';
import type { ApiOptions } from '../api-options.ts';
import { chartEndpoint } from './chart.ts';
import { chartData } from './chart-data.ts';
import { chartRegistryEndpoint } from './chart-registry.ts';
import { pluginEndpoint } from './plugin.ts';
import { pluginList } from './plugin-list.ts';
import { softwareList } from './software-list.ts';

/** Lists the endpoints of `/api/v1`. */
export function listV1Endpoints(options: ApiOptions): readonly ApiEndpoint[] {
  return [
    pluginList,
    pluginEndpoint(options),
    chartRegistryEndpoint(options),
    chartEndpoint(options),
    chartData,
    softwareList,
  ];
}
