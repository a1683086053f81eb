/** Endpoint 3: the charts of one plugin. */

import type { Endpoint } from '../../http/endpoint.ts';
import { registryJson } from '../chart-json.ts';
import { parsePluginId } from '../parameters.ts';

export const chartRegistry: Endpoint = {
  path: '/api/v1/plugins/{pluginId}/charts',
  operationId: 'listCharts',
  summary: 'The charts of one plugin',
  description: 'By chart id, in the order of their position, then of their id.',
  schema: 'ChartRegistry',
  problems: ['malformed-plugin-id', 'unknown-plugin'],
  ask: (request) => {
    const pluginId = parsePluginId(request.pluginId);
    return {
      key: `/api/v1/plugins/${pluginId}/charts`,
      read: async (reader) => {
        const { charts } = await reader.getPlugin(pluginId);
        return { whole: () => registryJson(charts) };
      },
    };
  },
};
