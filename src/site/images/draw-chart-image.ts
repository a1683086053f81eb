/** Loads and draws one chart. */

import { drawChart } from '../../draw/chart.ts';
import type { PictureOptions } from '../../draw/picture.ts';
import { transparentPalette } from '../../draw/transparent.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PictureParameters } from '../address/picture-parameters.ts';
import { loadChart } from '../charts/load-chart.ts';
import type { ImageParameters } from './image-question.ts';

/** The picture of one chart. */
export interface ChartImageRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly picture: ImageParameters;
}

/** Loads a chart and draws it; rejects as the reader does. */
export async function drawChartImage(
  reader: MetricsReader,
  { pluginId, chartId, picture }: ChartImageRequest,
): Promise<string> {
  const chart = await loadChart(reader, { pluginId, chartId, ...picture, hasEvents: true });
  return drawChart(chart, { ...pictureOptions(picture), range: picture.range });
}

/** The options for `draw/` from the parameters of a query. */
export function pictureOptions({ theme, width, height, title }: PictureParameters): PictureOptions {
  return {
    theme: theme === 'transparent' ? transparentPalette : theme,
    width,
    height,
    hasStyle: true,
    ...(title === '' ? {} : { title }),
  };
}
