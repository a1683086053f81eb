/** Loads and draws servers and players of a plugin. */

import { drawOverview } from '../../draw/line/overview.ts';
import { formOf } from '../../model/chart-types.ts';
import type { MetricsReader, MetricsView } from '../../model/metrics-reader.ts';
import type { PluginChart } from '../../model/plugin.ts';
import { shapesOf } from '../charts/line-shapes.ts';
import { findChart } from '../charts/load-chart.ts';
import { loadEvents } from '../charts/load-events.ts';
import { cutWords } from '../charts/load-line.ts';
import { loadLines } from '../charts/load-lines.ts';
import { takeSteps } from '../charts/steps.ts';
import { pictureOptions } from './draw-chart-image.ts';
import type { ImageParameters } from './image-question.ts';

/** A plugin as a picture. */
interface OverviewImageRequest {
  /** Finds the id of the plugin; rejects with `not_found`. */
  readonly findPlugin: (view: MetricsView) => Promise<number>;
  readonly picture: ImageParameters;
}

/** Loads the lines and draws the overview; rejects as the reader does. */
export async function drawOverviewImage(
  reader: MetricsReader,
  { findPlugin, picture }: OverviewImageRequest,
): Promise<string> {
  const { name, ids, loaded, events } = await reader.read(async (view) => {
    const pluginId = await findPlugin(view);
    const { name } = await view.getPlugin(pluginId);
    const charts = await findLines(view, pluginId);
    const lines = charts.map(({ chartId, uid }) => ({ pluginId, chartId, uid }));
    const loaded = await loadLines(view, lines, { range: picture.range, pictures: [picture] });
    const ids = charts.map(({ chartId }) => chartId);
    if (!charts.some(({ hasEvents }) => hasEvents)) return { name, ids, loaded };
    return {
      name,
      ids,
      loaded,
      events: await loadEvents(view, { pluginId, width: picture.width, ...loaded }),
    };
  });
  const shapes = (await takeSteps(shapesOf(loaded, [picture]))).flat();
  const overview = {
    title: name + cutWords(loaded.lines),
    servers: shapes[ids.indexOf('servers')],
    players: shapes[ids.indexOf('players')],
    range: picture.range,
    events,
  };
  return drawOverview(overview, pictureOptions(picture));
}

/** Finds the two charts of an overview, if they are there and lines. */
async function findLines(view: MetricsView, pluginId: number): Promise<readonly PluginChart[]> {
  const charts = [await findChart(view, pluginId, 'servers'), await findChart(view, pluginId, 'players')];
  return charts.filter((chart) => chart !== undefined).filter(({ type }) => formOf(type) === 'line');
}
