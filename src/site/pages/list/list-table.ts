/** The table of a list, which can be sorted, its query, and links to its other pages. */
import { html } from 'ghtml';
import { clamp } from '../../../draw/clamp.ts';
import { formatDate } from '../../../draw/format.ts';
import { maxSearchLength } from '../../../http/query-parameter.ts';
import { type ListedPlugin, oldBefore, type PluginList } from '../../../model/plugin-list.ts';
import { homePath, ownerPath, pluginPath, softwarePath, withQuery } from '../../address/paths.ts';
import { named, numberField, type StateOf, textField, wordField, write } from '../../state/fields.ts';
import { changeWords, countWords, formatCount, name } from '../words.ts';

/** The columns that a list can be sorted by. */
const listOrders = ['name', 'servers', 'players', 'change'] as const;

/** The parameters of a list. */
export const listFields = {
  /** A search; blank for all. */
  text: named('q', textField(maxSearchLength)),
  /** Undefined: those with the most servers first; of a search, the best matches. */
  sort: wordField(listOrders, undefined),
  /** Undefined: numbers from the largest on, names from A on. */
  direction: named('dir', wordField(['asc', 'desc'], undefined)),
  page: numberField(1, 999_999_999, 1),
};

/** A list of all plugins, of those of a software or of those of an owner: the part that is asked for, and its order. */
export interface ListQuery extends StateOf<typeof listFields> {
  readonly softwareUrl?: string | undefined;
  readonly ownerId?: number | undefined;
}

/** The address of a list. */
export function listAddress(query: ListQuery): string {
  return withQuery(listPath(query), write(listFields, query));
}

/** The address of a whole list. */
export function listPath({ softwareUrl, ownerId }: Pick<ListQuery, 'softwareUrl' | 'ownerId'>): string {
  if (ownerId !== undefined) return ownerPath(ownerId);
  return softwareUrl === undefined ? homePath : softwarePath(encodeURIComponent(softwareUrl));
}

type Order = (typeof listOrders)[number];

/** Options of a list. */
interface ListOptions {
  readonly query: ListQuery;
  readonly rowsPerPage: number;
  readonly pageCount: number;
  /** The time of the newest number of all plugins, in Unix milliseconds; undefined without any. */
  readonly newestTime: number | undefined;
}

/** Renders the results of a search: the part of a page that a new search replaces. */
export function renderList(
  found: PluginList,
  { query, rowsPerPage, pageCount, newestTime }: ListOptions,
): string {
  const { total, plugins } = found;
  const { text, page } = query;
  if (total === 0) return renderEmpty(query);
  const first = (page - 1) * rowsPerPage + 1;
  const shown =
    pageCount === 1 ? '' : `, ${formatCount(first)} to ${formatCount(first + plugins.length - 1)}`;
  return html`<p class="found" role="status">${foundWords(found, text)}${shown}</p>
<table class="plugins">
<thead><tr>!${sortable(query, 'name')}!${sortable(query, 'servers')}!${sortable(query, 'players')}!${sortable(query, 'change')}</tr></thead>
<tbody>
!${plugins.map((plugin) => renderRow(plugin, oldBefore(newestTime ?? 0)))}</tbody>
</table>
!${pageCount === 1 ? '' : pageLinks(query, pageCount)}`;
}

/** Says why a list is empty, with a link that leads out of it. */
function renderEmpty({ text, softwareUrl, ownerId }: ListQuery): string {
  const isPart = softwareUrl !== undefined || ownerId !== undefined;
  const why = text === '' ? 'There are no plugins here yet.' : `No plugins match “${text}”.`;
  const search = text !== '' && isPart ? withQuery(homePath, { q: text }) : homePath;
  const label = search === homePath ? 'All plugins' : 'Search all plugins';
  return html`<p class="found" role="status">${why} <a href="${search}">${label}</a></p>
`;
}

/** The number of plugins, apart from those that the totals leave out; or of names that are near. */
function foundWords({ total, globalCount, isNear }: PluginList, text: string): string {
  if (isNear) return `Nothing matches “${text}”, but ${countWords(total, 'similar name')}`;
  const globals = globalCount === 0 ? '' : ` and ${countWords(globalCount, 'count')} of all servers`;
  return `${countWords(total - globalCount, 'plugin')}${globals}`;
}

