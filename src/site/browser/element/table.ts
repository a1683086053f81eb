/** The data of a chart as a scrollable table. */

import { formatDateTime, formatDay, formatExact, formatShare } from '../../../draw/format.ts';
import type { LineReading } from '../../../draw/line/line-to-draw.ts';
import { rankShares, type Share, type Slice } from '../../../draw/shares/slices.ts';
import { valuesOf } from '../../../model/columns.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { firstFrom } from '../../../model/window.ts';
import { element } from '../elements.ts';

/** A text, or events with their links. */
type TableCell = string | readonly PluginEvent[];

/** Rows of cells. */
export interface ChartTable {
  readonly title: string;
  /** `Newest 500 of 1,441`; empty if all rows are shown. */
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<readonly TableCell[]>;
  /** Events for a second table, newest first. */
  readonly events?: readonly PluginEvent[];
}

/** Maximum number of rows, to limit the size of the page. */
export const maxRowCount = 500;

/** Makes the table of a line, newest point first; the events must be in order of time. */
export function lineTable(
  title: string,
  { points, band, shape, events }: LineReading & { readonly events: readonly PluginEvent[] },
): ChartTable {
  const [times, values] = [points.times, valuesOf(points)];
  const count = times.length;
  const eventsOf = Map.groupBy(
    events.filter(({ time }) => time >= shape.window.from && time < shape.window.to),
    // An event belongs to the row of its step, or of the last point before it.
    ({ time }) => Math.max(0, firstFrom(times, time + 1) - 1),
  );
  const rowOf = (index: number): readonly TableCell[] => {
    const time = times[index] ?? Number.NaN;
    const numbers = [values, ...(band === undefined ? [] : [band.lows, band.highs])];
    return [
      band === undefined ? formatDateTime(time) : formatDay(time),
      ...numbers.map((column) => formatExact(column[index] ?? 0)),
      ...(eventsOf.size === 0 ? [] : [eventsOf.get(index) ?? '']),
    ];
  };
  const newest = Array.from({ length: Math.min(count, maxRowCount) }, (_, row) => count - 1 - row);
  const older = [...eventsOf.keys()].filter((index) => index < count - maxRowCount).sort((a, b) => b - a);
  const rows = [...newest, ...older.slice(0, maxRowCount)].map(rowOf);
  const columns = band === undefined ? ['Time', 'Value'] : ['From', 'Mean', 'Lowest', 'Highest'];
  const note = [
    noteOf('Newest', newest.length, count),
    older.length === 0 ? '' : 'and those with events',
    band === undefined ? '' : band.step.mean,
  ];
  return {
    title,
    note: note.filter((words) => words !== '').join(', '),
    columns: eventsOf.size === 0 ? columns : [...columns, 'Events'],
    rows,
  };
}

/** Makes the table of shares, largest first, with a column for each named part. */
export function shareTable(
  title: string,
  shares: readonly (Share & Partial<Slice>)[],
  partNames: readonly string[] = [],
): ChartTable {
  const hasShares = shares.every(({ value }) => value >= 0);
  const rows = rankShares(shares)
    .slice(0, maxRowCount)
    .map(({ entry: { name, value, parts = [] }, part }) => [
      name,
      ...partNames.map((_, index) => formatExact(parts[index]?.value ?? 0)),
      formatExact(value),
      ...(hasShares ? [formatShare(part)] : []),
    ]);
  const sum = partNames.length > 0 ? 'Sum' : 'Value';
  const columns = ['Name', ...partNames, sum, ...(hasShares ? ['Share'] : [])];
  return { title, note: noteOf('Largest', rows.length, shares.length), columns, rows };
}

/** Tells that rows are omitted; empty if all are shown. */
export function noteOf(which: string, shown: number, all: number): string {
  return shown < all ? `${which} ${formatExact(shown)} of ${formatExact(all)}` : '';
}

/** Makes the elements of a table and its events: a region that can be scrolled with keys. */
export function tableElement(chart: ChartTable): HTMLElement {
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
  const classOf = (cell: TableCell, column: number) =>
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

/** Renders event titles, separated by commas; titles of events with a URL are links. */
function linksOf(events: readonly PluginEvent[]): readonly (Node | string)[] {
  return events.flatMap(({ title, url }, index) => {
    const words = url === null ? title : element('a', { href: url, rel: 'nofollow noopener' }, title);
    return index === 0 ? [words] : [', ', words];
  });
}
