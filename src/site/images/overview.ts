/**
 * `/embed/{pluginId}.svg` and `.png`: servers and players of a plugin; `/signatures/{softwareUrl}/{pluginName}.svg`: the same at the path that
 * READMEs use on the original's server.
 */

import { drawOverview } from '../../draw/line/overview.ts';
import type { Body, Endpoint } from '../../http/endpoint.ts';
import type { Query } from '../../http/query-parameter.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { formOf } from '../../model/chart-types.ts';
import { parsePluginId } from '../../model/identifier.ts';
import type { MetricsReader, MetricsView } from '../../model/metrics-reader.ts';
import type { PluginChart } from '../../model/plugin.ts';
import type { Period } from '../../model/window.ts';
import { splitFileName } from '../address/file-name.ts';
import { findChart } from '../charts/load-chart.ts';
import { loadEvents } from '../charts/load-events.ts';
import { loadLines } from '../charts/load-lines.ts';
import { overviewFields, type PictureExtension } from '../state/pictures.ts';
import { type DrawnLook, pictureBody, pictureExtensions } from './picture.ts';
import type { PngMaker } from './png-maker.ts';

/** The picture of a plugin by its id. */
export function overviewImage(pngs: PngMaker): Endpoint {
  return {
    path: '/embed/{file}',
    ask: (request) => {
      const { stem, extension } = splitFileName(request, pictureExtensions);
      const pluginId = parsePluginId(stem);
      const wanted = { path: `/embed/${pluginId}`, extension, query: request.searchParams };
      return overviewBody({ ...wanted, findPlugin: async () => pluginId }, pngs);
    },
  };
}

/** The picture of a plugin by its name. Names are compared without regard to case; a plus sign may stand for a space. */
export function signatureImage(pngs: PngMaker): Endpoint {
  return {
    path: '/signatures/{softwareUrl}/{file}',
    ask: (request) => {
      const { stem: name, extension } = splitFileName(request, ['svg']);
      const softwareUrl = (request.params['softwareUrl'] ?? '').toLowerCase();
      const names = [softwareUrl, name.toLowerCase()].map((one) => encodeURIComponent(one.toWellFormed()));
      const wanted = { path: `/signatures/${names.join('/')}`, extension, query: request.searchParams };
      const findPlugin = async (view: MetricsView) => {
        const plugin = await view.findPluginNamed(softwareUrl, name);
        if (plugin !== undefined) return plugin.id;
        const message = `there is no plugin ${quote(name)} for the software ${quote(softwareUrl)}`;
        throw new AppError('not_found', message, { kind: 'unknown-plugin' });
      };
      return overviewBody({ ...wanted, findPlugin }, pngs);
    },
  };
}

interface OverviewRequest {
  readonly path: string;
  readonly extension: PictureExtension;
  readonly query: Query;
  /** Finds the id of the plugin; rejects with `not_found`. */
  readonly findPlugin: (view: MetricsView) => Promise<number>;
}

function overviewBody({ findPlugin, ...wanted }: OverviewRequest, pngs: PngMaker): Body {
  return pictureBody(
    {
      ...wanted,
      fields: overviewFields,
      draw: (reader, picture) => drawOverviewImage(reader, { findPlugin, ...picture }),
    },
    pngs,
  );
}

async function drawOverviewImage(
  reader: MetricsReader,
  {
    findPlugin,
    window: range,
    options,
    ...picture
  }: Pick<OverviewRequest, 'findPlugin'> & DrawnLook & { readonly window: Period },
): Promise<string> {
  const { name, ids, loaded, events } = await reader.read(async (view) => {
    const pluginId = await findPlugin(view);
    const { name } = await view.getPlugin(pluginId);
    const charts = await findLines(view, pluginId);
    const loaded = await loadLines(view, charts, { range, ...picture });
    const ids = charts.map(({ chartId }) => chartId);
    if (!charts.some(({ hasEvents }) => hasEvents)) return { name, ids, loaded };
    return {
      name,
      ids,
      loaded,
      events: await loadEvents(view, { pluginId, width: picture.width, ...loaded }),
    };
  });
  const { shapes } = loaded;
  const overview = {
    title: name,
    servers: shapes[ids.indexOf('servers')],
    players: shapes[ids.indexOf('players')],
    range,
    events,
  };
  return drawOverview(overview, options);
}

/** Finds the two charts of an overview, if they are there and lines. */
async function findLines(view: MetricsView, pluginId: number): Promise<readonly PluginChart[]> {
  const charts = [await findChart(view, pluginId, 'servers'), await findChart(view, pluginId, 'players')];
  return charts.filter((chart) => chart !== undefined).filter(({ type }) => formOf(type) === 'line');
}