function renderRow(plugin: ListedPlugin, oldestTime: number): string {
  const { owner, software, isGlobal, servers, players } = plugin;
  return html`<tr><th scope="row"><div class="who"><span><a href="${pluginPath(plugin)}">!${name(plugin.name)}</a>!${
    isGlobal ? ' <small class="tag">all servers</small>' : ''
  }</span><small><a href="${ownerPath(owner.id)}">!${name(owner.name)}</a></small><small><a href="${softwarePath(software.url)}">!${name(software.name)}</a></small></div></th><td class="number">${formatCount(servers?.[1])}</td><td class="number">${formatCount(players?.[1])}</td><td class="trend">!${renderTrend(plugin, oldestTime)}</td></tr>
`;
}

/** The last two weeks and the change between them; the date of a line that ended before. */
function renderTrend({ servers, days, change }: ListedPlugin, oldestTime: number): string {
  if (servers === null) return '–';
  const [newestTime] = servers;
  if (newestTime < oldestTime) return html`<small>until ${formatDate(newestTime)}</small>`;
  return html`!${renderSparkline(days)}<span>${changeWords(change ?? undefined)}</span>`;
}

const labels: Readonly<Record<Order, string>> = {
  name: 'Plugin',
  servers: 'Servers',
  players: 'Players',
  change: '7 days',
};

/** A column heading with a link that sorts: in the usual direction first, then in the other one. */
function sortable(query: ListQuery, order: Order): string {
  const usual = order === 'name' ? 'asc' : 'desc';
  const isSorted = sortedBy(query) === order;
  const direction = isSorted ? (query.direction ?? usual) : undefined;
  const next: ListQuery = {
    ...query,
    sort: order,
    direction: direction === usual ? (usual === 'asc' ? 'desc' : 'asc') : undefined,
    page: 1,
  };
  const sorted = direction === undefined ? '' : ` aria-sort="${direction}ending"`;
  const link = html`<a href="${listAddress(next)}">${labels[order]}</a>`;
  return order === 'name'
    ? html`<th scope="col"!${sorted}><div class="who"><span>!${link}</span><small>Owner</small><small>Software</small></div></th>`
    : html`<th scope="col" class="${order === 'change' ? 'trend' : 'number'}"!${sorted}>!${link}</th>`;
}

/** The column of the current order; undefined for best matches first. */
function sortedBy({ sort, text }: ListQuery): Order | undefined {
  return sort ?? (text === '' ? 'servers' : undefined);
}

function pageLinks(query: ListQuery, pageCount: number): string {
  const { page } = query;
  const link = (to: number, label: string, rel: string) =>
    to < 1 || to > pageCount
      ? '<span></span>'
      : html`<a href="${listAddress({ ...query, page: to })}" rel="${rel}">${label}</a>`;
  return html`<nav class="pages" aria-label="Pages">!${link(page - 1, 'Previous', 'prev')}<span>Page ${formatCount(page)} of ${formatCount(pageCount)}</span>!${link(page + 1, 'Next', 'next')}</nav>
`;
}

/** Size in the units of its picture; a day is ten wide. */
const stepWidth = 10;
const height = 40;

/** The least height of the values, as a share of the highest: small changes stay small. */
const minSpan = 0.2;

/** Renders values at even distances as SVG; null is a gap. Empty without values. */
export function renderSparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null).map(clamp);
  if (known.length === 0) return '';
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  const span = Math.max(highest - lowest, minSpan * Math.max(Math.abs(lowest), Math.abs(highest))) || 1;
  const middle = (highest + lowest) / 2;
  let path = '';
  let isDrawing = false;
  for (const [index, value] of values.entries()) {
    // A point alone is a dot.
    if (value !== null)
      path += isDrawing ? `L${index * stepWidth} ${y(value)}` : `M${index * stepWidth} ${y(value)}h0`;
    isDrawing = value !== null;
  }
  const width = (values.length - 1) * stepWidth;
  return html`<svg class="spark" viewBox="-2 -2 ${width + 4} ${height + 4}" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/></svg>`;

  function y(value: number): number {
    return Math.round(height * (0.5 - (clamp(value) - middle) / span));
  }
}
