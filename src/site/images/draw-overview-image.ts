/** Draws servers and players of a plugin as it is asked for. */
import { drawOverview } from '../../draw/line/overview.ts';
import { type Range, rangeMs } from '../../draw/range.ts';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { readOneState } from '../one-state.ts';
import { columnsOfLine } from '../read-chart.ts';
import { type LineReading, readLine } from '../read-line.ts';
import type { Steps } from '../steps.ts';
import { pictureOptions } from './draw-chart-image.ts';
import type { ImageParameters } from './image-question.ts';

/** A plugin as a picture. */
export interface OverviewImageRequest {
  readonly pluginId: number;
  readonly picture: ImageParameters;
}

/** Reads the lines, and gives the steps that draw the overview; rejects as the reader does. */
export async function drawOverviewImage(
  reader: MetricsReader,
  { pluginId, picture }: OverviewImageRequest,
): Promise<Steps<string>> {
  return draw(await readOneState(reader, () => readLines(reader, pluginId, picture.range)), picture);
}

/** The range is counted back from the newest point of both lines. */
function* draw({ name, servers, players }: LinesReading, picture: ImageParameters): Steps<string> {
  const { range, width } = picture;
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
  return drawOverview(overview, { ...pictureOptions(picture), isForPng: picture.isForPng });
}

interface LinesReading {
  readonly name: string;
  readonly servers: LineReading | undefined;
  readonly players: LineReading | undefined;
}

async function readLines(reader: MetricsReader, pluginId: number, range: Range): Promise<LinesReading> {
  const { name, charts } = await reader.getPlugin(pluginId);
  const hasLine = (chartId: string) =>
    charts.some((chart) => chart.chartId === chartId && storageOf(chart.type) === 'series');
  const read = async (chartId: string) =>
    hasLine(chartId) ? await readLine(reader, { pluginId, chartId, range }) : undefined;
  return { name, servers: await read('servers'), players: await read('players') };
}
