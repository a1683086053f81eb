/** Endpoint 1: all registered plugins. */
import type { Endpoint } from '../../http/endpoint.ts';

export const pluginList: Endpoint = {
  path: '/api/v1/plugins',
  operationId: 'listPlugins',
  summary: 'All registered plugins',
  description: 'By ascending id.',
  schema: 'PluginList',
  problems: [],
  ask: () => ({
    key: '/api/v1/plugins',
    read: async (reader) => {
      const plugins = (await Array.fromAsync(reader.listPlugins())).flat();
      return { whole: () => JSON.stringify(plugins) };
    },
  }),
};
