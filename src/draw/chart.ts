/** Draws charts of every form, whole. */

import type { Period } from '../model/window.ts';
import { type ChartToDraw, contentOf, dayOfData, describeContent } from './chart-content.ts';
import { eventMarks } from './events.ts';
import { endOf } from './format.ts';
import { type HistoryOptions, layoutHistory, nothingCounted } from './history/draw-history.ts';
import type { HistoryToDraw } from './history/history-to-draw.ts';
import { drawLine } from './line/line.ts';
import { bandOf } from './line/line-band.ts';
import type { LineShape } from './line/line-shape.ts';
import { type LineToDraw, readLine } from './line/line-to-draw.ts';
import { drawMessage } from './message.ts';
import type { PictureOptions } from './picture.ts';
import { drawBars } from './shares/bars.ts';
import { drawPie } from './shares/pie.ts';

/** Options of a chart picture. */
interface ChartOptions extends PictureOptions {
  /** Period to show of a line; `30d` by default. */
  readonly range?: Period;
}

/** Reduces a line to what a picture of the given width in pixels can show. */
export function lineShapeOf(line: LineToDraw, width: number): LineShape {
  return readLine(line, { window: line.window, width }, bandOf).shape;
}

/** Draws a chart as an SVG document; if there is nothing to draw, it contains a sentence. */
export function drawChart(chart: ChartToDraw, options: ChartOptions): string {
  const { range = '30d' } = options;
  const title = options.title ?? chart.title;
  if (chart.line !== undefined) {
    const marks = chart.events && eventMarks(chart.events);
    return drawLine({ title, shape: lineShapeOf(chart.line, options.width), range, marks }, options);
  }
  const content = contentOf(chart);
  const caption = {
    title,
    description: describeContent(content, { chart }),
    day: dayOfData(chart, {}),
  };
  if (content.kind === 'pie') return drawPie(content, caption, options);
  if (content.kind === 'bars') return drawBars(content, caption, options);
  return drawMessage(content.sentence, { ...options, title });
}

/** Draws the history of a chart, or a sentence if nothing in it is above 0. */
export function drawHistory(history: HistoryToDraw, options: HistoryOptions): string {
  const { title = history.title, range } = options;
  const marks = history.events && eventMarks(history.events);
  const layout = layoutHistory(history, { ...options, marks });
  return layout?.draw() ?? drawMessage(nothingCounted(range, endOf(history.window)), { ...options, title });
}
