/** Draws a chart in the page at its size there, with the layout that pointers and keys need. */
import { type ChartContent, type ChartToDraw, parseContent } from '../../../draw/chart-content.ts';
import { describeContent } from '../../../draw/describe.ts';
import { layoutLine } from '../../../draw/line/line.ts';
import type { LinesLayout } from '../../../draw/line/line-layout.ts';
import { renderLines } from '../../../draw/line/render-lines.ts';
import type { PictureOptions } from '../../../draw/picture.ts';
import { drawBars } from '../../../draw/shares/bars.ts';
import { drawPie } from '../../../draw/shares/pie.ts';
import type { ShownWindow } from '../../state/shown-window.ts';
import type { LineData } from './fetch-line.ts';
import { type LineReading, readLine } from './line-reading.ts';
import { svgElement } from './svg-elements.ts';

/** The size, and the window of a line. */
interface DrawingOptions {
  readonly width: number;
  readonly height: number;
  readonly window: ShownWindow;
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
  readonly reading?: LineReading | undefined;
}

/** Draws a chart; `line` has the data of a line. */
export function drawInPage(
  chart: ChartToDraw,
  line: LineData | undefined,
  { window, width, height }: DrawingOptions,
): Drawing {
  const reading = line && readLine(line, { window, width });
  const content = parseContent(reading ? { ...chart, shape: reading.shape } : chart, { range: 'all', width });
  const range = 'range' in window ? window.range : window;
  const description = describeContent(content, { chart, range });
  const caption = { title: chart.title, description };
  // The colours are in the style sheet of the element, which also knows dark ones.
  const options: PictureOptions = { width, height, theme: 'auto', hasStyle: false };
  switch (content.kind) {
    case 'line': {
      const layout = layoutLine({ title: chart.title, shape: content.shape, range }, options);
      return {
        content,
        description,
        layout,
        reading,
        svg: labelled(renderLines(layout), layout.description),
      };
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
