/** The endpoints of interface.md, section 4, except for data: plugins, their charts, software. Stored settings go in as text. */
import { type Chart, parseChartId } from '../../model/chart.ts';
import { type ApiEndpoint, type ApiOptions, apiEndpoint, pluginIn, renderBatches } from '../api-endpoint.ts';

/** Endpoint 1: all registered plugins. */
export const pluginList = apiEndpoint({
  path: '/api/v1/plugins',
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
});

/** Endpoint 2: one plugin with its charts. */
export function pluginEndpoint(options: ApiOptions): ApiEndpoint {
  return apiEndpoint({
    path: '/api/v1/plugins/{pluginId}',
    operationId: 'getPlugin',
    summary: 'One plugin with its charts',
    description: 'Charts are ordered by position, then by id.',
    schema: 'PluginDetail',
    source: 'catalogue',
    size: 'small',
    parse: pluginIn,
    async *render(view, { pluginId }) {
      const { id, name, owner, software, isGlobal } = await view.getPlugin(pluginId);
      yield* renderBatches(view.listCharts(pluginId), {
        before: `${JSON.stringify({ id, name, owner }).slice(0, -1)},"charts":{`,
        render: (chart) => registryEntry(chart, options),
        after: options.hasLiveFields ? `},${JSON.stringify({ software, isGlobal }).slice(1)}` : '}}',
      });
    },
  });
}

/** Endpoint 3: the charts of one plugin. */
export function chartRegistryEndpoint(options: ApiOptions): ApiEndpoint {
  return apiEndpoint({
    path: '/api/v1/plugins/{pluginId}/charts',
    operationId: 'listCharts',
    summary: 'The charts of one plugin',
    description: 'Ordered by position, then by id.',
    schema: 'ChartRegistry',
    source: 'catalogue',
    size: 'small',
    parse: pluginIn,
    async *render(view, { pluginId }) {
      // Throws for an unknown plugin; one without charts is fine.
      await view.getPlugin(pluginId);
      yield* renderBatches(view.listCharts(pluginId), {
        before: '{',
        render: (chart) => registryEntry(chart, options),
        after: '}',
      });
    },
  });
}

/** Endpoint 4: the definition of one chart. */
export function chartEndpoint(options: ApiOptions): ApiEndpoint {
  return apiEndpoint({
    path: '/api/v1/plugins/{pluginId}/charts/{chartId}',
    operationId: 'getChart',
    summary: 'The definition of one chart',
    schema: 'Chart',
    source: 'catalogue',
    size: 'small',
    parse: (request) => ({ ...pluginIn(request), chartId: parseChartId(request.params['chartId']) }),
    async *render(view, { pluginId, chartId }) {
      yield chartJson(await view.getChart(pluginId, chartId), options);
    },
  });
}

/** Endpoint 6: all supported server software. */
export const softwareList = apiEndpoint({
  path: '/api/v1/software',
  operationId: 'listSoftware',
  summary: 'All supported server software',
  description: 'By ascending id. `globalPlugin` is null for a software that has none.',
  schema: 'SoftwareList',
  source: 'catalogue',
  size: 'small',
  parse: () => ({}),
  async *render(view) {
    yield JSON.stringify(await view.listSoftware());
  },
});

/** A member of a chart registry (interface.md 2.3b). As text, because a JavaScript object would put keys that look like integers first. */
function registryEntry(chart: Chart, options: ApiOptions): string {
  return `${JSON.stringify(chart.chartId)}:${chartJson(chart, options)}`;
}

/** A chart object (interface.md 2.5). */
function chartJson(chart: Chart, { hasLiveFields }: ApiOptions): string {
  const { chartId, uid, type, position, title, isDefault, data } = chart;
  const text = `${JSON.stringify({ uid, type, position, title, isDefault }).slice(0, -1)},"data":${data}`;
  return hasLiveFields ? `${text},"idCustom":${JSON.stringify(chartId)}}` : `${text}}`;
}
