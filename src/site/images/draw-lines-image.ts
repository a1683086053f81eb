/** Loads and draws several lines, or their sum. */

import { drawHistory } from '../../draw/history/draw-history.ts';
import { drawComparison } from '../../draw/line/comparison.ts';
import type { AxisKind } from '../../draw/line/line-layout.ts';
import { drawMessage, noPointsIn } from '../../draw/message.ts';
import type { ChartName } from '../../model/chart.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { CompareMode } from '../address/compare-modes.ts';
import { comparisonTitle, namesOf } from '../charts/comparison-words.ts';
import { shapesOf } from '../charts/line-shapes.ts';
import { stackLines } from '../charts/line-stack.ts';
import { loadComparison } from '../charts/load-comparison.ts';
import { cutWords } from '../charts/load-line.ts';
import { takeSteps } from '../charts/steps.ts';
import { pictureOptions } from './draw-chart-image.ts';
import type { ImageParameters } from './image-question.ts';

/** Lines as a picture. */
interface LinesImageRequest {
  readonly charts: readonly ChartName[];
  readonly mode: CompareMode;
  /** Not of a sum, whose axis is linear. */
  readonly axis: AxisKind;
  readonly picture: ImageParameters;
}

/** Loads the lines and draws them; rejects as {@link loadComparison} does. A sum is stacked by line. */
export async function drawLinesImage(
  reader: MetricsReader,
  { charts, mode, axis, picture }: LinesImageRequest,
): Promise<string> {
  const { range } = picture;
  const request = { charts, mode, range, pictures: [picture] };
  const { found, loaded } = await reader.read((view) => loadComparison(view, request));
  const title = comparisonTitle(found, mode) + cutWords(loaded.lines);
  const names = namesOf(found);
  const options = pictureOptions(picture);
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
