/** Draws pies, maps and bars in the page. */
import { openSlice } from '../../../draw/chart.ts';
import { type ChartToDraw, contentOf } from '../../../draw/chart-content.ts';
import { dayOfData, describeContent } from '../../../draw/describe.ts';
import { sentences } from '../../../draw/message.ts';
import { drawBars } from '../../../draw/shares/bars.ts';
import { drawPie } from '../../../draw/shares/pie.ts';
import { loadPart } from '../load-part.ts';
import { type Drawing, type DrawingOptions, inPage } from './drawing.ts';
import { addSliceCursor, sliceWords } from './slice-cursor.ts';
import { labelledSvg } from './svg-elements.ts';

export { openSlice };

/** Draws a chart of any form but a line, or the open slice of one. */
export function drawShares(
  chart: ChartToDraw,
  { width, height, isShown }: Pick<DrawingOptions, 'width' | 'height' | 'isShown'>,
): Drawing {
  const content = contentOf(chart);
  const nowMs = Date.now();
  const description = describeContent(content, { chart, range: 'all', nowMs, isShown });
  const caption = { title: chart.title, description, day: dayOfData(chart, { nowMs }) };
  const options = { width, height, isShown, ...inPage };
  const loadTable = async () => {
    const { makeTable } = await loadPart(import('./table-element.ts'));
    return makeTable(chart, content);
  };
  switch (content.kind) {
    case 'pie': {
      const svg = labelledSvg(drawPie(content.slices, caption, options), description);
      const canOpen = (index: number) => openSlice(chart, index) !== undefined;
      const slices = { svg, words: sliceWords(content.slices), canOpen };
      return { description, svg, addSliceCursor: (actions) => addSliceCursor(slices, actions), loadTable };
    }
    case 'bars':
      return { description, svg: labelledSvg(drawBars(content, caption, options), description), loadTable };
    case 'none':
    case 'unknown':
      return { description, sentence: sentences[content.kind] };
    case 'line':
      return { description };
  }
}
