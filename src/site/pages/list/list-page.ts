/** Pages that list plugins, fifty at a time: all plugins, those of one software, or those of one owner. */

import { html } from 'ghtml';
import { type Endpoint, type EndpointRequest, Redirect, type ResponseBody } from '../../../http/endpoint.ts';
import { maxId } from '../../../model/catalogue.ts';
import type { Links } from '../../../model/links.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { malformedQuery, maxSearchLength } from '../../../model/parameter.ts';
import {
  type ListedPlugin,
  maxFound,
  maxNear,
  oldBefore,
  type PluginList,
  trendDays,
} from '../../../model/plugin-list.ts';
import { homePath, ownerPath, pluginPath, softwarePath, withQuery } from '../../address/paths.ts';
import { named, numberField, parse, type StateOf, textField, wordField, write } from '../../state/fields.ts';
import {
  countWords,
  formatCount,
  nameHtml,
  ownerLink,
  renderHiddenInputs,
  renderSearch,
  softwareLink,
} from '../html.ts';
import { pageBody, renderPage } from '../page.ts';
import { renderNumberCells } from '../sparkline.ts';
import { renderChoices } from '../toolbar.ts';
import { type Totals, totalsOf } from '../totals.ts';
import { type ListedPart, loadSubject, renderSubject } from './list-subject.ts';

/** Number of rows on a page. */
const rowsPerPage = 50;

/** The orders of a list. */
const listOrders = ['servers', 'players', '7d', '28d', 'name'] as const;

/** Parameters of a list. */
const listFields = {
  /** Search text; blank for all. */
  text: named('q', textField(maxSearchLength)),
  /** Sort order; undefined sorts a list by servers, and search results by best match. */
  sort: wordField(listOrders, undefined, { change: '7d' }),
  /** Undefined: numbers from the largest on, names from A on. */
  direction: named('dir', wordField(['asc', 'desc'] as const, undefined)),
  page: numberField(1, 999_999_999, 1),
};

/** A list of all plugins, of a software or of an owner: the requested page and its order. */
interface ListQuery extends StateOf<typeof listFields>, ListedPart {}

/** Returns the URL of a list. */
function listAddress(query: ListQuery): string {
  return withQuery(listPath(query), write(listFields, query));
}

/** Returns the path of a whole list. */
function listPath({ softwareUrl, ownerId }: ListedPart): string {
  if (ownerId !== undefined) return ownerPath(ownerId);
  return softwareUrl === undefined ? homePath : softwarePath(encodeURIComponent(softwareUrl));
}

type Order = (typeof listOrders)[number];

/** Parameters of the list of all plugins only: its form can choose a software. */
const homeFields = { softwareUrl: named('software', textField(maxSearchLength)) };

/** `/`, `/software/{softwareUrl}` and `/owner/{ownerId}`. */
export const listEndpoints: readonly Endpoint[] = [
  {
    path: homePath,
    ask: (request) => {
      const { softwareUrl } = parse(homeFields, request.searchParams);
      return softwareUrl === '' ? ask(request, {}) : softwareRedirect(request, softwareUrl);
    },
  },
  {
    path: '/software/{softwareUrl}',
    ask: (request) => ask(request, { softwareUrl: request.params['softwareUrl'] }),
  },
  {
    path: '/owner/{ownerId}',
    ask: (request) => ask(request, { ownerId: parseOwnerId(request) }),
  },
];

function ask({ searchParams, links }: EndpointRequest, part: ListedPart): ResponseBody {
  const query = { ...parse(listFields, searchParams), ...part };
  return {
    ...pageBody(listAddress(query), links),
    async *parts(reader) {
      const content = await reader.read((view) => loadContent(view, query));
      yield renderDocument(content, { query, links });
    },
  };
}

function softwareRedirect({ searchParams }: EndpointRequest, softwareUrl: string): ResponseBody {
  const target = listAddress({ ...parse(listFields, searchParams), softwareUrl });
  return {
    ...pageBody(`${homePath} ${target}`, { server: '' }),
    async *parts() {
      yield new Redirect(target);
    },
  };
}

function parseOwnerId({ params }: EndpointRequest): number {
  const text = params['ownerId'] ?? '';
  const id = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (id <= maxId) return id;
  throw malformedQuery('the id of an owner', `decimal digits, at most ${maxId}`, text);
}

