/** The pages that list plugins, fifty at a time: all of them, those of one software, those of one owner. */

import { html } from 'ghtml';
import { formatDate } from '../../../draw/format.ts';
import { type Endpoint, type EndpointRequest, Redirect, type ResponseBody } from '../../../http/endpoint.ts';
import { maxId } from '../../../model/identifier.ts';
import type { Links } from '../../../model/links.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { malformedQuery, maxSearchLength } from '../../../model/parameter.ts';
import {
  type ListedPlugin,
  maxFound,
  oldBefore,
  type PluginList,
  trendDays,
} from '../../../model/plugin-list.ts';
import { homePath, ownerPath, pluginPath, softwarePath, withQuery } from '../../address/paths.ts';
import { named, numberField, parse, type StateOf, textField, wordField, write } from '../../state/fields.ts';
import { changeWords, countWords, formatCount, nameHtml, renderHiddenInputs, renderSearch } from '../html.ts';
import { pageBody, renderPage } from '../page.ts';
import { renderSparkline } from '../sparkline.ts';
import { type Totals, totalsOf } from '../totals.ts';
import { isOld, type ListedPart, loadSubject, renderSubject, type Subject } from './list-subject.ts';

/** Rows of a page. */
const rowsPerPage = 50;

/** The columns that a list can be sorted by. */
const listOrders = ['name', 'servers', 'players', '7d', '28d'] as const;

/** The parameters of a list. */
const listFields = {
  /** A search; blank for all. */
  text: named('q', textField(maxSearchLength)),
  /** Undefined: those with the most servers first; of a search, the best matches. */
  sort: wordField(listOrders, undefined, { change: '7d' }),
  /** Undefined: numbers from the largest on, names from A on. */
  direction: named('dir', wordField(['asc', 'desc'], undefined)),
  page: numberField(1, 999_999_999, 1),
};

/** A list of all plugins, of those of a software or of those of an owner: the part that is asked for, and its order. */
interface ListQuery extends StateOf<typeof listFields>, ListedPart {}

/** The address of a list. */
function listAddress(query: ListQuery): string {
  return withQuery(listPath(query), write(listFields, query));
}

/** The address of a whole list. */
function listPath({ softwareUrl, ownerId }: ListedPart): string {
  if (ownerId !== undefined) return ownerPath(ownerId);
  return softwareUrl === undefined ? homePath : softwarePath(encodeURIComponent(softwareUrl));
}

type Order = (typeof listOrders)[number];

/** The form of the list of all plugins chooses a software. */
const homeFields = { softwareUrl: named('software', textField(maxSearchLength)) };

/** `/`, `/software/{softwareUrl}` and `/owner/{ownerId}`. */
export function listEndpoints(now: () => number): readonly Endpoint[] {
  return [
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
    let isValid = () => true;
    return {
      ...pageBody(listAddress(query), links),
      isValid: () => isValid(),
      async *parts(reader) {
        const nowMs = now();
        const content = await reader.read((view) => loadContent(view, query));
        // Another document is made of the same state of the store when its totals become old.
        isValid = () => isOld(content.subject, now()) === isOld(content.subject, nowMs);
        yield renderDocument(content, { query, links, nowMs });
      },
    };
  }
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

/** Loads the content of a page; rejects as the view does, and with AppError `not_found` for an unknown software or owner. */
async function loadContent(view: MetricsView, query: ListQuery) {
  const { sort = 'servers', direction = sort === 'name' ? 'asc' : 'desc', page, ...wanted } = query;
  const software = await view.listSoftwareNow();
  const subject = await loadSubject(view, query, software);
  const found = await view.findPlugins({
    ...wanted,
    find: 'words',
    sort,
    descending: direction === 'desc',
    skip: (page - 1) * rowsPerPage,
    limit: rowsPerPage,
  });
  // The numbers of a search are of what it found.
  const { total, isNear } = found;
  const totals: Subject['totals'] = [[isNear ? 'Similar names' : 'Found', total]];
  return { totals: totalsOf(software), found, subject: query.text === '' ? subject : { ...subject, totals } };
}

/** Renders the document; a page beyond the last is a redirect to the last. */
function renderDocument(
  { totals, subject, found }: Awaited<ReturnType<typeof loadContent>>,
  { query, links, nowMs }: { readonly query: ListQuery; readonly links: Links; readonly nowMs: number },
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
      : html`<div id="subject">
!${renderSubject(subject, nowMs)}</div>
!${searchForm(totals, query)}<div id="plugins">
!${found.total === 0 ? renderEmpty(query) : renderTable(found, { query, pageCount, totals })}</div>
`,
  );
}

