/** A table of a chart as an element that scrolls. */

import { element } from '../elements.ts';
import type { ChartTable } from './chart-table.ts';

/** A region with the table, which scrolls by keys. */
export function tableElement({ title, note, columns, rows, hasNumbers }: ChartTable): HTMLElement {
  const classOf = (column: number) => (hasNumbers && column > 0 ? 'number' : undefined);
  const caption = element('caption', { dir: 'auto' }, title);
  if (note !== '') caption.append(element('small', {}, note));
  const table = element('table', {}, caption);
  if (columns.length > 0) {
    const cells = columns.map((name, index) => element('th', { scope: 'col', class: classOf(index) }, name));
    table.append(element('thead', {}, element('tr', {}, ...cells)));
  }
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      ...cells.map((text, index) =>
        index === 0
          ? element('th', { scope: 'row', dir: 'auto' }, text)
          : element('td', { class: classOf(index), dir: 'auto' }, text),
      ),
    ),
  );
  table.append(element('tbody', {}, ...body));
  return element(
    'div',
    { class: 'table', tabindex: '0', role: 'region', 'aria-label': `${title}, table` },
    table,
  );
}
