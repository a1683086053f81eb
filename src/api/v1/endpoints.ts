/** Endpoints of interface.md, section 4, in its order: plugins, their charts and data, software. */
import type { EndpointRequest } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { type Chart, parseChartId } from '../../model/catalogue.ts';
import { renderRuns } from '../../series/points-json.ts';
import {
  type ApiEndpoint,
  type ApiOptions,
  apiEndpoint,
  pluginIn,
  type QueryParameter,
  renderBatches,
} from '../api-endpoint.ts';

/** Default number of points of a line chart: one month (interface.md 4, rule 4). */
const defaultMaxElements = 1440;

/** Maximum number of points in a small response, which takes some tenths of a millisecond to render. */
const maxSmallElements = 2048;

const maxElementsParameter: QueryParameter<number> = {
  allowed: 'decimal digits, and be given once',
  // No line has more than 2^53-1 points.
  parse: (text) => (/^[0-9]+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined),
  description:
    'The number of latest points of a line chart; by default one month of half hours. Other chart types ignore it.',
  schema: { type: 'integer', minimum: 0, default: defaultMaxElements },
  fallback: defaultMaxElements,
};

/** Lists the endpoints. */
export function listV1Endpoints({ hasLiveFields }: ApiOptions): readonly ApiEndpoint[] {
  const path = '/api/v1/plugins';
  const catalogue = { source: 'catalogue', size: 'small' } as const;

  /** Renders a chart (interface.md 2.5). Settings are stored as JSON text and inserted unchanged. */
  const chartJson = ({ chartId, uid, type, position, title, isDefault, data }: Chart) => {
    const text = `${JSON.stringify({ uid, type, position, title, isDefault }).slice(0, -1)},"data":${data}`;
    return hasLiveFields ? `${text},"idCustom":${JSON.stringify(chartId)}}` : `${text}}`;
  };
  /**
   * Renders a member of a chart registry (interface.md 2.3b). A JavaScript object would move integer-like
   * keys to the front, so this is text.
   */
  const registryEntry = (chart: Chart) => `${JSON.stringify(chart.chartId)}:${chartJson(chart)}`;

  return [
    apiEndpoint({
      path,
      operationId: 'listPlugins',
      summary: 'All registered plugins',
      description: 'By ascending id.',
      schema: 'PluginList',
      source: 'catalogue',
      size: 'large',
      parse: () => ({}),
      render: (view) =>
        renderBatches(view.listPlugins(), {
          before: '[',
          render: (plugin) => JSON.stringify(plugin),
          after: ']',
        }),
    }),
    apiEndpoint({
      ...catalogue,
      path: `${path}/{pluginId}`,
      operationId: 'getPlugin',
      summary: 'One plugin with its charts',
      description: 'Charts are ordered by position, then by id.',
      schema: 'PluginDetail',
      parse: pluginIn,
      async *render(view, { pluginId }) {
        const { id, name, owner, software, isGlobal } = await view.getPlugin(pluginId);
        yield* renderBatches(view.listCharts(pluginId), {
          before: `${JSON.stringify({ id, name, owner }).slice(0, -1)},"charts":{`,
          render: registryEntry,
          after: hasLiveFields ? `},${JSON.stringify({ software, isGlobal }).slice(1)}` : '}}',
        });
      },
    }),
    apiEndpoint({
      ...catalogue,
      path: `${path}/{pluginId}/charts`,
      operationId: 'listCharts',
      summary: 'The charts of one plugin',
      description: 'Ordered by position, then by id.',
      schema: 'ChartRegistry',
      parse: pluginIn,
      async *render(view, { pluginId }) {
        // Throws if the plugin is unknown; a plugin without charts is fine.
        await view.getPlugin(pluginId);
        yield* renderBatches(view.listCharts(pluginId), { before: '{', render: registryEntry, after: '}' });
      },
    }),
    apiEndpoint({
      ...catalogue,
      path: `${path}/{pluginId}/charts/{chartId}`,
      operationId: 'getChart',
      summary: 'The definition of one chart',
      schema: 'Chart',
      parse: chartIn,
      load: async (view, { pluginId, chartId }) => [chartJson(await view.getChart(pluginId, chartId))],
    }),
    apiEndpoint({
      path: `${path}/{pluginId}/charts/{chartId}/data`,
      operationId: 'readChartData',
      summary: 'The data of one chart',
      description:
        'The shape depends on the type of the chart. A line has points as [timestamp, value], ascending, in Unix milliseconds.',
      parameters: { maxElements: maxElementsParameter },
      schema: 'ChartData',
      problems: ['malformed-max-elements'],
      source: 'data',
      parse: (request) => ({ ...chartIn(request), maxElements: parseMaxElements(request) }),
      size: ({ maxElements }) =>
        typeof maxElements === 'number' && maxElements > maxSmallElements ? 'large' : 'small',
      load: async (view, { pluginId, chartId, maxElements }) => {
        const isCount = typeof maxElements === 'number';
        const data = await view.readChartData(pluginId, chartId, isCount ? maxElements : 0);
        if (data.storage === 'latest') return [data.json];
        if (isCount) return renderRuns(data.runs);
        throw new AppError('malformed-max-elements', maxElements);
      },
    }),
    apiEndpoint({
      ...catalogue,
      path: '/api/v1/software',
      operationId: 'listSoftware',
      summary: 'All supported server software',
      description: 'By ascending id. `globalPlugin` is null for a software that has none.',
      schema: 'SoftwareList',
      parse: () => ({}),
      load: async (view) => [JSON.stringify(await view.listSoftware())],
    }),
  ];
}

function chartIn(request: EndpointRequest) {
  const { pluginId } = pluginIn(request);
  return { pluginId, chartId: parseChartId(pluginId, request.params['chartId']) };
}

/**
 * Parses `maxElements`. Returns the error message for a malformed value, because only line charts refuse it.
 */
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
