/** A page that lists plugins, fifty at a time. */

import { html } from 'ghtml';
import { type ListedTrend, loadTrends, searchByChange } from '../../../directory/change-order.ts';
import type { Directories } from '../../../directory/directories.ts';
import type { Directory, DirectoryPage, DirectoryTotals } from '../../../directory/directory.ts';
import { Redirect } from '../../../http/endpoint.ts';
import { maxSearchLength } from '../../../http/query-parameter.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { homePath } from '../../address/paths.ts';
import { renderPage } from '../page.ts';
import { isOld } from './as-of.ts';
import { type GlobalCharts, loadGlobalCharts, renderGlobalCharts } from './global-charts.ts';
import { type ListRequest, listPath } from './list-query.ts';
import { renderSubject } from './list-subject.ts';
import { renderList } from './list-table.ts';

/** Rows of a page. */
const rowsPerPage = 50;

/** The content of a page. */
interface ListContent {
  readonly directory: Directory;
  readonly found: DirectoryPage;
  /** By plugin id. */
  readonly trends: ReadonlyMap<number, ListedTrend>;
  /** On the page of a software alone. */
  readonly global: GlobalCharts | undefined;
}

/** Loads the content of a page; rejects as the view does. */
export async function loadListPage(
  view: MetricsView,
  { path, query }: Pick<ListRequest, 'path' | 'query'>,
  directories: Directories,
): Promise<ListContent> {
  const directory = await directories.load(view);
  const { text, softwareUrl, ownerId, sort, direction, page } = query;
  const search = {
    text,
    softwareUrl,
    ownerId,
    descending: direction === undefined ? undefined : direction === 'desc',
    offset: (page - 1) * rowsPerPage,
    limit: rowsPerPage,
  };
  const found =
    sort === 'change'
      ? await searchByChange(directory, search, view)
      : await directory.search({ ...search, sort });
  const trends = await loadTrends(directory, found.rows, view);
  const software =
    path === homePath || softwareUrl === undefined
      ? undefined
      : directory.catalogue.findSoftware(softwareUrl);
  return { directory, found, trends, global: await loadGlobalCharts(view, software) };
}

/** A document, or a redirect. */
interface RenderedList {
  readonly document: string | Redirect;
  /** False at a time at which another document would be made of the same state of the store: the totals have become old. */
  readonly isValidAt: (nowMs: number) => boolean;
}

/**
 * Renders the document; a page beyond the last is a redirect to the last.
 * @throws AppError `not_found` for an unknown software or owner.
 */
export async function renderListPage(
  { directory, found, trends, global }: ListContent,
  request: ListRequest,
): Promise<RenderedList> {
  const { query, origin, nowMs } = request;
  const { text, sort, direction, page } = query;
  const { newestTime, ...subject } = await renderSubject(directory, request);
  const isOldNow = isOld(newestTime, nowMs);
  const isValidAt = (laterMs: number) => isOld(newestTime, laterMs) === isOldNow;
  const pageCount = Math.max(1, Math.ceil(found.total / rowsPerPage));
  if (page > pageCount) {
    const last = listPath({ ...request, query: { ...query, page: pageCount } });
    return { document: new Redirect(last, 302), isValidAt };
  }
  const isWhole = text === '' && page === 1 && sort === undefined && direction === undefined;
  const document = await renderPage(
    { ...subject, origin, ...(isWhole ? { canonicalPath: subject.path } : {}) },
    directory.catalogue.entries.length === 0
      ? subject.heading + emptyStore
      : html`<div id="subject">
!${subject.heading}</div>
!${searchForm(directory, request)}<div id="plugins">
!${renderList(found, { request, rowsPerPage, trends })}</div>
!${renderGlobalCharts(global)}`,
  );
  return { document, isValidAt };
}

function searchForm({ totals }: Directory, { path, query }: ListRequest): string {
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

function softwareSelect({ software }: DirectoryTotals, chosen: string | undefined): string {
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
