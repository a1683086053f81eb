/** The insights of a plugin. */
import { loadInsights } from '../../series/load-insights.ts';
import { apiEndpoint, parseQuery, pluginIn } from '../api-endpoint.ts';

/** Endpoint of the insights of a plugin. */
export const insights = apiEndpoint({
  path: '/api/v2/plugins/{pluginId}/insights',
  operationId: 'readInsights',
  summary: 'What the numbers of a plugin say',
  description:
    'How its servers and players have changed, its place among the plugins of its software, the shares of versions, and what its releases did. Means are ' +
    'those of whole UTC days, and null where fewer than four of seven days have points. Ratios have four decimals.',
  schema: 'Insights',
  source: 'data',
  size: 'large',
  parse: (request) => ({ ...parseQuery(request.searchParams, {}), ...pluginIn(request) }),
  load: async (view, { pluginId }) => [JSON.stringify(await loadInsights(view, pluginId))],
});
