/** Charts of every type as pictures. */
import { type ChartToDraw, readChart } from './chart-reading.ts';
import { describeReading } from './describe.ts';
import { drawLine } from './line/line.ts';
import { brokenDataSentence, drawMessage, noDataSentence } from './message.ts';
import type { PictureOptions } from './picture.ts';
import type { Range } from './range.ts';
import { drawBars } from './shares/bars.ts';
import { drawPie } from './shares/pie.ts';
import { rankShares } from './shares/rank.ts';
import { readDrilldown } from './shares/read-shares.ts';
import { drawTable } from './shares/table.ts';

/** How a chart is to look. */
export interface ChartOptions extends PictureOptions {
  /** What part of a line is shown; `30d` unless given. */
  readonly range?: Range;
}

/** Draws a chart of any type as an SVG document. What cannot be drawn is a sentence. */
export function drawChart(chart: ChartToDraw, options: ChartOptions): string {
  const { range = '30d' } = options;
  const title = options.title ?? chart.title;
  const reading = readChart(chart, { range, width: options.width });
  if (reading.kind === 'line') return drawLine({ title, columns: reading.columns, range }, options);
  const caption = { title, description: describeReading(reading, { chart, range }) };
  switch (reading.kind) {
    case 'pie':
      return drawPie(reading.slices, caption, options);
    case 'bars':
      return drawBars(reading, caption, options);
    case 'table':
      return drawTable(reading, caption, options);
    case 'none':
      return drawMessage(noDataSentence, { ...options, title });
    case 'broken':
      return drawMessage(brokenDataSentence, { ...options, title });
  }
}

/**
 * The pie that a slice of a drilldown pie opens into. `index` is what the picture has in `data-index`; undefined for the
 * slice that gathers others, for one without parts, and on other types.
 */
export function openSlice(chart: ChartToDraw, index: number): ChartToDraw | undefined {
  if (chart.type !== 'drilldown_pie') return undefined;
  const slice = rankShares(readDrilldown(chart.data) ?? [])[index]?.entry;
  if (slice === undefined || slice.parts.length === 0) return undefined;
  return {
    ...chart,
    type: 'simple_pie',
    title: `${chart.title} › ${slice.name}`,
    data: slice.parts.map(({ name, value }) => ({ name, y: value })),
  };
}
