/** The table of a list, which can be sorted, with links to the other pages. */
import { html } from 'ghtml';
import type { DirectoryPage, DirectoryRow } from '../../../directory/directory.ts';
import { homePath, ownerPath, pluginPath, softwarePath } from '../../address/paths.ts';
import { countWords, formatCount, name } from '../words.ts';
import { type ListQuery, type ListRequest, type listOrders, listPath } from './list-query.ts';

type Order = (typeof listOrders)[number];

/** Options of a list. */
interface ListOptions {
  readonly request: ListRequest;
  readonly rowsPerPage: number;
}

/** Renders the results of a search: the part of a page that a new search replaces. */
export function renderList(found: DirectoryPage, { request, rowsPerPage }: ListOptions): string {
  const { total, rows } = found;
  const { text, page } = request.query;
  const pageCount = Math.ceil(total / rowsPerPage);
  if (total === 0)
    return html`<p class="found" role="status">No plugins match${text === '' ? '' : html` “${text}”`}. <a href="${homePath}">All plugins</a></p>
`;
  const first = (page - 1) * rowsPerPage + 1;
  const shown = pageCount === 1 ? '' : `, ${formatCount(first)} to ${formatCount(first + rows.length - 1)}`;
  return html`<p class="found" role="status">${foundWords(found, text)}${shown}</p>
<table class="plugins">
<thead><tr>!${sortable(request, 'name')}!${sortable(request, 'servers')}!${sortable(request, 'players')}</tr></thead>
<tbody>
!${rows.map(renderRow)}</tbody>
</table>
!${pageCount === 1 ? '' : pageLinks(request, pageCount)}`;
}

function foundWords({ total, similarCount }: DirectoryPage, text: string): string {
  if (similarCount === 0) return countWords(total, 'plugin');
  const similar = countWords(similarCount, 'similar name');
  if (similarCount === total) return `Nothing matches “${text}”, but ${similar}`;
  return `${countWords(total - similarCount, 'plugin')}, and ${similar}`;
}

function renderRow(row: DirectoryRow): string {
  const { owner, software, isGlobal, servers, players } = row;
  return html`<tr><th scope="row"><div class="who"><span><a href="${pluginPath(row)}">!${name(row.name)}</a>!${
    isGlobal ? ' <small class="tag">all servers</small>' : ''
  }</span><small><a href="${ownerPath(owner.id)}">!${name(owner.name)}</a></small><small><a href="${softwarePath(software.url)}">!${name(software.name)}</a></small></div></th><td class="number">${formatCount(servers)}</td><td class="number">${formatCount(players)}</td></tr>
`;
}

const labels: Readonly<Record<Order, string>> = { name: 'Plugin', servers: 'Servers', players: 'Players' };

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
    : html`<th scope="col" class="number"!${sorted}>!${link}</th>`;
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
