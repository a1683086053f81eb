/** Loads and draws several lines, or their sum. */
import { drawComparison } from '../../draw/line/comparison.ts';
import { drawLine } from '../../draw/line/line.ts';
import type { AxisKind } from '../../draw/line/line-layout.ts';
import type { Turns } from '../../http/turns.ts';
import type { WorkReader } from '../../http/work/work-reader.ts';
import type { ChartName } from '../../model/chart.ts';
import type { CompareMode } from '../address/compare-modes.ts';
import { comparisonTitle, namesOf } from '../charts/comparison-words.ts';
import { loadComparison, shapesOfComparison } from '../charts/load-comparison.ts';
import { cutWords } from '../charts/load-line.ts';
import { takeSteps } from '../charts/steps.ts';
import { pictureOptions } from './draw-chart-image.ts';
import type { ImageParameters } from './image-question.ts';

/** Lines as a picture. */
interface LinesImageRequest {
  readonly charts: readonly ChartName[];
  readonly mode: CompareMode;
  /** A sum has no logarithmic one. */
  readonly axis: AxisKind;
  readonly picture: ImageParameters;
}

/** Loads the lines and draws them; rejects as {@link loadComparison} does. A sum is drawn as one line. */
export async function drawLinesImage(
  reader: WorkReader,
  { charts, mode, axis, picture }: LinesImageRequest,
  turns: Turns,
): Promise<string> {
  const { range } = picture;
  const request = { charts, mode, range, pictures: [picture] };
  const { found, loaded } = await reader.inSnapshot((view) => loadComparison(view, request, turns));
  const shapes = (await takeSteps(shapesOfComparison(loaded, mode, request.pictures), turns)).flat();
  const title = comparisonTitle(found, mode) + cutWords(loaded.lines);
  const options = pictureOptions(picture);
  const [sum] = shapes;
  if (mode === 'sum' && sum !== undefined)
    return drawLine({ title, shape: sum, range, isWhole: axis === 'whole' }, options);
  const names = namesOf(found);
  const named = shapes.map((shape, index) => ({ name: names[index] ?? '', shape }));
  return drawComparison(
    { title, lines: named, mode: mode === 'indexed' ? mode : 'absolute', axis, range },
    options,
  );
}
