/** Draws a chart in the page at its size there, with the layout that pointers and keys need. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import { layoutLine } from '../../../draw/line/line.ts';
import { lineInWords } from '../../../draw/line/line-in-words.ts';
import { renderLines } from '../../../draw/line/render-lines.ts';
import { noPointsIn, sentences } from '../../../draw/message.ts';
import { chartSubject } from '../../../draw/subject.ts';
import { type Drawing, type DrawingOptions, inPage } from './drawing.ts';
import type { LoadedHistory } from './explore.ts';
import type { LoadedChart } from './fetch-chart.ts';
import type { WantedChart } from './line-data.ts';
import { readLine } from './line-reading.ts';
import { readableLine } from './line-words.ts';
import { labelledSvg } from './svg-elements.ts';

/** Draws a chart, or the open slice of one; a sentence for a line without points in its window. */
export function drawInPage(
  chart: ChartToDraw,
  loaded: Omit<LoadedChart, 'chart'>,
  options: DrawingOptions,
): Drawing | string {
  const { line, events, later } = loaded;
  if (chart.form !== 'line' && later !== undefined) return later.drawSharesLater(chart, options);
  const { window, width, height } = options;
  const range = window;
  const reading = line && readLine(line, { window, width });
  if (reading?.shape.pointCount === 0 && typeof range !== 'string') return noPointsIn(range);
  if (reading === undefined || reading.shape.pointCount === 0) {
    const kind = reading === undefined ? 'broken' : 'none';
    return { content: { kind }, description: `${chartSubject(chart)}: ${sentences[kind]}` };
  }
  const { shape } = reading;
  const nowMs = Date.now();
  const plain = layoutLine({ title: chart.title, shape, range }, { width, height, nowMs, ...inPage });
  const { layout, plot: marks } = later?.markEvents(plain, events) ?? { layout: plain };
  return {
    content: { kind: 'line', shape },
    description: `${chartSubject(chart)}: ${lineInWords(shape, { range, nowMs })}`,
    reading,
    readable: readableLine(layout, reading, chart.settings),
    marks,
    svg: labelledSvg(renderLines(layout), layout.description),
  };
}

/** Draws the history of a chart of shares; a sentence where there is nothing to draw. */
export function drawHistoryOf(
  history: LoadedHistory,
  wanted: WantedChart,
  { title, height, isShown }: Pick<DrawingOptions, 'height' | 'isShown'> & { readonly title: string },
): Drawing | string {
  const options = { title, width: wanted.width, height, isShown, nowMs: Date.now(), ...inPage };
  const drawn = history.draw(wanted, options);
  if (typeof drawn === 'string') return drawn;
  const { svgText, description, ...read } = drawn;
  return { content: { kind: 'none' }, description, ...read, svg: labelledSvg(svgText, description) };
}
