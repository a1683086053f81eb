/** A page that lists plugins, fifty at a time. */

import { html } from 'ghtml';
import type { Directory, DirectoryTotals } from '../../../directory/directory.ts';
import { Redirect } from '../../../http/endpoint.ts';
import { maxSearchLength } from '../../../http/query-parameter.ts';
import type { Turns } from '../../../http/turns.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import { homePath, ownerPath, pluginPath, softwarePath } from '../../address/paths.ts';
import { renderPage, siteName } from '../page.ts';
import { countWords, formatCount, heading, name } from '../words.ts';
import { type ListRequest, listPath } from './list-query.ts';
import { renderList } from './list-table.ts';

/** Rows of a page. */
const rowsPerPage = 50;

/** The heading of a list. */
interface Subject {
  readonly title: string;
  readonly description: string;
  /** The address of the list without a query. */
  readonly path: string;
  /** HTML. */
  readonly heading: string;
}

/**
 * Renders the document; a page beyond the last is a redirect to the last.
 * @throws AppError `not_found` for an unknown software or owner.
 */
export async function renderListPage(
  directory: Directory,
  request: ListRequest,
  turns: Turns,
): Promise<string | Redirect> {
  const { query, origin } = request;
  const { text, softwareUrl, ownerId, sort, direction, page } = query;
  const subject = subjectOf(directory, request);
  const search = {
    text,
    softwareUrl,
    ownerId,
    sort,
    descending: direction === undefined ? undefined : direction === 'desc',
    offset: (page - 1) * rowsPerPage,
    limit: rowsPerPage,
  };
  const found = await directory.search(search, turns);
  const pageCount = Math.max(1, Math.ceil(found.total / rowsPerPage));
  if (page > pageCount)
    return new Redirect(listPath({ ...request, query: { ...query, page: pageCount } }), 302);
  const isWhole = text === '' && page === 1 && sort === undefined && direction === undefined;
  return renderPage(
    { ...subject, origin, ...(isWhole ? { canonicalPath: subject.path } : {}) },
    subject.heading +
      (directory.catalogue.entries.length === 0
        ? emptyStore
        : html`!${searchForm(directory, request)}<div id="plugins">
!${renderList(found, { request, rowsPerPage })}</div>
`),
  );
}

function subjectOf(directory: Directory, { path, query }: ListRequest): Subject {
  if (query.ownerId !== undefined) return ownerSubject(directory, query.ownerId);
  if (query.softwareUrl !== undefined) return softwareSubject(directory, query.softwareUrl, path);
  const { totals, catalogue } = directory;
  const pluginCount = catalogue.entries.length;
  const description = `${countWords(pluginCount, 'plugin')} on ${countWords(totals.software.length, 'software', 'software')}: servers, players and every chart.`;
  return {
    title: siteName,
    description,
    path: homePath,
    heading: html`<h1>Plugins</h1>
!${pluginCount === 0 ? '' : renderTotals(pluginCount, totals)}`,
  };
}

function ownerSubject({ catalogue }: Directory, ownerId: number): Subject {
  const owner = catalogue.findOwner(ownerId);
  if (owner === undefined) {
    const message = `there is no owner with the id ${ownerId}`;
    throw new AppError('not_found', message, { kind: 'unknown-owner' });
  }
  return {
    title: `Plugins by ${owner.name}`,
    description: `Servers and players of the plugins by ${owner.name}.`,
    path: ownerPath(ownerId),
    heading: html`<p class="kicker">Owner</p>
!${heading(owner.name)}`,
  };
}

function softwareSubject({ catalogue }: Directory, softwareUrl: string, path: string): Subject {
  const software = catalogue.findSoftware(softwareUrl);
  if (software === undefined) {
    const message = `there is no software ${quote(softwareUrl)}`;
    throw new AppError('not_found', message, { kind: 'unknown-software' });
  }
  const { globalPlugin } = software;
  const all =
    globalPlugin === null
      ? ''
      : html`<p class="by"><a href="${pluginPath({ ...globalPlugin, software })}">All servers on !${name(software.name)}</a></p>
`;
  return {
    title: `Plugins for ${software.name}`,
    description: `Servers and players of the plugins for ${software.name}.`,
    path: softwarePath(softwareUrl),
    heading: html`<p class="kicker">!${path === homePath ? html`<a href="${homePath}">All plugins</a>` : 'Software'}</p>
!${heading(software.name)}!${all}`,
  };
}

function renderTotals(pluginCount: number, { servers, players, software }: DirectoryTotals): string {
  const totals = [
    ['Plugins', pluginCount],
    ['Servers', servers],
    ['Players', players],
    ['Software', software.length],
  ] as const;
  return html`<dl class="totals">
!${totals.map(([label, value]) => html`<div><dt>${label}</dt><dd>${formatCount(value)}</dd></div>`)}
</dl>
`;
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
