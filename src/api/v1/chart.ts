/** Endpoint 4: the definition of one chart. */

import { parseChartId } from '../../model/chart.ts';
import { parsePluginId } from '../../model/identifier.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';
import type { ApiOptions } from '../api-options.ts';
import { chartJson } from './chart-json.ts';

/** The endpoint. */
export function chartEndpoint(options: ApiOptions): ApiEndpoint {
  return {
    path: '/api/v1/plugins/{pluginId}/charts/{chartId}',
    operationId: 'getChart',
    summary: 'The definition of one chart',
    description: '`data` holds the settings of the chart as they were stored.',
    schema: 'Chart',
    problems: ['malformed-plugin-id', 'unknown-plugin', 'unknown-chart'],
    ask: (request) => {
      const pluginId = parsePluginId(request.params['pluginId']);
      const chartId = parseChartId(request.params['chartId']);
      return {
        key: `/api/v1/plugins/${pluginId}/charts/${chartId}`,
        mediaType: jsonMediaType,
        source: 'catalogue',
        size: 'small',
        async *parts(reader) {
          yield chartJson(await reader.getChart(pluginId, chartId), options);
        },
      };
    },
  };
}
