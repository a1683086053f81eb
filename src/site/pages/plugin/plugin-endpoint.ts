/** `/plugin/{softwareUrl}/{pluginName}/{pluginId}`: one plugin with its charts. The id identifies it. */

import { type Endpoint, Redirect } from '../../../http/endpoint.ts';
import { parsePluginId } from '../../../model/identifier.ts';
import { nameSegment, pluginPath } from '../../address/paths.ts';
import { parse } from '../../state/fields.ts';
import { pageAddress, pageFields } from '../../state/page-state.ts';
import { pageQuestion } from '../page-question.ts';
import { loadPluginPage, renderPluginPage } from './plugin-page.ts';

/** The page of a plugin. */
export const pluginPageEndpoint: Endpoint = {
  path: '/plugin/{softwareUrl}/{pluginName}/{pluginId}',
  ask: (request) => {
    const { origin } = request;
    const pluginId = parsePluginId(request.params['pluginId']);
    const { softwareUrl = '', pluginName = '' } = request.params;
    const state = parse(pageFields, request.searchParams);
    const place = `/plugin/${encodeURIComponent(softwareUrl)}/${encodeURIComponent(pluginName)}/${pluginId}`;
    return {
      ...pageQuestion(pageAddress(place, state), origin),
      async *parts(reader) {
        const content = await reader.read((view) => loadPluginPage(view, pluginId));
        const { plugin } = content;
        const isHere = plugin.software.url === softwareUrl && nameSegment(plugin.name) === pluginName;
        yield isHere
          ? await renderPluginPage(content, { state, origin })
          : new Redirect(pageAddress(pluginPath(plugin), state));
      },
    };
  },
};

/** The short address, which redirects to the page. */
export const shortPluginPageEndpoint: Endpoint = {
  path: '/plugin/{pluginId}',
  ask: (request) => {
    const pluginId = parsePluginId(request.params['pluginId']);
    const state = parse(pageFields, request.searchParams);
    return {
      ...pageQuestion(pageAddress(`/plugin/${pluginId}`, state), request.origin),
      size: 'small',
      async *parts(reader) {
        const plugin = await reader.read((view) => view.getPlugin(pluginId));
        yield new Redirect(pageAddress(pluginPath(plugin), state));
      },
    };
  },
};
