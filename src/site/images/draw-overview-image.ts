/** Loads and draws servers and players of a plugin. */
import { drawOverview } from '../../draw/line/overview.ts';
import { type Range, rangeMs } from '../../draw/range.ts';
import type { Turns } from '../../http/turns.ts';
import type { WorkReader } from '../../http/work/work-reader.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { columnsOfLine, findChart } from '../charts/load-chart.ts';
import { cutWords, type LoadedLine, loadLine } from '../charts/load-line.ts';
import { type Steps, takeSteps } from '../charts/steps.ts';
import { inSnapshot } from '../snapshot.ts';
import { pictureOptions } from './draw-chart-image.ts';
import type { ImageParameters } from './image-question.ts';

/** A plugin as a picture. */
interface OverviewImageRequest {
  /** Finds the id of the plugin; rejects with `not_found`. */
  readonly findPlugin: (view: MetricsView, turns: Turns) => Promise<number>;
  readonly picture: ImageParameters;
}

/** Loads the lines and draws the overview; rejects as the reader does. */
export async function drawOverviewImage(
  reader: WorkReader,
  { findPlugin, picture }: OverviewImageRequest,
  turns: Turns,
): Promise<string> {
  const lines = await inSnapshot(reader, async (view) =>
    loadLines(view, await findPlugin(view, turns), picture.range),
  );
  return takeSteps(draw(lines, picture), turns);
}

/** Draws both lines. The range counts back from the newest point of both. */
function* draw({ name, servers, players }: LoadedLines, picture: ImageParameters): Steps<string> {
  const { range, width } = picture;
  const lines = [servers, players].filter((line) => line !== undefined);
  const to = Math.max(...lines.map((line) => line.to));
  const from = Math.max(to - rangeMs(range), Math.min(...lines.map((line) => line.from)));
  const span = { from, to, width };
  const overview = {
    title: name + cutWords(lines),
    servers: yield* columnsOfLine(servers, span),
    players: yield* columnsOfLine(players, span),
    range,
  };
  return drawOverview(overview, { ...pictureOptions(picture), isForPng: picture.isForPng });
}

interface LoadedLines {
  readonly name: string;
  readonly servers: LoadedLine | undefined;
  readonly players: LoadedLine | undefined;
}

async function loadLines(view: MetricsView, pluginId: number, range: Range): Promise<LoadedLines> {
  const { name } = await view.getPlugin(pluginId);
  const read = async (chartId: string) =>
    (await findChart(view, pluginId, chartId)) && (await loadLine(view, { pluginId, chartId, range }));
  return { name, servers: await read('servers'), players: await read('players') };
}
