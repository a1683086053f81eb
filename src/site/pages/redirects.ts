/** Redirects from addresses without an id, which READMEs have, and from short addresses of pages and CSV files. */

import { type Body, type Endpoint, type EndpointRequest, Redirect } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { parseChartName } from '../../model/chart.ts';
import { parsePluginId } from '../../model/identifier.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { Software } from '../../model/software.ts';
import {
  csvPath,
  homePath,
  ownerPath,
  pluginPath,
  type QueryParameters,
  softwarePath,
  withQuery,
} from '../address/paths.ts';
import { parse, write } from '../state/fields.ts';
import { csvFields, pageFields, pageParameters } from '../state/page-state.ts';
import { pageForm } from './page.ts';

/** Endpoints of the redirects. Names ignore case; of several plugins or owners with one name, the lowest id is taken. */
export const redirectEndpoints: readonly Endpoint[] = [
  {
    path: '/plugin/{softwareUrl}/{pluginName}',
    ask: (request) => {
      const { softwareUrl = '', pluginName = '' } = request.params;
      const segments = ['plugin', softwareUrl, pluginName];
      // The short address of a CSV file: `/plugin/{pluginId}/{chartId}.csv`.
      const [, chartId] = /^(.+)\.csv$/s.exec(pluginName) ?? [];
      const chart = chartId === undefined ? undefined : parseChartName(`${softwareUrl}:${chartId}`);
      if (chart !== undefined) {
        const query = write(csvFields, parse(csvFields, request.searchParams));
        return redirectQuestion({ segments, query }, async (view) => {
          await view.getChart(chart.pluginId, chart.chartId);
          return new Redirect(csvPath(await view.getPlugin(chart.pluginId), chart.chartId));
        });
      }
      return redirectQuestion({ segments, query: pageQuery(request) }, async (view) => {
        const plugin = await view.findPluginNamed(softwareUrl.toLowerCase(), pluginName);
        if (plugin !== undefined) return new Redirect(pluginPath(plugin), 302);
        await getSoftware(view, softwareUrl);
        throw notFound(
          'unknown-plugin',
          `there is no plugin ${quote(pluginName)} for the software ${quote(softwareUrl)}`,
        );
      });
    },
  },
  {
    path: '/plugin/{pluginId}',
    ask: (request) => {
      const pluginId = parsePluginId(request.params['pluginId']);
      const query = pageQuery(request);
      return redirectQuestion({ segments: ['plugin', String(pluginId)], query }, async (view) => {
        return new Redirect(pluginPath(await view.getPlugin(pluginId)));
      });
    },
  },
  {
    path: '/global/{softwareUrl}',
    ask: (request) => {
      const { softwareUrl = '' } = request.params;
      const query = pageQuery(request);
      return redirectQuestion({ segments: ['global', softwareUrl], query }, async (view) => {
        const software = await getSoftware(view, softwareUrl);
        const { globalPlugin, url } = software;
        if (globalPlugin !== null) return new Redirect(pluginPath({ ...globalPlugin, software }), 302);
        const message = `the software ${quote(softwareUrl)} has no global plugin`;
        throw notFound('unknown-plugin', message, `${softwarePath(url)} lists its plugins`);
      });
    },
  },
  {
    path: '/author/{ownerName}',
    ask: ({ params: { ownerName = '' } }) =>
      redirectQuestion({ segments: ['author', ownerName] }, async (view) => {
        const ownerId = await view.findOwnerNamed(ownerName);
        if (ownerId === undefined) throw notFound('unknown-owner', `there is no owner ${quote(ownerName)}`);
        return new Redirect(ownerPath(ownerId), 302);
      }),
  },
  {
    path: '/plugin-list',
    ask: () => redirectQuestion({ segments: ['plugin-list'] }, async () => new Redirect(homePath, 302)),
  },
];

/** A request for a redirect: the decoded segments of its path, and the query that the new address keeps. */
interface Asked {
  readonly segments: readonly string[];
  readonly query?: QueryParameters;
}

function redirectQuestion(
  { segments, query = {} }: Asked,
  find: (view: MetricsView) => Promise<Redirect>,
): Body {
  const path = segments.map((segment) => `/${encodeURIComponent(segment.toWellFormed())}`).join('');
  return {
    key: withQuery(path, query),
    ...pageForm,
    source: 'catalogue',
    size: 'small',
    async *parts(reader) {
      const { location, status } = await reader.read((view) => find(view));
      yield new Redirect(withQuery(location, query), status);
    },
  };
}

/** The state of a page of a plugin, in its query. */
function pageQuery({ searchParams }: EndpointRequest): QueryParameters {
  return pageParameters(parse(pageFields, searchParams));
}

async function getSoftware(view: MetricsView, softwareUrl: string): Promise<Software> {
  const software = (await view.listSoftware()).find(({ url }) => url === softwareUrl.toLowerCase());
  if (software !== undefined) return software;
  throw notFound('unknown-software', `there is no software ${quote(softwareUrl)}`);
}

function notFound(kind: string, message: string, help = `${homePath} lists all plugins`): AppError {
  return new AppError('not_found', `${message}; ${help}`, { kind });
}
