/** The table of a list, which can be sorted, with links to the other pages. */
import { html } from 'ghtml';
import { type ListedTrend, maxSortedByChange } from '../../../directory/change-order.ts';
import type { DirectoryPage, DirectoryRow } from '../../../directory/directory.ts';
import { formatDate } from '../../../draw/format.ts';
import { homePath, ownerPath, pluginPath, softwarePath, withQuery } from '../../address/paths.ts';
import { changeWords, countWords, formatCount, name } from '../words.ts';
import { type ListQuery, type ListRequest, type listOrders, listPath } from './list-query.ts';
import { renderSparkline } from './sparkline.ts';

type Order = (typeof listOrders)[number];

/** Options of a list. */
interface ListOptions {
  readonly request: ListRequest;
  readonly rowsPerPage: number;
  /** By plugin id. */
  readonly trends: ReadonlyMap<number, ListedTrend>;
}

/** Renders the results of a search: the part of a page that a new search replaces. */
export function renderList(found: DirectoryPage, { request, rowsPerPage, trends }: ListOptions): string {
  const { total, rows } = found;
  const { text, page } = request.query;
  const pageCount = Math.ceil(total / rowsPerPage);
  if (total === 0) return renderEmpty(request);
  const first = (page - 1) * rowsPerPage + 1;
  const shown = pageCount === 1 ? '' : `, ${formatCount(first)} to ${formatCount(first + rows.length - 1)}`;
  return html`<p class="found" role="status">${foundWords(found, text)}${shown}${sortWords(request, total)}</p>
<table class="plugins">
<thead><tr>!${sortable(request, 'name')}!${sortable(request, 'servers')}!${sortable(request, 'players')}!${sortable(request, 'change')}</tr></thead>
<tbody>
!${rows.map((row) => renderRow(row, trends.get(row.id)))}</tbody>
</table>
!${pageCount === 1 ? '' : pageLinks(request, pageCount)}`;
}

/** Says why a list is empty, with a link that leads out of it. */
function renderEmpty({ query }: ListRequest): string {
  const { text, softwareUrl, ownerId } = query;
  const isPart = softwareUrl !== undefined || ownerId !== undefined;
  const why = text === '' ? 'There are no plugins here yet.' : `No plugins match “${text}”.`;
  const search = text !== '' && isPart ? withQuery(homePath, { q: text }) : homePath;
  const label = search === homePath ? 'All plugins' : 'Search all plugins';
  return html`<p class="found" role="status">${why} <a href="${search}">${label}</a></p>
`;
}

/** The number of plugins, apart from those that the totals leave out, and from similar names. */
function foundWords({ total, globalCount, similarCount }: DirectoryPage, text: string): string {
  const similar = countWords(similarCount, 'similar name');
  if (similarCount > 0 && similarCount === total) return `Nothing matches “${text}”, but ${similar}`;
  if (similarCount > 0) return `${countWords(total - similarCount, 'plugin')}, and ${similar}`;
  const globals = globalCount === 0 ? '' : ` and ${countWords(globalCount, 'count')} of all servers`;
  return `${countWords(total - globalCount, 'plugin')}${globals}`;
}

function sortWords({ query }: ListRequest, total: number): string {
  const isPart = query.sort === 'change' && total > maxSortedByChange;
  return isPart ? ` (the ${formatCount(maxSortedByChange)} with the most servers are sorted by change)` : '';
}

function renderRow(row: DirectoryRow, trend: ListedTrend | undefined): string {
  const { owner, software, isGlobal, servers, players } = row;
  return html`<tr><th scope="row"><div class="who"><span><a href="${pluginPath(row)}">!${name(row.name)}</a>!${
    isGlobal ? ' <small class="tag">all servers</small>' : ''
  }</span><small><a href="${ownerPath(owner.id)}">!${name(owner.name)}</a></small><small><a href="${softwarePath(software.url)}">!${name(software.name)}</a></small></div></th><td class="number">${formatCount(servers)}</td><td class="number">${formatCount(players)}</td><td class="trend">!${renderTrend(trend)}</td></tr>
`;
}

/** The last two weeks and the change between them; the date of a line that ended before. */
function renderTrend(trend: ListedTrend | undefined): string {
  if (trend === undefined) return '–';
  if (trend.isOld) return html`<small>until ${formatDate(trend.newest)}</small>`;
  return html`!${renderSparkline(trend.means)}<span>${changeWords(trend.change)}</span>`;
}

const labels: Readonly<Record<Order, string>> = {
  name: 'Plugin',
  servers: 'Servers',
  players: 'Players',
  change: '7 days',
};

/** A column heading with a link that sorts: in the usual direction first, then in the other one. */
function sortable(request: ListRequest, order: Order): string {
  const { query } = request;
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
  const link = html`<a href="${listPath({ ...request, query: next })}">${labels[order]}</a>`;
  return order === 'name'
    ? html`<th scope="col"!${sorted}><div class="who"><span>!${link}</span><small>Owner</small><small>Software</small></div></th>`
    : html`<th scope="col" class="${order === 'change' ? 'trend' : 'number'}"!${sorted}>!${link}</th>`;
}

/** The column of the current order; undefined for best matches first. */
function sortedBy({ sort, text }: ListQuery): Order | undefined {
  return sort ?? (text === '' ? 'servers' : undefined);
}

function pageLinks(request: ListRequest, pageCount: number): string {
  const { page } = request.query;
  const link = (to: number, label: string, rel: string) =>
    to < 1 || to > pageCount
      ? '<span></span>'
      : html`<a href="${listPath(withPage(request, to))}" rel="${rel}">${label}</a>`;
  return html`<nav class="pages" aria-label="Pages">!${link(page - 1, 'Previous', 'prev')}<span>Page ${formatCount(page)} of ${formatCount(pageCount)}</span>!${link(page + 1, 'Next', 'next')}</nav>
`;
}

function withPage(request: ListRequest, page: number): ListRequest {
  return { ...request, query: { ...request.query, page } };
}
