/** A table of a chart as an element that scrolls. */

import { formatDateTime } from '../../../draw/format.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { element } from '../elements.ts';
import type { ChartTable } from './chart-table.ts';
import * as rowsOfCharts from './chart-table.ts';
import type { Drawing } from './drawing.ts';

/** The table of a drawing: a region with it, and with that of its events, which scrolls by keys. Undefined without data. */
export function tableElement({ tableOf }: Pick<Drawing, 'tableOf'>): HTMLElement | undefined {
  const chart = tableOf?.(rowsOfCharts);
  if (chart === undefined) return undefined;
  const { title, events = [] } = chart;
  const region = element(
    'div',
    { class: 'table', tabindex: '0', role: 'region', 'aria-label': `${title}, table` },
    oneTable(chart),
  );
  const rows = events.map((event) => [formatDateTime(event.time), [event]]);
  if (rows.length > 0)
    region.append(oneTable({ title: 'Events', note: '', columns: ['Time', 'Event'], rows }));
  return region;
}

function oneTable({ title, note, columns, rows }: ChartTable): HTMLElement {
  const classOf = (cell: ChartTable['rows'][number][number], column: number) =>
    column > 0 && typeof cell === 'string' ? 'number' : undefined;
  const caption = element('caption', { dir: 'auto' }, title);
  if (note !== '') caption.append(element('small', {}, note));
  const table = element('table', {}, caption);
  const [example = []] = rows.filter((row) => row.some((cell) => typeof cell !== 'string'));
  const headings = columns.map((name, index) =>
    element('th', { scope: 'col', class: classOf(example[index] ?? '', index) }, name),
  );
  table.append(element('thead', {}, element('tr', {}, ...headings)));
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      ...cells.map((cell, index) => {
        const content = typeof cell === 'string' ? [cell] : linksOf(cell);
        return index === 0
          ? element('th', { scope: 'row', dir: 'auto' }, ...content)
          : element('td', { class: classOf(cell, index), dir: 'auto' }, ...content);
      }),
    ),
  );
  table.append(element('tbody', {}, ...body));
  return table;
}

/** The titles of events with a comma between them; those with an address are links. */
function linksOf(events: readonly PluginEvent[]): readonly (Node | string)[] {
  return events.flatMap(({ title, url }, index) => {
    const words = url === null ? title : element('a', { href: url, rel: 'nofollow noopener' }, title);
    return index === 0 ? [words] : [', ', words];
  });
}
