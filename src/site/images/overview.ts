/**
 * `/embed/{pluginId}.svg` and `.png`: servers and players of a plugin.
 * `/signatures/{softwareUrl}/{pluginName}.svg`: the same picture, at the path that READMEs use for the
 * original server.
 */

import { lineShapeOf } from '../../draw/chart.ts';
import { eventMarks } from '../../draw/events.ts';
import { drawOverview } from '../../draw/line/line.ts';
import type { Endpoint, ResponseBody } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { type PluginChart, parsePluginId } from '../../model/catalogue.ts';
import { formOf } from '../../model/chart-types.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { Query } from '../../model/parameter.ts';
import { splitFileName } from '../address/file-name.ts';
import { homePath } from '../address/paths.ts';
import { findChart } from '../charts/load-chart.ts';
import { loadEvents, loadLinesIn } from '../charts/load-lines.ts';
import { type StoreSource, storeSource } from '../charts/store-source.ts';
import { overviewFields, type PictureExtension } from '../state/pictures.ts';
import { pictureBody, pictureExtensions } from './picture.ts';

/** Endpoint of the picture of a plugin by id. */
export const overviewImage: Endpoint = {
  path: '/embed/{file}',
  ask: (request) => {
    const { stem, extension } = splitFileName(request, pictureExtensions);
    const pluginId = parsePluginId(stem);
    const wanted = { path: `/embed/${pluginId}`, extension, query: request.searchParams };
    return overviewBody({ ...wanted, findPlugin: async () => pluginId });
  },
};

/**
 * Endpoint of the picture of a plugin by name. Names are compared ignoring case; a plus sign may stand for a
 * space.
 */
export const signatureImage: Endpoint = {
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
      const help = `${homePath} lists all plugins`;
      throw new AppError('unknown-plugin', message, { help });
    };
    return overviewBody({ ...wanted, findPlugin });
  },
};

interface OverviewRequest {
  readonly path: string;
  readonly extension: PictureExtension;
  readonly query: Query;
  /** Finds the plugin id; rejects with `not_found`. */
  readonly findPlugin: (view: MetricsView) => Promise<number>;
}

function overviewBody({ findPlugin, ...wanted }: OverviewRequest): ResponseBody {
  return pictureBody({
    ...wanted,
    fields: overviewFields,
    async draw(reader, { window: range, options, ...picture }) {
      const { title, charts, lines, events } = await reader.read(async (view) => {
        const pluginId = await findPlugin(view);
        const { name: title } = await view.getPlugin(pluginId);
        const source = storeSource(view);
        const charts = await findLines(source, pluginId);
        const names = charts.map(({ chartId }) => ({ pluginId, chartId }));
        const { lines, window } = await loadLinesIn(source, names, { range, ...picture });
        const hasEvents = charts.some((chart) => chart.hasEvents);
        const events = await loadEvents(view, { ...picture, window, pluginId, hasEvents });
        return { title, charts, lines, events };
      });
      const shapeFor = (id: string) => {
        const line = lines[charts.findIndex(({ chartId }) => chartId === id)];
        return line && lineShapeOf(line, options.width);
      };
      const [servers, players] = ['servers', 'players'].map(shapeFor);
      return drawOverview({ title, servers, players, range, marks: events && eventMarks(events) }, options);
    },
  });
}

/** Finds the two charts of an overview, if they exist and are lines. */
async function findLines(source: StoreSource, pluginId: number): Promise<readonly PluginChart[]> {
  const charts = [await findChart(source, pluginId, 'servers'), await findChart(source, pluginId, 'players')];
  return charts.filter((chart) => chart !== undefined).filter(({ type }) => formOf(type) === 'line');
}
