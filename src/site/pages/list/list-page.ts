/** A page that lists plugins, fifty at a time. */

import { html } from 'ghtml';
import { Redirect } from '../../../http/endpoint.ts';
import { maxSearchLength } from '../../../http/query-parameter.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { maxFound, type PluginList } from '../../../model/plugin-list.ts';
import { homePath } from '../../address/paths.ts';
import { renderPage } from '../page.ts';
import type { Totals } from '../totals.ts';
import { isOld } from './as-of.ts';
import { type GlobalCharts, loadGlobalCharts, renderGlobalCharts } from './global-charts.ts';
import { type ListRequest, listPath } from './list-query.ts';
import { loadSubject, renderSubject, type Subject } from './list-subject.ts';
import { renderList } from './list-table.ts';

/** Rows of a page. */
const rowsPerPage = 50;

/** The content of a page. */
interface ListContent {
  readonly subject: Subject;
  readonly found: PluginList;
  /** On the page of a software alone. */
  readonly global: GlobalCharts | undefined;
}

/** Loads the content of a page; rejects as the view does, and with AppError `not_found` for an unknown software or owner. */
export async function loadListPage(
  view: MetricsView,
  { path, query }: Pick<ListRequest, 'path' | 'query'>,
): Promise<ListContent> {
  const { text, softwareUrl, ownerId, sort = 'servers', direction, page } = query;
  const subject = await loadSubject(view, query);
  const found = await view.findPlugins({
    text,
    find: 'words',
    softwareUrl,
    ownerId,
    sort,
    descending: (direction ?? (sort === 'name' ? 'asc' : 'desc')) === 'desc',
    skip: (page - 1) * rowsPerPage,
    limit: rowsPerPage,
  });
  const global = await loadGlobalCharts(view, path === homePath ? undefined : subject.software);
  return { subject, found, global };
}

/** A document, or a redirect. */
interface RenderedList {
  readonly document: string | Redirect;
  /** False at a time at which another document would be made of the same state of the store: the totals have become old. */
  readonly isValidAt: (nowMs: number) => boolean;
}

/** Renders the document; a page beyond the last is a redirect to the last. */
export async function renderListPage(
  { subject, found, global }: ListContent,
  request: ListRequest,
): Promise<RenderedList> {
  const { query, origin, nowMs } = request;
  const { text, sort, direction, page } = query;
  const { newestTime, ...heading } = renderSubject(subject, request);
  const isOldNow = isOld(newestTime, nowMs);
  const isValidAt = (laterMs: number) => isOld(newestTime, laterMs) === isOldNow;
  const pageCount = countPages(found, query);
  if (page > pageCount) {
    const last = listPath({ ...request, query: { ...query, page: pageCount } });
    return { document: new Redirect(last, 302), isValidAt };
  }
  const isWhole = text === '' && page === 1 && sort === undefined && direction === undefined;
  const document = await renderPage(
    { ...heading, origin, ...(isWhole ? { canonicalPath: heading.path } : {}) },
    subject.totals.software.length === 0
      ? heading.heading + emptyStore
      : html`<div id="subject">
!${heading.heading}</div>
!${searchForm(subject.totals, request)}<div id="plugins">
!${renderList(found, { request, rowsPerPage, pageCount, newestTime: subject.totals.newestTime })}</div>
!${renderGlobalCharts(global)}`,
  );
  return { document, isValidAt };
}

/** The pages of a list; those of a search and of an owner end with {@link maxFound}. */
function countPages({ total }: PluginList, { text, ownerId }: ListRequest['query']): number {
  const listed = text === '' && ownerId === undefined ? total : Math.min(total, maxFound);
  return Math.max(1, Math.ceil(listed / rowsPerPage));
}

function searchForm(totals: Totals, { path, query }: ListRequest): string {
  const label = query.ownerId === undefined ? 'Search plugins and owners' : 'Search these plugins';
  const order = { sort: query.sort, dir: query.direction };
  const hidden = Object.entries(order).filter(([, value]) => value !== undefined);
  return html`<form class="search" role="search" action="${path}" data-list>
<input class="field" type="search" name="q" value="${query.text}" maxlength="${maxSearchLength}" placeholder="Plugin or owner" aria-label="${label}" autocomplete="off">
!${path === homePath && totals.software.length > 1 ? softwareSelect(totals, query.softwareUrl) : ''}!${hidden.map(
    ([parameter, value]) => html`<input type="hidden" name="${parameter}" value="${value}">
`,
  )}<button class="button">Search</button>
</form>
`;
}

function softwareSelect({ software }: Totals, chosen: string | undefined): string {
  const options = software.map(({ url, name: label }) => {
    const selected = url === chosen ? ' selected' : '';
    return html`<option value="${url}"!${selected}>${label}</option>`;
  });
  return html`<select class="field" name="software" aria-label="Software"><option value="">All software</option>!${options}</select>
`;
}

const emptyStore = `<div class="empty">
<p>There are no plugins here yet. This server has an empty store; fill it from an archive, from CSV or from another server:</p>
<pre>plugin-metrics import backup.ndjson.gz
plugin-metrics mirror https://metrics.example.org --plugin 1337</pre>
<p>Imported data shows up here within a second.</p>
</div>
`;
