/** The subject of a list: all plugins, those of a software or of an owner, with totals and a chart of them. */

import { html } from 'ghtml';
import type { Directory, DirectoryRow, ServerCount } from '../../../directory/directory.ts';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import type { Software } from '../../../model/software.ts';
import { homePath, ownerPath, pluginPath, softwarePath } from '../../address/paths.ts';
import { siteName } from '../page.ts';
import { countWords, formatCount, heading, name } from '../words.ts';
import { renderAsOf } from './as-of.ts';
import type { ListRequest } from './list-query.ts';
import { globalChart, sumChart } from './total-chart.ts';

/** The heading of a list. */
interface Subject {
  readonly title: string;
  readonly description: string;
  /** The address of the list without a query. */
  readonly path: string;
  /** HTML. */
  readonly heading: string;
  /** The time of the newest number in the totals, in Unix milliseconds; undefined without any. */
  readonly newestTime: number | undefined;
}

/**
 * Renders the subject.
 * @throws AppError `not_found` for an unknown software or owner.
 */
export async function renderSubject(directory: Directory, request: ListRequest): Promise<Subject> {
  const { nowMs, query } = request;
  const { softwareUrl, ownerId } = query;
  if (ownerId !== undefined) return ownerSubject(directory, { ownerId, nowMs });
  if (softwareUrl !== undefined) return softwareSubject(directory, { ...request, softwareUrl });
  const { totals, catalogue } = directory;
  const { pluginCount, software } = totals;
  const softwareCount = software.length;
  const description = `${countWords(pluginCount, 'plugin')} on ${countWords(softwareCount, 'software', 'software')}: servers, players and every chart.`;
  const list: readonly Total[] = [
    ['Plugins', pluginCount],
    ...serverTotals(totals.servers, totals.players),
    ['Software', softwareCount],
  ];
  const newestTime = newestOf(totals.servers, totals.players);
  return {
    title: siteName,
    description,
    path: homePath,
    heading: html`<h1>Plugins</h1>
!${catalogue.entries.length === 0 ? '' : renderTotals(list)}!${renderAsOf(newestTime, nowMs)}`,
    newestTime,
  };
}

async function ownerSubject(
  directory: Directory,
  { ownerId, nowMs }: { readonly ownerId: number; readonly nowMs: number },
): Promise<Subject> {
  const owner = directory.catalogue.findOwner(ownerId);
  if (owner === undefined) {
    const message = `there is no owner with the id ${ownerId}`;
    throw new AppError('not_found', message, { kind: 'unknown-owner' });
  }
  const { pluginCount, servers, players, newestTime } = await directory.addUp(ownerId);
  const totals: readonly Total[] = [
    ['Plugins', pluginCount],
    ['Servers, added up', servers],
    ['Players, added up', players],
  ];
  const largest = await listLargest(directory, { ownerId });
  return {
    title: `Plugins by ${owner.name}`,
    description: `Servers and players of the plugins by ${owner.name}.`,
    path: ownerPath(ownerId),
    heading: html`<p class="kicker">Owner</p>
!${heading(owner.name)}!${renderTotals(totals)}!${renderAsOf(newestTime, nowMs)}!${sumChart(largest)}`,
    newestTime,
  };
}

async function softwareSubject(
  directory: Directory,
  { softwareUrl, path, nowMs }: Pick<ListRequest, 'path' | 'nowMs'> & { readonly softwareUrl: string },
): Promise<Subject> {
  const { catalogue } = directory;
  const software = catalogue.findSoftware(softwareUrl);
  if (software === undefined) {
    const message = `there is no software ${quote(softwareUrl)}`;
    throw new AppError('not_found', message, { kind: 'unknown-software' });
  }
  const counted = directory.totals.software.filter(({ url }) => url === softwareUrl);
  const [servers, players] = [directory.countAll('servers', counted), directory.countAll('players', counted)];
  const newestTime = newestOf(servers, players);
  const totals: readonly Total[] = [
    ['Plugins', counted[0]?.pluginCount ?? 0],
    ...serverTotals(servers, players),
  ];
  return {
    title: `Plugins for ${software.name}`,
    description: `Servers and players of the plugins for ${software.name}.`,
    path: softwarePath(softwareUrl),
    heading: html`<p class="kicker">!${path === homePath ? html`<a href="${homePath}">All plugins</a>` : 'Software'}</p>
!${heading(software.name)}!${globalLink(software)}!${renderTotals(totals)}!${renderAsOf(newestTime, nowMs)}!${await softwareChart(directory, software)}`,
    newestTime,
  };
}

/** The link to the page of all servers. */
function globalLink(software: Software): string {
  const { globalPlugin } = software;
  if (globalPlugin === null) return '';
  return html`<p class="by"><a href="${pluginPath({ ...globalPlugin, software })}">All servers on !${name(software.name)}</a></p>
`;
}

/** The chart of all servers; if no global plugin counts them, that of the largest plugins. */
async function softwareChart(directory: Directory, software: Software): Promise<string> {
  const { globalPlugin, url } = software;
  const row = globalPlugin === null ? undefined : directory.find(globalPlugin.id);
  if (row !== undefined && (row.servers !== undefined || row.players !== undefined)) return globalChart(row);
  return sumChart(await listLargest(directory, { softwareUrl: url }));
}

/** The largest plugins that have servers, one more than can be added up. */
async function listLargest(
  directory: Directory,
  filter: { readonly softwareUrl?: string; readonly ownerId?: number },
): Promise<readonly DirectoryRow[]> {
  const { rows } = await directory.search({ ...filter, sort: 'servers', limit: maxComparedLines + 2 });
  return rows.filter(({ isGlobal, servers }) => !isGlobal && servers !== undefined);
}

type Total = readonly [label: string, value: number | undefined];

function serverTotals(servers: ServerCount | undefined, players: ServerCount | undefined): readonly Total[] {
  const total = (label: string, count: ServerCount | undefined): readonly Total[] =>
    count === undefined ? [] : [[count.isExact ? label : `${label}, at least`, count.count]];
  return [...total('Servers', servers), ...total('Players', players)];
}

function newestOf(servers: ServerCount | undefined, players: ServerCount | undefined): number | undefined {
  if (servers === undefined || players === undefined) return (servers ?? players)?.newestTime;
  return Math.max(servers.newestTime, players.newestTime);
}

function renderTotals(totals: readonly Total[]): string {
  return html`<dl class="totals">
!${totals.map(([label, value]) => html`<div><dt>${label}</dt><dd>${formatCount(value)}</dd></div>`)}
</dl>
`;
}
