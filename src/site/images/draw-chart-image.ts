/** Draws one chart of a store as it is asked for. */
import { gapLimitMs } from '../../draw/line/gap.ts';
import { drawLine } from '../../draw/line/line.ts';
import { columnCountFor, LineColumns } from '../../draw/line/line-columns.ts';
import { drawMessage } from '../../draw/message.ts';
import type { PictureOptions } from '../../draw/picture.ts';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PictureParameters } from '../picture-parameters.ts';
import { type LineRequest, readLine } from '../read-line.ts';
import type { Drawing } from './image-question.ts';

/** One chart as a picture. */
export interface ChartImageRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly picture: PictureParameters;
}

/** Draws a chart; rejects as the reader does. */
export async function* drawChartImage(
  reader: MetricsReader,
  { pluginId, chartId, picture }: ChartImageRequest,
): Drawing {
  const { range, width } = picture;
  const options = pictureOptions(picture);
  const { title, type } = await reader.getChart(pluginId, chartId);
  if (storageOf(type) !== 'series') return yield drawMessage('No picture yet', { ...options, title });
  const columns = yield* readColumns(reader, { pluginId, chartId, range, width });
  yield drawLine({ title, columns, range }, options);
}

/** How `draw/` is told of what a query says. */
function pictureOptions({ theme, width, height, title }: PictureParameters): PictureOptions {
  return { theme, width, height, hasStyle: true, ...(title === '' ? {} : { title }) };
}

/** Reads a line into the columns of a picture, a run in a slice. */
async function* readColumns(
  reader: MetricsReader,
  request: LineRequest & { readonly width: number },
): AsyncGenerator<string, LineColumns> {
  const columnCount = columnCountFor(request.width);
  const line = await readLine(reader, request);
  if (line === undefined) return new LineColumns({ from: 0, to: 0, columnCount, maxGapMs: 0 });
  const { from, to, newest, runs } = line;
  const columns = new LineColumns({ from, to, columnCount, maxGapMs: gapLimitMs(newest.timestamps) });
  let count = 0;
  for (const run of runs) {
    if (count++ > 0) yield '';
    columns.add(run);
  }
  return columns;
}
