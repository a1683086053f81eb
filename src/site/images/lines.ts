/** `/embed/lines.svg?charts=1337:players,42:players&mode=sum` and `.png`: several lines, or their sum, which is stacked by line. */

import { drawHistory } from '../../draw/chart.ts';
import { drawComparison } from '../../draw/line/comparison.ts';
import { lineShapeOf } from '../../draw/line/whole-line.ts';
import { drawMessage, noPointsIn } from '../../draw/message.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { findCharts } from '../charts/load-chart.ts';
import { loadLinesIn, loadSum } from '../charts/load-lines.ts';
import { storeSource } from '../charts/store-source.ts';
import { linesFields, linesInUse } from '../state/chart-state.ts';
import { comparisonTitle, namesOf } from '../state/chart-words.ts';
import type { StateOf } from '../state/fields.ts';
import { type DrawnLook, pictureBody, pictureExtensions } from './picture.ts';

/** The endpoints, one for each extension. */
export const linesImages: readonly Endpoint[] = pictureExtensions.map((extension) => ({
  path: `/embed/lines.${extension}`,
  ask: ({ searchParams: query }) =>
    pictureBody({
      path: '/embed/lines',
      extension,
      query,
      fields: linesFields,
      inUse: linesInUse,
      draw: drawLinesImage,
    }),
}));

/** Loads the lines and draws them; rejects as {@link findCharts} does. */
async function drawLinesImage(
  reader: MetricsReader,
  { charts, mode, axis, window: range, options, ...picture }: StateOf<typeof linesFields> & DrawnLook,
): Promise<string> {
  return reader.read(async (view) => {
    const source = storeSource(view);
    const found = await findCharts(source, charts);
    const title = comparisonTitle(found, mode);
    const names = namesOf(found);
    const lines = found.map(({ plugin, chart }, index) => ({
      ...chart,
      pluginId: plugin.id,
      name: names[index] ?? '',
    }));
    if (mode === 'sum') {
      const drawn = await loadSum(source, lines, { range, ...picture, title });
      return drawn.times.length === 0
        ? drawMessage(noPointsIn(range), { title, ...options })
        : drawHistory(drawn, { ...options, range, unit: 'count', isSum: true });
    }
    const loaded = await loadLinesIn(source, lines, { range, ...picture });
    const named = loaded.lines.map((line, index) => ({
      name: names[index] ?? '',
      shape: lineShapeOf(line, options.width),
    }));
    return drawComparison({ title, lines: named, mode, axis, range }, options);
  });
}
