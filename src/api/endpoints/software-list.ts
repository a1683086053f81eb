/** Endpoint 6: all supported server software. */
import type { Endpoint } from '../../http/endpoint.ts';

export const softwareList: Endpoint = {
  path: '/api/v1/software',
  operationId: 'listSoftware',
  summary: 'All supported server software',
  description: 'By ascending id. `globalPlugin` is null for a software that has none.',
  schema: 'SoftwareList',
  problems: [],
  ask: () => ({
    key: '/api/v1/software',
    read: async (reader) => {
      const software = await reader.listSoftware();
      return { whole: () => JSON.stringify(software) };
    },
  }),
};
