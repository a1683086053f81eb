/** Loads and draws several lines, or their sum. */
import { drawComparison } from '../../draw/line/comparison.ts';
import { drawLine } from '../../draw/line/line.ts';
import type { Turns } from '../../http/turns.ts';
import type { WorkReader } from '../../http/work/work-reader.ts';
import type { ChartName } from '../../model/chart.ts';
import type { CompareMode } from '../address/compared-charts.ts';
import { comparisonTitle, namesOf } from '../charts/comparison-words.ts';
import { columnsOfComparison, loadComparison } from '../charts/load-comparison.ts';
import { cutWords } from '../charts/load-line.ts';
import { takeSteps } from '../charts/steps.ts';
import { inSnapshot } from '../snapshot.ts';
import { pictureOptions } from './draw-chart-image.ts';
import type { ImageParameters } from './image-question.ts';

/** Lines as a picture. */
interface LinesImageRequest {
  readonly charts: readonly ChartName[];
  readonly mode: CompareMode;
  readonly picture: ImageParameters;
}

/** Loads the lines and draws them; rejects as {@link loadComparison} does. A sum is drawn as one line. */
export async function drawLinesImage(
  reader: WorkReader,
  { charts, mode, picture }: LinesImageRequest,
  turns: Turns,
): Promise<string> {
  const { range, width, isForPng } = picture;
  const { found, lines } = await inSnapshot(reader, (view) => loadComparison(view, { charts, range }, turns));
  const all = await takeSteps(columnsOfComparison(lines, { mode, range }, [width]), turns);
  const columns = all.flat();
  const title = comparisonTitle(found, mode) + cutWords(lines);
  const options = { ...pictureOptions(picture), isForPng };
  const [sum] = columns;
  if (mode === 'sum' && sum !== undefined) return drawLine({ title, columns: sum, range }, options);
  const names = namesOf(found);
  const named = columns.map((each, index) => ({ name: names[index] ?? '', columns: each }));
  return drawComparison(
    { title, lines: named, mode: mode === 'indexed' ? mode : 'absolute', range },
    options,
  );
}
