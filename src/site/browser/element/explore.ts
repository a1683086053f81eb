/** `/explore.js`: the parts of `<plugin-chart>` that most visits do not need. They are loaded when a chart first wants one. */
import type { ChartContent, ChartToDraw } from '../../../draw/chart-content.ts';
import { tableOf } from './chart-table.ts';
import type { LineReading } from './line-reading.ts';
import { tableElement } from './table-element.ts';

/** Makes the table of a chart; undefined for one without data. */
export function makeTable(
  chart: ChartToDraw,
  content: ChartContent,
  reading: LineReading | undefined,
): HTMLElement | undefined {
  const table = tableOf(chart, content, reading);
  return table && tableElement(table);
}
