/** Loads and draws one chart. */

import { drawChart } from '../../draw/chart.ts';
import type { PictureOptions } from '../../draw/picture.ts';
import { transparentPalette } from '../../draw/transparent.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PictureParameters } from '../address/picture-parameters.ts';
import { loadChart } from '../charts/load-chart.ts';
import type { LineAxis } from '../state/page-state.ts';
import { type ShareFilter, shareTest } from '../state/share-filter.ts';
import type { ImageParameters } from './image-question.ts';

/** The picture of one chart. */
export interface ChartImageRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly picture: ImageParameters;
  /** The shares that are shown. */
  readonly filter: ShareFilter | undefined;
}

/** One chart as a picture. */
interface NowImageRequest extends ChartImageRequest {
  /** Of a line. */
  readonly axis: LineAxis;
}

/** Loads a chart and draws it; rejects as the reader does. */
export async function drawChartImage(
  reader: MetricsReader,
  { pluginId, chartId, picture, filter, axis }: NowImageRequest,
): Promise<string> {
  const chart = await loadChart(reader, { pluginId, chartId, ...picture, hasEvents: true });
  const options = { ...pictureOptions(picture), isShown: shareTest(filter) };
  return drawChart(chart, { ...options, range: picture.range, isWhole: axis === 'whole' });
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
