/** Redirects from URLs without an id, which READMEs use, and from the short URL of a plugin. */

import { type Endpoint, type EndpointRequest, Redirect } from '../../http/endpoint.ts';
import { AppError, type ErrorKind, quote } from '../../model/app-error.ts';
import { parsePluginIds, type Software } from '../../model/catalogue.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { homePath, ownerPath, platformsPath, pluginPath, softwarePath, withQuery } from '../address/paths.ts';
import { parse } from '../state/fields.ts';
import { pageFields, pageParameters } from '../state/page-state.ts';
import { pageForm } from './page.ts';

type FindTarget = (view: MetricsView, params: EndpointRequest['params']) => Promise<Redirect> | Redirect;

/**
 * Finds the page for a URL. Names are compared ignoring case; if several plugins or owners match, the lowest
 * id counts.
 */
const redirects: Readonly<Record<string, FindTarget>> = {
  '/plugin/{softwareUrl}/{pluginName}': async (view, { softwareUrl = '', pluginName = '' }) => {
    const plugin = await view.findPluginNamed(softwareUrl.toLowerCase(), pluginName);
    if (plugin !== undefined) return new Redirect(pluginPath(plugin), 302);
    await getSoftware(view, softwareUrl);
    const message = `there is no plugin ${quote(pluginName)} for the software ${quote(softwareUrl)}`;
    throw notFound('unknown-plugin', message);
  },
  '/plugin/{pluginId}': async (view, { pluginId = '' }) => {
    const ids = parsePluginIds(pluginId);
    return new Redirect(platformsPath(await view.getPlugin(ids[0] ?? 0), ids));
  },
  '/global/{softwareUrl}': async (view, { softwareUrl = '' }) => {
    const software = await getSoftware(view, softwareUrl);
    const { globalPlugin, url } = software;
    if (globalPlugin !== null) return new Redirect(pluginPath({ ...globalPlugin, software }), 302);
    const message = `the software ${quote(softwareUrl)} has no global plugin`;
    throw notFound('unknown-plugin', message, `${softwarePath(url)} lists its plugins`);
  },
  '/author/{ownerName}': async (view, { ownerName = '' }) => {
    const ownerId = await view.findOwnerNamed(ownerName);
    if (ownerId === undefined) throw notFound('unknown-owner', `there is no owner ${quote(ownerName)}`);
    return new Redirect(ownerPath(ownerId), 302);
  },
  '/plugin-list': () => new Redirect(homePath, 302),
};

/** Endpoints of the redirects, which keep the state of the page. */
export const redirectEndpoints: readonly Endpoint[] = Object.entries(redirects).map(([path, find]) => ({
  path,
  ask: ({ params, searchParams }) => {
    const query = pageParameters(parse(pageFields, searchParams));
    return {
      ...pageForm,
      key: withQuery(path, { ...params, ...query }),
      source: 'catalogue',
      size: 'small',
      async *parts(reader) {
        const { location, status } = await reader.read(async (view) => find(view, params));
        yield new Redirect(withQuery(location, query), status);
      },
    };
  },
}));

async function getSoftware(view: MetricsView, softwareUrl: string): Promise<Software> {
  const software = (await view.listSoftware()).find(({ url }) => url === softwareUrl.toLowerCase());
  if (software !== undefined) return software;
  throw notFound('unknown-software', `there is no software ${quote(softwareUrl)}`);
}

function notFound(kind: ErrorKind, message: string, help = `${homePath} lists all plugins`): AppError {
  return new AppError(kind, message, { help });
}
