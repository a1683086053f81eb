/** `/plugin/{softwareUrl}/{pluginName}/{pluginId}`: one plugin with its charts. The id identifies it. */

import type { Directories } from '../../../directory/directories.ts';
import { type Range, rangeNames } from '../../../draw/range.ts';
import { type Endpoint, type EndpointRequest, Redirect } from '../../../http/endpoint.ts';
import { parseChoice } from '../../../http/query-parameter.ts';
import { parsePluginId } from '../../../model/identifier.ts';
import { nameSegment, pluginPath, withQuery } from '../../address/paths.ts';
import { loadOnce } from '../../load-once.ts';
import { inSnapshot } from '../../snapshot.ts';
import { pageQuestion } from '../page-question.ts';

const loadPage = loadOnce(() => import('./plugin-page.ts'));

/** The page of a plugin. */
export function pluginPageEndpoint(directories: Directories): Endpoint {
  return {
    path: '/plugin/{softwareUrl}/{pluginName}/{pluginId}',
    ask: (request) => {
      const { origin } = request;
      const pluginId = parsePluginId(request.params['pluginId']);
      const { softwareUrl = '', pluginName = '' } = request.params;
      const range = parseRange(request);
      const place = `/plugin/${encodeURIComponent(softwareUrl)}/${encodeURIComponent(pluginName)}/${pluginId}`;
      return {
        ...pageQuestion(addressIn(range, place), origin),
        async *parts(reader, turns) {
          const { renderPluginPage, loadPluginPage } = await loadPage();
          const content = await inSnapshot(reader, (view) =>
            loadPluginPage(view, pluginId, { directories, turns }),
          );
          const { plugin } = content;
          const isHere = plugin.software.url === softwareUrl && nameSegment(plugin.name) === pluginName;
          yield isHere
            ? await renderPluginPage(content, { range, origin })
            : new Redirect(addressIn(range, pluginPath(plugin)));
        },
      };
    },
  };
}

/** The short address, which redirects to the page. */
export const shortPluginPageEndpoint: Endpoint = {
  path: '/plugin/{pluginId}',
  ask: (request) => {
    const pluginId = parsePluginId(request.params['pluginId']);
    const range = parseRange(request);
    return {
      ...pageQuestion(addressIn(range, `/plugin/${pluginId}`), request.origin),
      workClass: 'small',
      async *parts(reader) {
        yield new Redirect(addressIn(range, pluginPath(await reader.getPlugin(pluginId))));
      },
    };
  },
};

function parseRange(request: EndpointRequest): Range {
  return parseChoice(request.searchParams, 'range', { words: rangeNames, fallback: '30d' });
}

function addressIn(range: Range, path: string): string {
  return withQuery(path, { range: range === '30d' ? undefined : range });
}
