/** Draws a chart in the page at its size there, with the layout that pointers and keys need. */
import { type ChartContent, type ChartToDraw, parseContent } from '../../../draw/chart-content.ts';
import { describeContent } from '../../../draw/describe.ts';
import { layoutLine } from '../../../draw/line/line.ts';
import type { LinesLayout } from '../../../draw/line/line-layout.ts';
import { columnsOf } from '../../../draw/line/parse-line.ts';
import { renderLines } from '../../../draw/line/render-lines.ts';
import type { PictureOptions } from '../../../draw/picture.ts';
import type { Range } from '../../../draw/range.ts';
import { drawBars } from '../../../draw/shares/bars.ts';
import { drawPie } from '../../../draw/shares/pie.ts';
import type { LineHistory } from './line-history.ts';
import { svgElement } from './svg-elements.ts';

/** The size, and the range of a line. */
interface DrawingOptions {
  readonly width: number;
  readonly height: number;
  readonly range: Range;
}

/** A chart in the page. */
export interface Drawing {
  readonly content: ChartContent;
  /** The content in a sentence. */
  readonly description: string;
  /** Undefined for a table, and where there is nothing to draw. */
  readonly svg?: SVGSVGElement;
  /** Undefined unless the chart is a line. */
  readonly layout?: LinesLayout;
}

/** Draws a chart; `history` has the points of a line. */
export function drawInPage(
  chart: ChartToDraw,
  history: LineHistory | undefined,
  { range, width, height }: DrawingOptions,
): Drawing {
  const line =
    history === undefined ? chart : { ...chart, shape: columnsOf(history.points, { range, width }) };
  const content = parseContent(line, { range, width });
  const description = describeContent(content, { chart, range });
  const caption = { title: chart.title, description };
  // The colours are in the style sheet of the element, which also knows dark ones.
  const options: PictureOptions = { width, height, theme: 'auto', hasStyle: false };
  switch (content.kind) {
    case 'line': {
      const layout = layoutLine({ title: chart.title, shape: content.shape, range }, options);
      return { content, description, layout, svg: labelled(renderLines(layout), description) };
    }
    case 'pie':
      return { content, description, svg: labelled(drawPie(content.slices, caption, options), description) };
    case 'bars':
      return { content, description, svg: labelled(drawBars(content, caption, options), description) };
    case 'table':
    case 'none':
    case 'broken':
      return { content, description };
  }
}

/** Moves title and description into the label, because browsers show them as a tooltip of the whole drawing. */
function labelled(text: string, description: string): SVGSVGElement {
  const svg = svgElement(text);
  for (const words of svg.querySelectorAll(':scope>title,:scope>desc')) words.remove();
  svg.removeAttribute('aria-labelledby');
  svg.setAttribute('aria-label', description);
  return svg;
}
