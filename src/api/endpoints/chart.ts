/** Endpoint 4: the definition of one chart. */

import type { Endpoint } from '../../http/endpoint.ts';
import { chartJson } from '../chart-json.ts';
import { parsePluginId } from '../parameters.ts';

export const chart: Endpoint = {
  path: '/api/v1/plugins/{pluginId}/charts/{chartId}',
  operationId: 'getChart',
  summary: 'The definition of one chart',
  description: '`data` holds the settings of the chart as they were stored.',
  schema: 'Chart',
  problems: ['malformed-plugin-id', 'unknown-plugin', 'unknown-chart'],
  ask: (request) => {
    const pluginId = parsePluginId(request.pluginId);
    const { chartId } = request;
    return {
      key: `/api/v1/plugins/${pluginId}/charts/${encodeURIComponent(chartId)}`,
      read: async (reader) => {
        const found = await reader.getChart(pluginId, chartId);
        return { whole: () => chartJson(found) };
      },
    };
  },
};