/**
 * Loads the content of a page; rejects as the view does, and with AppError `not_found` for an unknown
 * software or owner.
 */
async function loadContent(view: MetricsView, query: ListQuery) {
  const { page, ...wanted } = query;
  const order = sortedBy(query);
  const [, direction] = directionsOf(query);
  const software = await view.listSoftwareNow();
  const subject = await loadSubject(view, query, software);
  const found = await view.findPlugins({
    ...wanted,
    find: order === undefined ? 'best' : 'words',
    sort: order ?? 'servers',
    descending: direction === 'desc',
    isGlobal: false,
    skip: (page - 1) * rowsPerPage,
    limit: rowsPerPage,
  });
  return { totals: totalsOf(software), found, subject };
}

/** Renders the document; a page beyond the last redirects to the last. */
function renderDocument(
  { totals, subject, found }: Awaited<ReturnType<typeof loadContent>>,
  { query, links }: { readonly query: ListQuery; readonly links: Links },
): string | Redirect {
  const { title, description, heading } = subject;
  const path = listPath(query);
  const pageCount = countPages(found, query);
  if (query.page > pageCount) return new Redirect(listAddress({ ...query, page: pageCount }), 302);
  const canonical = listAddress(query) === path ? { canonicalPath: path } : {};
  return renderPage(
    { title, description, links, ...canonical },
    totals.software.length === 0
      ? heading + emptyStore
      : html`!${renderSubject(subject)}<div class="narrow">
!${searchForm(query)}<div class="row" id="choices">!${softwareChoices(totals, query)}!${found.total === 0 ? '' : orderChoices(query)}</div>
</div>
<div id="plugins">
!${found.total === 0 ? renderEmpty(query) : renderTable(found, { query, pageCount, totals })}</div>
`,
  );
}

/** Counts the pages of a list; lists of a search or an owner end at {@link maxFound}. */
function countPages({ total }: PluginList, { text, ownerId }: ListQuery): number {
  const listed = text === '' && ownerId === undefined ? total : Math.min(total, maxFound);
  return Math.max(1, Math.ceil(listed / rowsPerPage));
}

function searchForm(query: ListQuery): string {
  const { text, sort, direction } = query;
  return renderSearch(listPath(query), {
    ...{ name: 'q', value: text, list: 'plugins choices', label: 'Search these plugins' },
    more: renderHiddenInputs({ sort, dir: direction }),
  });
}

/** Links to the list of each software. An owner has few plugins. */
function softwareChoices({ software }: Totals, query: ListQuery): string {
  if (query.ownerId !== undefined || software.length < 2) return '';
  const labels = Object.fromEntries([['', 'All'], ...software.map(({ url, name }) => [url, name])]);
  const addressOf = (change: string) =>
    listAddress({ ...query, page: 1, softwareUrl: change.slice(change.indexOf('=') + 1) || undefined });
  return renderChoices('software', labels, {
    ...{ label: 'Platform', current: query.softwareUrl ?? '', addressOf },
  });
}

/** Links to the other orders of a list. That of the current one reverses it. */
function orderChoices(query: ListQuery): string {
  const current = sortedBy(query);
  const [usual, direction] = directionsOf(query);
  const labels = Object.fromEntries(
    listOrders.map((order) => [
      order,
      order === current ? `${orderLabels[order]} ${direction === 'asc' ? '↑' : '↓'}` : orderLabels[order],
    ]),
  );
  const reversed: Direction = usual === 'asc' ? 'desc' : 'asc';
  const addressOf = (change: string) => {
    const sort = listOrders.find((order) => change === `sort=${order}`);
    const isReversed = sort === current && direction === usual;
    return listAddress({ ...query, sort, direction: isReversed ? reversed : undefined, page: 1 });
  };
  return renderChoices('sort', labels, { label: 'By', current: current ?? '', addressOf });
}

type Direction = 'asc' | 'desc';

/** The usual direction of the current order, and the current one. */
function directionsOf(query: ListQuery): readonly [usual: Direction, current: Direction] {
  const usual = sortedBy(query) === 'name' ? 'asc' : 'desc';
  return [usual, query.direction ?? usual];
}

/** The current order; undefined for best matches first. */
function sortedBy({ sort, text }: ListQuery): Order | undefined {
  return sort ?? (text === '' ? 'servers' : undefined);
}

