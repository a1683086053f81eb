/** Endpoint 5: the data of one chart. */
import type { BodyPart } from '../../http/endpoint.ts';
import { parseChartId, parsePluginId } from '../../http/path-parameters.ts';
import { AppError } from '../../model/app-error.ts';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { noPoints } from '../../model/points.ts';
import { renderPoints, renderRuns } from '../../series/points-json.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';
import { defaultMaxElements, parseMaxElements } from '../parameters.ts';

/** Up to this many points a response is made in one go, in less than a millisecond. */
const maxSmallElements = 8000;

/** What is asked for. A malformed `maxElements` is kept as its error: only line charts refuse it. */
interface DataRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly maxElements: number | AppError;
}

export const chartData: ApiEndpoint = {
  path: '/api/v1/plugins/{pluginId}/charts/{chartId}/data',
  operationId: 'readChartData',
  summary: 'The data of one chart',
  description:
    'The shape depends on the type of the chart. Of a line chart: the latest `maxElements` points as [timestamp, value], ' +
    'timestamps in Unix milliseconds and ascending.',
  takesMaxElements: true,
  schema: 'ChartData',
  problems: ['malformed-plugin-id', 'malformed-max-elements', 'unknown-plugin', 'unknown-chart'],
  ask: (request) => {
    const pluginId = parsePluginId(request);
    const chartId = parseChartId(request);
    const maxElements = parseMaxElements(request);
    const path = `/api/v1/plugins/${pluginId}/charts/${chartId}/data`;
    const asked = { pluginId, chartId, maxElements };
    const about = {
      key: maxElements === defaultMaxElements ? path : `${path}?maxElements=${countOf(maxElements)}`,
      mediaType: jsonMediaType,
      source: 'data',
    } as const;
    return countOf(maxElements) > maxSmallElements
      ? { ...about, isLarge: true, readParts: (reader) => readParts(reader, asked) }
      : { ...about, isLarge: false, read: (reader) => readWhole(reader, asked) };
  },
};

/** `NaN` for a malformed `maxElements`, which all charts but line charts ignore. */
function countOf(maxElements: number | AppError): number {
  return typeof maxElements === 'number' ? maxElements : Number.NaN;
}

async function readWhole(reader: MetricsReader, asked: DataRequest): Promise<BodyPart> {
  const data = await readData(reader, asked);
  if (data.storage === 'snapshot') return data.json;
  const [points = noPoints] = data.runs;
  return renderPoints(points);
}

async function* readParts(reader: MetricsReader, asked: DataRequest): AsyncGenerator<BodyPart> {
  const data = await readData(reader, asked);
  if (data.storage === 'snapshot') yield data.json;
  else yield* renderRuns(data.runs);
}

async function readData(reader: MetricsReader, { pluginId, chartId, maxElements }: DataRequest) {
  if (!(maxElements instanceof AppError)) return reader.readChartData(pluginId, chartId, maxElements);
  const { type } = await reader.getChart(pluginId, chartId);
  if (storageOf(type) === 'series') throw maxElements;
  return reader.readChartData(pluginId, chartId, 0);
}
