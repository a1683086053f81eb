/** The route table of the interfaces, with their description beside them. */
import { Directories } from '../directory/directories.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { openapiPath } from '../http/problem.ts';
import { jsonMediaType } from './api-endpoint.ts';
import type { ApiOptions } from './api-options.ts';
import { listV1Endpoints } from './v1/routes.ts';
import { listV2Endpoints } from './v2/routes.ts';

/**
 * Lists the endpoints of the interfaces and of the OpenAPI document.
 * @param directories those of the site, if there is one: all plugins are then in memory once.
 */
export function listApiEndpoints(
  options: ApiOptions,
  directories: Directories = new Directories(),
): readonly Endpoint[] {
  return [...listV1Endpoints(options), ...listV2Endpoints(directories), openapiEndpoint(options)];
}

/** The OpenAPI document. The schemas are loaded with the first request for it: nothing else needs them. */
function openapiEndpoint(options: ApiOptions): Endpoint {
  return {
    path: openapiPath,
    ask: () => ({
      key: openapiPath,
      mediaType: jsonMediaType,
      source: 'catalogue',
      size: 'small',
      async *parts(_reader) {
        yield (await import('./openapi.ts')).openapiJson(options);
      },
    }),
  };
}
