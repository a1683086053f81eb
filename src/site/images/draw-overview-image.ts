/** Draws servers and players of a plugin as it is asked for. */
import { drawOverview } from '../../draw/line/overview.ts';
import { type Range, rangeMs } from '../../draw/range.ts';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { readOneState } from '../one-state.ts';
import { columnsOfLine } from '../read-chart.ts';
import { readLine } from '../read-line.ts';
import { pictureOptions } from './draw-chart-image.ts';
import type { Drawing, ImageParameters } from './image-question.ts';

/** A plugin as a picture. */
export interface OverviewImageRequest {
  readonly pluginId: number;
  readonly picture: ImageParameters;
}

/** Draws the overview; rejects as the reader does. The range is counted back from the newest point of both lines. */
export async function* drawOverviewImage(
  reader: MetricsReader,
  { pluginId, picture }: OverviewImageRequest,
): Drawing {
  const { range, width } = picture;
  const { name, servers, players } = await readOneState(reader, () => readLines(reader, pluginId, range));
  const lines = [servers, players].filter((line) => line !== undefined);
  const to = Math.max(...lines.map((line) => line.to));
  const from = Math.max(to - rangeMs(range), Math.min(...lines.map((line) => line.from)));
  const span = { from, to, width };
  const overview = {
    title: name,
    servers: yield* columnsOfLine(servers, span),
    players: yield* columnsOfLine(players, span),
    range,
  };
  yield drawOverview(overview, pictureOptions(picture));
}

async function readLines(reader: MetricsReader, pluginId: number, range: Range) {
  const { name, charts } = await reader.getPlugin(pluginId);
  const hasLine = (chartId: string) =>
    charts.some((chart) => chart.chartId === chartId && storageOf(chart.type) === 'series');
  const read = async (chartId: string) =>
    hasLine(chartId) ? await readLine(reader, { pluginId, chartId, range }) : undefined;
  return { name, servers: await read('servers'), players: await read('players') };
}