/** The pages of a list; those of a search and of an owner end with {@link maxFound}. */
function countPages({ total }: PluginList, { text, ownerId }: ListQuery): number {
  const listed = text === '' && ownerId === undefined ? total : Math.min(total, maxFound);
  return Math.max(1, Math.ceil(listed / rowsPerPage));
}

function searchForm(totals: Totals, query: ListQuery): string {
  const { text, softwareUrl, ownerId, sort, direction } = query;
  const hasSoftware = ownerId === undefined && totals.software.length > 1;
  const select = hasSoftware ? softwareSelect(totals, softwareUrl) : '';
  return renderSearch(hasSoftware ? homePath : listPath(query), {
    ...{ name: 'q', value: text, list: 'plugins' },
    ...(ownerId === undefined ? {} : { label: 'Search these plugins' }),
    more: select + renderHiddenInputs({ sort, dir: direction }),
  });
}

function softwareSelect({ software }: Totals, chosen: string | undefined): string {
  const options = software.map(({ url, name: label }) => {
    const selected = url === chosen ? ' selected' : '';
    return html`<option value="${url}"!${selected}>${label}</option>`;
  });
  return html`<select class="field" name="software" aria-label="Software"><option value="">All software</option>!${options}</select>
`;
}

/** Renders the plugins that were found. */
function renderTable(
  found: PluginList,
  {
    query,
    pageCount,
    totals,
  }: { readonly query: ListQuery; readonly pageCount: number; readonly totals: Totals },
): string {
  const first = (query.page - 1) * rowsPerPage + 1;
  const last = first + found.plugins.length - 1;
  const shown = pageCount === 1 ? '' : `, ${formatCount(first)} to ${formatCount(last)}`;
  const oldestTime = oldBefore(totals.newestTime ?? 0);
  return html`<p class="found" role="status">${foundWords(found, query.text)}${shown}</p>
<table class="plugins">
<thead><tr>!${listOrders.map((order) => (order === '7d' ? trendHeading : '') + sortable(query, order))}</tr></thead>
<tbody>
!${found.plugins.map((plugin) => renderRow(plugin, oldestTime))}</tbody>
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
  return html`<tr><th scope="row"><div class="who"><span><a href="${pluginPath(plugin)}">!${nameHtml(plugin.name)}</a>!${
    isGlobal ? ' <small class="tag">all servers</small>' : ''
  }</span><small><a href="${ownerPath(owner.id)}">!${nameHtml(owner.name)}</a></small><small><a href="${softwarePath(software.url)}">!${nameHtml(software.name)}</a></small></div></th><td class="number">${formatCount(servers?.[1])}</td><td class="number">${formatCount(players?.[1])}</td>!${renderTrend(plugin, oldestTime)}</tr>
`;
}

const trendHeading = html`<th scope="col" class="trend">${trendDays} days</th>`;

/** The cells of the last days and the changes; the date of a line that ended before. */
function renderTrend({ servers, days, changes }: ListedPlugin, oldestTime: number): string {
  if (servers !== null && servers[0] < oldestTime)
    return html`<td class="number" colspan="3"><small>until ${formatDate(servers[0])}</small></td>`;
  const cells = [changes['7d'], changes['28d']].map(
    (change) => html`<td class="number">${changeWords(change ?? undefined)}</td>`,
  );
  return html`<td class="trend">!${renderSparkline(days)}</td>!${cells}`;
}

const labels: Readonly<Record<Order, string>> = {
  name: 'Plugin',
  servers: 'Servers',
  players: 'Players',
  '7d': '7 d',
  '28d': '28 d',
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
    : html`<th scope="col" class="number"!${sorted}>!${link}</th>`;
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

const emptyStore = `<div class="empty">
<p>There are no plugins here yet. This server has an empty store; fill it from an archive, from CSV or from another server:</p>
<pre>plugin-metrics import backup.ndjson.gz
plugin-metrics mirror https://metrics.example.org --plugin 1337</pre>
<p>Imported data shows up here within a second.</p>
</div>
`;
