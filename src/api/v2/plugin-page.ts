/** A page of plugins with their latest numbers of servers and players: searched, filtered, sorted. */
import type { Directories } from '../../directory/directories.ts';
import { findPluginPage, type PluginPage, type PluginPageRequest } from '../../directory/plugin-page.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';
import { parsePluginPageQuery, pluginPageParameters, renderCursor } from './plugin-page-query.ts';

const path = '/api/v2/plugins';

/** The endpoint. */
export function pluginListEndpoint(directories: Directories): ApiEndpoint {
  return {
    path,
    operationId: 'listPluginPage',
    summary: 'A page of plugins with their latest numbers',
    description:
      'Plugins that match, sorted. `next` is the cursor of the next page, to be given as `after` with the same parameters; null on the ' +
      'last page. Plugins without a value come last in both orders, equal ones by ascending id.',
    parameters: pluginPageParameters,
    schema: 'PluginPage',
    problems: ['malformed-query'],
    ask: (request) => {
      const page = parsePluginPageQuery(request.searchParams);
      return {
        key: `${path}?${JSON.stringify(page)}`,
        mediaType: jsonMediaType,
        source: 'data',
        size: 'small',
        parts: (reader) =>
          reader.snapshot(async function* (view) {
            const directory = await directories.load(view);
            yield renderPluginPage(await findPluginPage(directory, page), page);
          }),
      };
    },
  };
}

function renderPluginPage({ total, rows, next }: PluginPage, { sort }: PluginPageRequest): string {
  const plugins = rows.map(({ id, name, owner, software, isGlobal, servers, players }) => ({
    id,
    name,
    owner,
    software: { id: software.id, name: software.name, url: software.url },
    isGlobal,
    servers,
    players,
  }));
  return JSON.stringify({ total, next: next === undefined ? null : renderCursor(sort, next), plugins });
}
