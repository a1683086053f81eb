/** `/embed/lines.svg?charts=1337:players,42:players&mode=sum` and `.png`: several lines, or their sum, which is stacked by line. */

import { drawHistory } from '../../draw/history/draw-history.ts';
import { drawComparison } from '../../draw/line/comparison.ts';
import { drawMessage, noPointsIn } from '../../draw/message.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { comparisonTitle, namesOf } from '../charts/comparison-words.ts';
import { shapesOf } from '../charts/line-shapes.ts';
import { stackLines } from '../charts/line-stack.ts';
import { loadComparison } from '../charts/load-comparison.ts';
import { cutWords } from '../charts/load-line.ts';
import { takeSteps } from '../charts/steps.ts';
import { effectiveLines, linesFields } from '../state/compare-query.ts';
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

/** Loads the lines and draws them; rejects as {@link loadComparison} does. */
async function drawLinesImage(
  reader: MetricsReader,
  { charts, mode, axis, window: range, options, ...picture }: StateOf<typeof linesFields> & DrawnLook,
): Promise<string> {
  const request = { charts, mode, range, pictures: [picture] };
  const { found, loaded } = await reader.read((view) => loadComparison(view, request));
  const title = comparisonTitle(found, mode) + cutWords(loaded.lines);
  const names = namesOf(found);
  const { pictures } = request;
  if (mode === 'sum') {
    const [stack] = await takeSteps(stackLines(loaded, { title, names, pictures }));
    return stack === undefined || stack.times.length === 0
      ? drawMessage(noPointsIn(range), { title, ...options })
      : drawHistory(stack, { ...options, range, unit: 'count', isSum: true });
  }
  const shapes = (await takeSteps(shapesOf(loaded, pictures))).flat();
  const named = shapes.map((shape, index) => ({ name: names[index] ?? '', shape }));
  return drawComparison(
    { title, lines: named, mode: mode === 'indexed' ? mode : 'absolute', axis, range },
    options,
  );
}
