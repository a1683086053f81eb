/** `/plugin/{softwareUrl}/{pluginName}/{pluginId}`: one plugin with its charts. The id decides. */

import { rangeNames } from '../../draw/range.ts';
import { type Endpoint, Redirect } from '../../http/endpoint.ts';
import { parsePluginId } from '../../http/path-parameters.ts';
import { loadOnce } from '../load-once.ts';
import { readOneState } from '../one-state.ts';
import { nameSegment, pluginPath } from '../paths.ts';
import { pageQuestion } from './page-question.ts';
import { queryText, readChoice } from './query.ts';

const loadPage = loadOnce(() => import('./plugin-page.ts'));

/** The page of a plugin. */
export const pluginEndpoint: Endpoint = {
  path: '/plugin/{softwareUrl}/{pluginName}/{pluginId}',
  ask: (request) => {
    const { origin } = request;
    const pluginId = parsePluginId(request);
    const { softwareUrl = '', pluginName = '' } = request.params;
    const range = readChoice(request, 'range', { words: rangeNames, fallback: '30d' });
    const query = queryText(request);
    const place = `/plugin/${encodeURIComponent(softwareUrl)}/${encodeURIComponent(pluginName)}/${pluginId}`;
    return {
      ...pageQuestion(place + query, origin),
      read: async (reader) => {
        const { pluginPage, readPlugin } = await loadPage();
        const reading = await readOneState(reader, () => readPlugin(reader, pluginId));
        const { plugin } = reading;
        if (plugin.software.url !== softwareUrl || nameSegment(plugin.name) !== pluginName)
          return new Redirect(pluginPath(plugin) + query);
        return pluginPage(reading, { range, origin });
      },
    };
  },
};

/** The short form, which leads to the page. */
export const shortPluginEndpoint: Endpoint = {
  path: '/plugin/{pluginId}',
  ask: (request) => {
    const pluginId = parsePluginId(request);
    const query = queryText(request);
    return {
      ...pageQuestion(`/plugin/${pluginId}${query}`, request.origin),
      read: async (reader) => new Redirect(pluginPath(await reader.getPlugin(pluginId)) + query),
    };
  },
};
