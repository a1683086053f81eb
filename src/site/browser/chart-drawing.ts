/** Draws a chart as it is in the page: at the size that it has there, with what pointers and keys need of it. */
import { type ChartReading, type ChartToDraw, readChart } from '../../draw/chart-reading.ts';
import { describeReading } from '../../draw/describe.ts';
import { layoutLine } from '../../draw/line/line.ts';
import type { LinesLayout } from '../../draw/line/line-layout.ts';
import { columnsOf } from '../../draw/line/read-line.ts';
import { renderLines } from '../../draw/line/render-lines.ts';
import type { PictureOptions } from '../../draw/picture.ts';
import type { Range } from '../../draw/range.ts';
import { drawBars } from '../../draw/shares/bars.ts';
import { drawPie } from '../../draw/shares/pie.ts';
import type { LineHistory } from './line-history.ts';
import { svgElement } from './svg-elements.ts';

/** How large, and what part of a line. */
export interface DrawingOptions {
  readonly width: number;
  readonly height: number;
  readonly range: Range;
}

/** A chart in the page. */
export interface Drawing {
  readonly reading: ChartReading;
  /** What it says, in a sentence. */
  readonly description: string;
  /** Of lines, pies and bars. */
  readonly svg?: SVGSVGElement;
  /** Of a line. */
  readonly layout?: LinesLayout;
}

/** Draws a chart; `history` has the points of a line. */
export function drawInPage(
  chart: ChartToDraw,
  history: LineHistory | undefined,
  { range, width, height }: DrawingOptions,
): Drawing {
  const data = history === undefined ? chart.data : columnsOf(history.points, { range, width });
  const reading = readChart({ ...chart, data }, { range, width });
  const description = describeReading(reading, { chart, range });
  const caption = { title: chart.title, description };
  // The colours are in the style sheet of the element, which also knows dark ones.
  const options: PictureOptions = { width, height, theme: 'auto', hasStyle: false };
  switch (reading.kind) {
    case 'line': {
      const layout = layoutLine({ title: chart.title, columns: reading.columns, range }, options);
      return { reading, description, layout, svg: labelled(renderLines(layout), description) };
    }
    case 'pie':
      return { reading, description, svg: labelled(drawPie(reading.slices, caption, options), description) };
    case 'bars':
      return { reading, description, svg: labelled(drawBars(reading, caption, options), description) };
    case 'table':
    case 'none':
    case 'broken':
      return { reading, description };
  }
}

/** Title and description become the label: a browser would show them as a tooltip of the whole drawing. */
function labelled(text: string, description: string): SVGSVGElement {
  const svg = svgElement(text);
  for (const words of svg.querySelectorAll(':scope>title,:scope>desc')) words.remove();
  svg.removeAttribute('aria-labelledby');
  svg.setAttribute('aria-label', description);
  return svg;
}
