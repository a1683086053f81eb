/** Draws one chart of a store as it is asked for. */
import { drawChart } from '../../draw/chart.ts';
import type { PictureOptions } from '../../draw/picture.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { readChart } from '../read-chart.ts';
import type { Drawing, ImageParameters } from './image-question.ts';

/** One chart as a picture. */
export interface ChartImageRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly picture: ImageParameters;
}

/** Draws a chart; rejects as the reader does. */
export async function* drawChartImage(
  reader: MetricsReader,
  { pluginId, chartId, picture }: ChartImageRequest,
): Drawing {
  const { range, width } = picture;
  const chart = yield* readChart(reader, { pluginId, chartId, range, width });
  yield drawChart(chart, { ...pictureOptions(picture), range });
}

/** How `draw/` is told of what a query says. */
export function pictureOptions({ theme, width, height, title, isForPng }: ImageParameters): PictureOptions {
  return {
    theme,
    width,
    height,
    hasStyle: true,
    isForPng: isForPng === true,
    ...(title === '' ? {} : { title }),
  };
}
