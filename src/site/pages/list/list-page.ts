/** The pages that list plugins, fifty at a time: all of them, those of one software, those of one owner. */

import { html } from 'ghtml';
import { type Body, type Endpoint, type EndpointRequest, Redirect } from '../../../http/endpoint.ts';
import { malformedQuery, maxSearchLength } from '../../../http/query-parameter.ts';
import { maxId } from '../../../model/identifier.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { maxFound, type PluginList } from '../../../model/plugin-list.ts';
import { homePath } from '../../address/paths.ts';
import { named, parse, textField } from '../../state/fields.ts';
import { pageBody, renderPage } from '../page.ts';
import { type Totals, totalsOf } from '../totals.ts';
import { isOld, loadSubject, renderSubject } from './list-subject.ts';
import { type ListQuery, listAddress, listFields, listPath, renderList } from './list-table.ts';

/** Rows of a page. */
const rowsPerPage = 50;

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

  function ask(
    { searchParams, origin }: EndpointRequest,
    subject: Pick<ListQuery, 'softwareUrl' | 'ownerId'>,
  ): Body {
    const query = { ...parse(listFields, searchParams), ...subject };
    let isValid = () => true;
    return {
      ...pageBody(listAddress(query), origin),
      isValid: () => isValid(),
      async *parts(reader) {
        const nowMs = now();
        const content = await reader.read((view) => loadContent(view, query));
        // Another document is made of the same state of the store when its totals become old.
        isValid = () => isOld(content.subject, now()) === isOld(content.subject, nowMs);
        yield await renderDocument(content, { query, origin, nowMs });
      },
    };
  }
}

function softwareRedirect({ searchParams }: EndpointRequest, softwareUrl: string): Body {
  const target = listAddress({ ...parse(listFields, searchParams), softwareUrl });
  return {
    ...pageBody(`${homePath} ${target}`, ''),
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
  const { text, softwareUrl, ownerId, sort = 'servers', direction, page } = query;
  const totals = totalsOf(await view.listSoftwareNow());
  const subject = await loadSubject(view, query, totals);
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
  return { totals, subject, found };
}

/** Renders the document; a page beyond the last is a redirect to the last. */
async function renderDocument(
  { totals, subject, found }: Awaited<ReturnType<typeof loadContent>>,
  { query, origin, nowMs }: { readonly query: ListQuery; readonly origin: string; readonly nowMs: number },
): Promise<string | Redirect> {
  const { title, description, allServers = '' } = subject;
  const path = listPath(query);
  const pageCount = countPages(found, query);
  if (query.page > pageCount) return new Redirect(listAddress({ ...query, page: pageCount }), 302);
  const canonical = listAddress(query) === path ? { canonicalPath: path } : {};
  return renderPage(
    { title, description, origin, ...canonical },
    totals.software.length === 0
      ? subject.heading + emptyStore
      : html`<div id="subject">
!${renderSubject(subject, nowMs)}</div>
!${searchForm(totals, query)}<div id="plugins">
!${renderList(found, { query, rowsPerPage, pageCount, newestTime: totals.newestTime })}!${allServers}</div>
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
  const label = ownerId === undefined ? 'Search plugins and owners' : 'Search these plugins';
  const hasSoftware = ownerId === undefined && totals.software.length > 1;
  const hidden = Object.entries({ sort, dir: direction }).filter(([, value]) => value !== undefined);
  return html`<form class="search" role="search" action="${hasSoftware ? homePath : listPath(query)}" data-list="plugins">
<input class="field" type="search" name="q" value="${text}" maxlength="${maxSearchLength}" placeholder="Plugin or owner" aria-label="${label}" autocomplete="off">
!${hasSoftware ? softwareSelect(totals, softwareUrl) : ''}!${hidden.map(
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