/** Renders the plugins found. */
function renderTable(
  found: PluginList,
  {
    query,
    pageCount,
    totals,
  }: { readonly query: ListQuery; readonly pageCount: number; readonly totals: Totals },
): string {
  const skipped = (query.page - 1) * rowsPerPage;
  const shown =
    pageCount === 1 ? '' : `, ${formatCount(skipped + 1)} to ${formatCount(skipped + found.plugins.length)}`;
  const isCut = found.total > pageCount * rowsPerPage;
  const oldestTime = oldBefore(totals.newestTime ?? 0);
  const order = sortedBy(query);
  const [, direction] = directionsOf(query);
  // Ranks are of numbers, from the largest on.
  const isRanked = query.text === '' && order !== 'name' && direction === 'desc';
  const head = (label: string, column: Order, attributes = ' class="number"') =>
    html`<th scope="col"!${attributes}!${order === column ? html` aria-sort="${direction}ending"` : ''}>${label}</th>`;
  return html`<p class="found" role="status">${foundWords(found, query.text)}${shown}${isCut ? ` of the first ${formatCount(maxFound)}` : ''}</p>
<table class="plugins card">
<thead><tr><th scope="col" class="rank">#</th>!${head('Plugin', 'name', '')}<th scope="col" class="on">Platform</th>!${head('Servers', 'servers')}!${head('Players', 'players')}<th scope="col" class="trend">${trendDays} days</th>!${head('7 d', '7d')}!${head('28 d', '28d')}</tr></thead>
<tbody>
!${found.plugins.map((plugin, index) => renderRow(plugin, { rank: isRanked ? skipped + index + 1 : undefined, oldestTime }))}</tbody>
</table>
!${pageCount === 1 ? '' : pageLinks(query, pageCount)}`;
}

/** Explains why a list is empty, with a link to a larger list. */
function renderEmpty({ text, softwareUrl, ownerId }: ListQuery): string {
  const isPart = softwareUrl !== undefined || ownerId !== undefined;
  const why = text === '' ? 'There are no plugins here yet.' : `No plugins match “${text}”.`;
  const search = text !== '' && isPart ? withQuery(homePath, { q: text }) : homePath;
  const label = search === homePath ? 'All plugins' : 'Search all plugins';
  return html`<p class="found" role="status">${why} <a href="${search}">${label}</a></p>
`;
}

/** The number of plugins, or of names that are near. */
function foundWords({ total, isNear }: PluginList, text: string): string {
  const least = total < maxNear ? '' : 'at least ';
  if (isNear) return `Nothing matches “${text}”, but ${least}${countWords(total, 'similar name')}`;
  return countWords(total, 'plugin');
}

function renderRow(
  plugin: ListedPlugin,
  { rank, oldestTime }: { readonly rank: number | undefined; readonly oldestTime: number },
): string {
  return html`<tr><td class="rank">${rank === undefined ? '' : formatCount(rank)}</td><th scope="row"><a href="${pluginPath(plugin)}">!${nameHtml(plugin.name)}</a><small>!${ownerLink(plugin.owner)}</small></th><td class="on">!${softwareLink(plugin.software)}</td>!${renderNumberCells(plugin, oldestTime)}</tr>
`;
}

const orderLabels: Readonly<Record<Order, string>> = {
  servers: 'Servers',
  players: 'Players',
  '7d': '7 days',
  '28d': '28 days',
  name: 'Name',
};

function pageLinks(query: ListQuery, pageCount: number): string {
  const { page } = query;
  const link = (to: number, label: string, rel: string) =>
    to < 1 || to > pageCount
      ? '<span></span>'
      : html`<a href="${listAddress({ ...query, page: to })}" rel="${rel}">${label}</a>`;
  return html`<nav class="pages" aria-label="Pages">!${link(page - 1, 'Previous', 'prev')}<span>Page ${formatCount(page)} of ${formatCount(pageCount)}</span>!${link(page + 1, 'Next', 'next')}</nav>
`;
}

const emptyStore = `<div class="empty">
<p>There are no plugins here yet. This server has an empty store; fill it from an archive, from CSV or from another server:</p>
<pre>plugin-metrics import backup.ndjson.gz
plugin-metrics mirror https://metrics.example.org --plugin 1337</pre>
<p>Imported data shows up here within a second.</p>
</div>
`;
