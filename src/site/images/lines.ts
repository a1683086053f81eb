/** `/embed/lines.svg?charts=1337:players,42:players&mode=sum` and `.png`: several lines, or their sum, which is stacked by line. */

import { drawHistory } from '../../draw/history/draw-history.ts';
import { drawComparison } from '../../draw/line/comparison.ts';
import { drawMessage, noPointsIn } from '../../draw/message.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { findCharts } from '../charts/load-comparison.ts';
import { loadLines, loadSum } from '../charts/load-lines.ts';
import { effectiveLines, linesFields } from '../state/compare-query.ts';
import { comparisonTitle, namesOf } from '../state/comparison-words.ts';
import type { StateOf } from '../state/fields.ts';
import { type DrawnLook, pictureBody, pictureExtensions } from './picture.ts';
import type { PngMaker } from './png-maker.ts';

/** The endpoints, one for each extension. */
export function linesImages(pngs: PngMaker): readonly Endpoint[] {
  return pictureExtensions.map((extension) => ({
    path: `/embed/lines.${extension}`,
    ask: ({ searchParams: query }) =>
      pictureBody(
        {
          path: '/embed/lines',
          extension,
          query,
          fields: linesFields,
          effective: effectiveLines,
          draw: drawLinesImage,
        },
        pngs,
      ),
  }));
}

/** Loads the lines and draws them; rejects as {@link findCharts} does. */
async function drawLinesImage(
  reader: MetricsReader,
  { charts, mode, axis, window: range, options, ...picture }: StateOf<typeof linesFields> & DrawnLook,
): Promise<string> {
  if (mode === 'sum') {
    const drawn = await reader.read(async (view) => {
      const found = await findCharts(view, charts);
      const names = namesOf(found);
      const lines = found.map(({ chart: { uid } }, index) => ({ uid, name: names[index] ?? '' }));
      return loadSum(view, lines, { range, ...picture, title: comparisonTitle(found, mode) });
    });
    return drawn.times.length === 0
      ? drawMessage(noPointsIn(range), { title: drawn.title, ...options })
      : drawHistory(drawn, { ...options, range, unit: 'count', isSum: true });
  }
  const { found, loaded } = await reader.read(async (view) => {
    const known = await findCharts(view, charts);
    const lines = known.map(({ chart }) => chart);
    return { found: known, loaded: await loadLines(view, lines, { range, ...picture }) };
  });
  const title = comparisonTitle(found, mode);
  const names = namesOf(found);
  const lines = loaded.shapes.map((shape, index) => ({ name: names[index] ?? '', shape }));
  return drawComparison({ title, lines, mode, axis, range }, options);
}
