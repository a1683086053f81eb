/** Draws pies, maps and bars in the page. */
import { type ChartToDraw, parseContent } from '../../../draw/chart-content.ts';
import { dayOfData, describeContent } from '../../../draw/describe.ts';
import { drawBars } from '../../../draw/shares/bars.ts';
import { drawPie } from '../../../draw/shares/pie.ts';
import { type Drawing, type DrawingOptions, inPage } from './drawing.ts';
import { sliceWords } from './slice-cursor.ts';
import { labelledSvg } from './svg-elements.ts';

/** Draws a chart of any form but a line, or the open slice of one. */
export function drawShares(
  chart: ChartToDraw,
  { width, height, isShown }: Pick<DrawingOptions, 'width' | 'height' | 'isShown'>,
): Drawing {
  const content = parseContent(chart);
  const nowMs = Date.now();
  const description = describeContent(content, { chart, range: 'all', nowMs, isShown });
  const caption = { title: chart.title, description, day: dayOfData(chart, { nowMs }) };
  const options = { width, height, isShown, ...inPage };
  switch (content.kind) {
    case 'pie': {
      const svg = labelledSvg(drawPie(content.slices, caption, options), description);
      return { content, description, words: sliceWords(content.slices), svg };
    }
    case 'bars':
      return { content, description, svg: labelledSvg(drawBars(content, caption, options), description) };
    default:
      return { content, description };
  }
}
