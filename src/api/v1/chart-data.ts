/** Endpoint 5: the data of one chart. */

import type { Part } from '../../http/endpoint.ts';
import { AppError } from '../../model/app-error.ts';
import { parseChartId } from '../../model/chart.ts';
import type { ReadChartData } from '../../model/chart-data.ts';
import { storageOf } from '../../model/data-shapes.ts';
import { parsePluginId } from '../../model/identifier.ts';
import type { MetricsReader, MetricsView } from '../../model/metrics-reader.ts';
import { LentRoom } from '../../series/lent-room.ts';
import { renderRuns } from '../../series/points-json.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';
import { defaultMaxElements, maxElementsParameter, parseMaxElements } from './max-elements.ts';

/** Limit on the points of a small response, which takes some tenths of a millisecond. */
const maxSmallElements = 2048;

/** A request for data. A malformed `maxElements` is kept as its error: only line charts refuse it. */
interface DataRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly maxElements: number | AppError;
}

/** The endpoint. */
export const chartData: ApiEndpoint = {
  path: '/api/v1/plugins/{pluginId}/charts/{chartId}/data',
  operationId: 'readChartData',
  summary: 'The data of one chart',
  description:
    'The shape depends on the type of the chart. Of a line chart: the latest `maxElements` points as [timestamp, value], ' +
    'timestamps in Unix milliseconds and ascending.',
  parameters: maxElementsParameter,
  schema: 'ChartData',
  problems: ['malformed-plugin-id', 'malformed-max-elements', 'unknown-plugin', 'unknown-chart'],
  ask: (request) => {
    const pluginId = parsePluginId(request.params['pluginId']);
    const chartId = parseChartId(request.params['chartId']);
    const maxElements = parseMaxElements(request);
    const path = `/api/v1/plugins/${pluginId}/charts/${chartId}/data`;
    const asked = { pluginId, chartId, maxElements };
    return {
      key: maxElements === defaultMaxElements ? path : `${path}?maxElements=${countOf(maxElements)}`,
      mediaType: jsonMediaType,
      source: 'data',
      size: countOf(maxElements) > maxSmallElements ? 'large' : 'small',
      parts: (reader) => renderData(reader, asked),
    };
  },
};

/** `NaN` for a malformed `maxElements`, which all charts but line charts ignore. */
function countOf(maxElements: number | AppError): number {
  return typeof maxElements === 'number' ? maxElements : Number.NaN;
}

function renderData(reader: MetricsReader, asked: DataRequest): Iterable<Part> | AsyncIterable<Part> {
  const { pluginId, chartId, maxElements } = asked;
  if (maxElements instanceof AppError)
    return reader.snapshot((view) => renderSnapshot(view, { pluginId, chartId }, maxElements));
  if (maxElements > maxSmallElements) return renderLarge(reader, { pluginId, chartId, maxElements });
  const data = reader.readChartData(pluginId, chartId, maxElements);
  return data instanceof Promise ? renderLater(data) : render(data);
}

async function* renderLarge(
  reader: MetricsReader,
  { pluginId, chartId, maxElements }: DataRequest & { readonly maxElements: number },
): AsyncGenerator<Part> {
  using room = new LentRoom();
  yield* renderLater(reader.readChartData(pluginId, chartId, maxElements, room.make));
}

function render(data: ReadChartData): Iterable<Part> {
  return data.storage === 'snapshot' ? [data.json] : renderRuns(data.runs);
}

async function* renderLater(data: ReadChartData | Promise<ReadChartData>): AsyncGenerator<Part> {
  yield* render(await data);
}

/**
 * Renders the data of a chart that is not a line.
 * @throws `refusal` for a line.
 */
async function* renderSnapshot(
  view: MetricsView,
  { pluginId, chartId }: Pick<DataRequest, 'pluginId' | 'chartId'>,
  refusal: AppError,
): AsyncGenerator<Part> {
  const { type } = await view.getChart(pluginId, chartId);
  const data = storageOf(type) === 'series' ? undefined : await view.readChartData(pluginId, chartId, 0);
  if (data?.storage !== 'snapshot') throw refusal;
  yield data.json;
}
