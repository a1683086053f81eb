/** Draws one chart of a store as it is asked for. */
import { drawChart } from '../../draw/chart.ts';
import type { ChartToDraw } from '../../draw/chart-reading.ts';
import type { PictureOptions } from '../../draw/picture.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PictureParameters } from '../picture-parameters.ts';
import { readChart } from '../read-chart.ts';
import type { Steps } from '../steps.ts';
import type { ImageParameters } from './image-question.ts';

/** One chart as a picture. */
export interface ChartImageRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly picture: ImageParameters;
}

/** Reads a chart, and gives the steps that draw it; rejects as the reader does. */
export async function drawChartImage(
  reader: MetricsReader,
  { pluginId, chartId, picture }: ChartImageRequest,
): Promise<Steps<string>> {
  const { range, width } = picture;
  return draw(await readChart(reader, { pluginId, chartId, range, width }), picture);
}

function* draw(chart: Steps<ChartToDraw>, picture: ImageParameters): Steps<string> {
  return drawChart(yield* chart, {
    ...pictureOptions(picture),
    isForPng: picture.isForPng,
    range: picture.range,
  });
}

/** How `draw/` is told of what a query says. */
export function pictureOptions({ theme, width, height, title }: PictureParameters): PictureOptions {
  return { theme, width, height, hasStyle: true, ...(title === '' ? {} : { title }) };
}
