/** All software, with the number of its plugins and of the servers that its global plugin counts. */
import type { Directories } from '../../directory/directories.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';
import { parseQuery } from '../query.ts';

const path = '/api/v2/software';

/** The endpoint. */
export function softwareNowEndpoint(directories: Directories): ApiEndpoint {
  return {
    path,
    operationId: 'listSoftwareNow',
    summary: 'All software with its plugins and servers',
    description:
      'By ascending id. `plugins` counts all of them, global ones included; `servers` is the latest point of the chart `servers` of the global plugin.',
    schema: 'SoftwareNowList',
    problems: ['malformed-query'],
    ask: (request) => {
      parseQuery(request.searchParams, {});
      return {
        key: path,
        mediaType: jsonMediaType,
        source: 'data',
        size: 'small',
        parts: (reader) =>
          reader.snapshot(async function* (view) {
            const allSoftware = await view.listSoftware();
            const directory = await directories.load(view);
            const { catalogue } = directory;
            const list = allSoftware.map(({ id, name, url, globalPlugin }) => {
              const position = globalPlugin === null ? undefined : catalogue.positionOf(globalPlugin.id);
              const servers = position === undefined ? undefined : directory.latest('servers', position);
              const plugins = catalogue.countPlugins(id);
              return { id, name, url, globalPlugin, plugins, servers: servers ?? null };
            });
            yield JSON.stringify(list);
          }),
      };
    },
  };
}
