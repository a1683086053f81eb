/** Endpoint 2: one plugin with its charts. */

import { parsePluginId } from '../../model/identifier.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';
import type { ApiOptions } from '../api-options.ts';
import { registryParts } from './chart-json.ts';

/** The endpoint. */
export function pluginEndpoint(options: ApiOptions): ApiEndpoint {
  return {
    path: '/api/v1/plugins/{pluginId}',
    operationId: 'getPlugin',
    summary: 'One plugin with its charts',
    description: 'The charts are in the order of their position, then of their id.',
    schema: 'PluginDetail',
    problems: ['malformed-plugin-id', 'unknown-plugin'],
    ask: (request) => {
      const pluginId = parsePluginId(request.params['pluginId']);
      return {
        key: `/api/v1/plugins/${pluginId}`,
        mediaType: jsonMediaType,
        source: 'catalogue',
        size: 'small',
        parts: (reader) =>
          reader.snapshot(async function* (view) {
            const { id, name, owner, software, isGlobal } = await view.getPlugin(pluginId);
            yield* registryParts(view.listCharts(pluginId), {
              ...options,
              before: `${JSON.stringify({ id, name, owner }).slice(0, -1)},"charts":`,
              after: options.hasLiveFields ? `,${JSON.stringify({ software, isGlobal }).slice(1)}` : '}',
            });
          }),
      };
    },
  };
}
