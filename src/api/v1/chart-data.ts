/** Endpoint 5: the data of one chart. */
import type { EndpointRequest, Part } from '../../http/endpoint.ts';
import { refusal } from '../../http/problem.ts';
import { quote } from '../../model/app-error.ts';
import { parseChartId } from '../../model/chart.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { renderRuns } from '../../series/points-json.ts';
import { type ApiEndpoint, jsonMediaType, pluginIn, type QueryParameter } from '../api-endpoint.ts';

/** The number of points that a line chart has by default: one month (interface.md 4, rule 4). */
const defaultMaxElements = 1440;

/** Limit on the points of a small response, which takes some tenths of a millisecond. */
const maxSmallElements = 2048;

const path = '/api/v1/plugins/{pluginId}/charts/{chartId}/data';

const maxElementsParameter: QueryParameter<number> = {
  allowed: 'decimal digits, and be given once',
  // No line has more than 2^53-1.
  parse: (text) => (/^[0-9]+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined),
  description:
    'The number of points of a line chart, the latest ones; one month of half-hours unless given. Other chart types ignore it.',
  schema: { type: 'integer', minimum: 0, default: defaultMaxElements },
  fallback: defaultMaxElements,
};

/** The endpoint. Its view ends after one read: the runs of a line can be taken later. */
export const chartData: ApiEndpoint = {
  path,
  operationId: 'readChartData',
  summary: 'The data of one chart',
  description:
    'The shape depends on the type of the chart. A line has points as [timestamp, value], ascending, in Unix milliseconds.',
  parameters: { maxElements: maxElementsParameter },
  schema: 'ChartData',
  problems: ['malformed-max-elements'],
  ask: (request) => {
    const asked: DataRequest = {
      ...pluginIn(request),
      chartId: parseChartId(request.params['chartId']),
      maxElements: parseMaxElements(request),
    };
    return {
      key: path + JSON.stringify(asked),
      mediaType: jsonMediaType,
      source: 'data',
      size: typeof asked.maxElements === 'number' && asked.maxElements > maxSmallElements ? 'large' : 'small',
      parts: (reader) => renderData(reader, asked),
    };
  },
};

/** A request for data. A malformed `maxElements` is kept as the words that refuse it: only line charts do. */
interface DataRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly maxElements: number | string;
}

function parseMaxElements({ searchParams }: EndpointRequest): number | string {
  const given = searchParams['maxElements'] ?? '';
  if (typeof given === 'string') {
    if (given.trim() === '') return defaultMaxElements;
    const count = maxElementsParameter.parse(given);
    if (count !== undefined) return count;
  }
  const found = typeof given === 'string' ? `got ${quote(given)}` : 'was given more than once';
  return `maxElements must be ${maxElementsParameter.allowed}; ${found}`;
}

async function* renderData(
  reader: MetricsReader,
  { pluginId, chartId, maxElements }: DataRequest,
): AsyncGenerator<Part> {
  const isCount = typeof maxElements === 'number';
  const data = await reader.read((view) => view.readChartData(pluginId, chartId, isCount ? maxElements : 0));
  if (data.storage === 'snapshot') yield data.json;
  else if (isCount) for (const part of renderRuns(data.runs)) yield part;
  else throw refusal('malformed-max-elements', maxElements);
}
