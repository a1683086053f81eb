/** Draws servers and players of a plugin as it is asked for. */
import { drawChart } from '../../draw/chart.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PictureParameters } from '../picture-parameters.ts';
import { readChart } from '../read-chart.ts';
import { pictureOptions } from './draw-chart-image.ts';
import type { Drawing } from './image-question.ts';

/** A plugin as a picture. */
export interface OverviewImageRequest {
  readonly pluginId: number;
  readonly picture: PictureParameters;
}

/** Draws the overview; rejects as the reader does. */
export async function* drawOverviewImage(
  reader: MetricsReader,
  { pluginId, picture }: OverviewImageRequest,
): Drawing {
  const { range, width } = picture;
  const chart = yield* readChart(reader, { pluginId, chartId: 'players', range, width });
  yield drawChart(chart, { ...pictureOptions(picture), range });
}
