/** Endpoint 5: the data of one chart. */

import type { Endpoint } from '../../http/endpoint.ts';
import { AppError } from '../../model/app-error.ts';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { renderPointSlices, renderPoints } from '../../series/points-json.ts';
import { defaultMaxElements, parseMaxElements, parsePluginId } from '../parameters.ts';

/** Up to here an answer is made in one go: that takes less than a millisecond. */
const maxLightElements = 10_000;

export const chartData: Endpoint = {
  path: '/api/v1/plugins/{pluginId}/charts/{chartId}/data',
  operationId: 'readChartData',
  summary: 'The data of one chart',
  description:
    'The shape depends on the type of the chart. Of a line: the latest `maxElements` points as [timestamp, value], ' +
    'timestamps in Unix milliseconds and ascending.',
  takesMaxElements: true,
  schema: 'ChartData',
  problems: ['malformed-plugin-id', 'malformed-max-elements', 'unknown-plugin', 'unknown-chart'],
  ask: (request) => {
    const pluginId = parsePluginId(request.pluginId);
    const { chartId } = request;
    const maxElements = parseMaxElements(request.query);
    const path = `/api/v1/plugins/${pluginId}/charts/${encodeURIComponent(chartId)}/data`;
    const asked = maxElements instanceof AppError ? request.query : `maxElements=${maxElements}`;
    return {
      key: maxElements === defaultMaxElements ? path : `${path}?${asked}`,
      isHeavy: typeof maxElements === 'number' && maxElements > maxLightElements,
      read: async (reader) => {
        if (maxElements instanceof AppError) await refuseForLines(reader, { pluginId, chartId, maxElements });
        const latestCount = maxElements instanceof AppError ? 0 : maxElements;
        const data = await reader.readChartData(pluginId, chartId, latestCount);
        if (data.storage === 'snapshot') return { whole: () => data.json };
        const { points } = data;
        return { whole: () => renderPoints(points), slices: () => renderPointSlices(points) };
      },
    };
  },
};

/** Other charts ignore `maxElements`, whatever it says. */
async function refuseForLines(
  reader: MetricsReader,
  asked: { readonly pluginId: number; readonly chartId: string; readonly maxElements: AppError },
): Promise<void> {
  const { type } = await reader.getChart(asked.pluginId, asked.chartId);
  if (storageOf(type) === 'series') throw asked.maxElements;
}
