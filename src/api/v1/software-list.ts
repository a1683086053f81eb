/** Endpoint 6: all supported server software. */
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';

/** The endpoint. */
export const softwareList: ApiEndpoint = {
  path: '/api/v1/software',
  operationId: 'listSoftware',
  summary: 'All supported server software',
  description: 'By ascending id. `globalPlugin` is null for a software that has none.',
  schema: 'SoftwareList',
  problems: [],
  ask: () => ({
    key: '/api/v1/software',
    mediaType: jsonMediaType,
    source: 'catalogue',
    size: 'small',
    async *parts(reader) {
      yield JSON.stringify(await reader.listSoftware());
    },
  }),
};
