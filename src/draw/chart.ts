/** Draws charts of every form. */

import type { Period } from '../model/window.ts';
import { type ChartToDraw, contentOf, dayOfData, describeContent } from './chart-content.ts';
import { drawLine } from './line/line.ts';
import { drawMessage, noPointsIn } from './message.ts';
import type { PictureOptions } from './picture.ts';
import { drawBars } from './shares/bars.ts';
import { drawPie } from './shares/pie.ts';
import { rankShares } from './shares/slices.ts';

/** Options of a chart picture. */
interface ChartOptions extends PictureOptions {
  /** The part of a line that is shown; `30d` unless given. */
  readonly range?: Period;
}

/** Draws a chart as an SVG document. If there is nothing to draw, it shows a sentence. */
export function drawChart(chart: ChartToDraw, options: ChartOptions): string {
  const { range = '30d', isShown } = options;
  const title = options.title ?? chart.title;
  const content = contentOf(chart);
  if (content.kind === 'line')
    return drawLine({ title, shape: content.shape, range, events: chart.events }, options);
  const caption = {
    title,
    description: describeContent(content, { chart, range, ...(isShown && { isShown }) }),
    day: dayOfData(chart, {}),
  };
  if (content.kind === 'pie') return drawPie(content, caption, options);
  if (content.kind === 'bars') return drawBars(content, caption, options);
  const sentence = chart.form === 'line' ? noPointsIn(range) : content.sentence;
  return drawMessage(sentence, { ...options, title });
}

/**
 * The pie that a slice of a drilldown pie opens into. `index` is the `data-index` of the slice in the picture. Undefined for
 * "Other", for a slice without parts, and for charts of other forms.
 */
export function openSlice(chart: ChartToDraw, index: number): ChartToDraw | undefined {
  const content = contentOf(chart);
  if (content.kind !== 'pie') return undefined;
  const slice = rankShares(content.shares)[index]?.entry;
  if (slice === undefined || slice.parts.length === 0) return undefined;
  // The inner shares have other names.
  const { colours: _, ...about } = chart;
  return {
    ...about,
    form: 'pie',
    title: `${chart.title} › ${slice.name}`,
    data: slice.parts.map(({ name, value }) => ({ name, y: value })),
  };
}
