/** Endpoint 1: all registered plugins. */
import type { MetricsView } from '../../model/metrics-reader.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';

/** The endpoint. */
export const pluginList: ApiEndpoint = {
  path: '/api/v1/plugins',
  operationId: 'listPlugins',
  summary: 'All registered plugins',
  description: 'By ascending id.',
  schema: 'PluginList',
  problems: [],
  ask: () => ({
    key: '/api/v1/plugins',
    mediaType: jsonMediaType,
    source: 'catalogue',
    size: 'large',
    parts: renderList,
  }),
};

/** Renders `[{…},{…}]`, a batch of plugins in a part. */
async function* renderList(reader: MetricsView): AsyncGenerator<string> {
  let before = '[';
  for await (const plugins of reader.listPlugins()) {
    if (plugins.length === 0) continue;
    yield before + JSON.stringify(plugins).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
