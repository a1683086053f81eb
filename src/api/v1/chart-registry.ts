/** Endpoint 3: the charts of one plugin. */

import { parsePluginId } from '../../model/identifier.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';
import type { ApiOptions } from '../api-options.ts';
import { registryParts } from './chart-json.ts';

/** The endpoint. */
export function chartRegistryEndpoint(options: ApiOptions): ApiEndpoint {
  return {
    path: '/api/v1/plugins/{pluginId}/charts',
    operationId: 'listCharts',
    summary: 'The charts of one plugin',
    description: 'By chart id, in the order of their position, then of their id.',
    schema: 'ChartRegistry',
    problems: ['malformed-plugin-id', 'unknown-plugin'],
    ask: (request) => {
      const pluginId = parsePluginId(request.params['pluginId']);
      return {
        key: `/api/v1/plugins/${pluginId}/charts`,
        mediaType: jsonMediaType,
        source: 'catalogue',
        size: 'small',
        parts: (reader) =>
          reader.snapshot(async function* (view) {
            // Throws for an unknown plugin; one without charts is fine.
            await view.getPlugin(pluginId);
            yield* registryParts(view.listCharts(pluginId), { before: '', after: '', ...options });
          }),
      };
    },
  };
}
