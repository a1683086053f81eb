/** Draws a chart in the page at its size there, with the layout that pointers and keys need. */
import { type ChartContent, type ChartToDraw, parseContent } from '../../../draw/chart-content.ts';
import { describeContent } from '../../../draw/describe.ts';
import { layoutLine } from '../../../draw/line/line.ts';
import { renderLines } from '../../../draw/line/render-lines.ts';
import type { PictureOptions } from '../../../draw/picture.ts';
import { drawPie } from '../../../draw/shares/pie.ts';
import type { ShownWindow } from '../../state/shown-window.ts';
import type { MarkedPlot } from './event-links.ts';
import type { LoadedHistory } from './explore.ts';
import type { LoadedChart } from './fetch-chart.ts';
import type { DrawnHistory } from './history-view.ts';
import type { LineReading, WantedChart } from './line-data.ts';
import { readLine } from './line-reading.ts';
import { readableLine } from './line-words.ts';
import { sliceWords } from './slice-cursor.ts';
import { svgElement } from './svg-elements.ts';
import type { ReadableChart } from './time-cursor.ts';

/** The size, and the window of a line. */
interface DrawingOptions {
  readonly width: number;
  readonly height: number;
  readonly window: ShownWindow;
  /** True for an axis that has outliers too. */
  readonly isWhole: boolean;
}

/** A chart in the page. */
export interface Drawing {
  readonly content: ChartContent;
  /** The content in a sentence. */
  readonly description: string;
  /** Undefined for a table, and where there is nothing to draw. */
  readonly svg?: SVGSVGElement;
  /** A chart over time, for the cursor. */
  readonly readable?: ReadableChart;
  /** True if the axis is cut. */
  readonly isCut?: boolean;
  /** The events on a chart over time. */
  readonly marks?: MarkedPlot | undefined;
  readonly reading?: LineReading | undefined;
  /** The names of slices or areas, with their values, by their index in the drawing. */
  readonly words?: DrawnHistory['words'];
}

/** Draws a chart, or the open slice of one. */
export function drawInPage(
  chart: ChartToDraw,
  { line, events, later }: Omit<LoadedChart, 'chart'>,
  { window, width, height, isWhole }: DrawingOptions,
): Drawing {
  const reading = line && readLine(line, { window, width });
  const content = parseContent(reading ? { ...chart, shape: reading.shape } : chart, { range: 'all', width });
  const range = 'range' in window ? window.range : window;
  const description = describeContent(content, { chart, range, nowMs: Date.now() });
  const caption = { title: chart.title, description };
  const options: PictureOptions = { width, height, nowMs: Date.now(), ...inPage };
  switch (content.kind) {
    case 'line': {
      const plain = layoutLine({ title: chart.title, shape: content.shape, range, isWhole }, options);
      const { layout, plot: marks } = later?.markEvents(plain, events) ?? { layout: plain };
      const svg = labelled(renderLines(layout), layout.description);
      if (reading === undefined) return { content, description, svg };
      const readable = readableLine(layout, reading, chart.settings);
      return { content, description, reading, readable, marks, svg, isCut: plain.isCut === true };
    }
    case 'pie':
      return {
        content,
        description,
        words: sliceWords(content.slices),
        svg: labelled(drawPie(content.slices, caption, options), description),
      };
    case 'bars':
      if (later === undefined) return { content, description };
      return {
        content,
        description,
        svg: labelled(later.drawBarsLater(content, caption, options), description),
      };
    case 'table':
    case 'none':
    case 'broken':
      return { content, description };
  }
}

/** Draws the history of a chart of shares; a sentence where there is nothing to draw. */
export function drawHistoryOf(
  history: LoadedHistory,
  wanted: WantedChart,
  { title, height }: { readonly title: string; readonly height: number },
): Drawing | string {
  const drawn = history.draw(wanted, { title, width: wanted.width, height, nowMs: Date.now(), ...inPage });
  if (typeof drawn === 'string') return drawn;
  const { svgText, description, ...read } = drawn;
  return { content: { kind: 'none' }, description, ...read, svg: labelled(svgText, description) };
}

/** The colours are in the style sheet of the element, which also knows dark ones; marks are as far apart as their links. */
const inPage = { theme: 'auto', hasStyle: false, leastMarkDistance: 24 } as const;

/** Moves title and description into the label, because browsers show them as a tooltip of the whole drawing. */
function labelled(text: string, description: string): SVGSVGElement {
  const svg = svgElement(text);
  for (const words of svg.querySelectorAll(':scope>title,:scope>desc')) words.remove();
  svg.removeAttribute('aria-labelledby');
  svg.setAttribute('aria-label', description);
  return svg;
}
