/** The subject of a list: all plugins, those of a software or of an owner, with totals and a chart of them. */

import { html } from 'ghtml';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { ListedPlugin, OwnerNow, SoftwareNow } from '../../../model/plugin-list.ts';
import type { Software } from '../../../model/software.ts';
import { homePath, ownerPath, pluginPath, softwarePath } from '../../address/paths.ts';
import { siteName } from '../page.ts';
import { type ServerCount, type Totals, totalsOf } from '../totals.ts';
import { countWords, formatCount, heading, name } from '../words.ts';
import { renderAsOf } from './as-of.ts';
import type { ListQuery, ListRequest } from './list-query.ts';
import { globalChart, sumChart } from './total-chart.ts';

/** A list of all plugins, of those of one software, or of one owner. */
export interface Subject {
  /** Those of all software. */
  readonly totals: Totals;
  readonly software?: SoftwareNow;
  readonly owner?: OwnerNow;
  /** The largest plugins of the software or the owner that have servers, one more than can be added up. */
  readonly largest: readonly ListedPlugin[];
}

/** Loads the subject; rejects with AppError `not_found` for an unknown software or owner. */
export async function loadSubject(
  view: MetricsView,
  { softwareUrl, ownerId }: Pick<ListQuery, 'softwareUrl' | 'ownerId'>,
): Promise<Subject> {
  const all = await view.listSoftwareNow();
  const totals = totalsOf(all);
  if (ownerId !== undefined) {
    const owner = await view.loadOwnerNow(ownerId);
    if (owner !== undefined) return { totals, owner, largest: await listLargest(view, { ownerId }) };
    const message = `there is no owner with the id ${ownerId}`;
    throw new AppError('not_found', message, { kind: 'unknown-owner' });
  }
  if (softwareUrl === undefined) return { totals, largest: [] };
  const software = all.find(({ url }) => url === softwareUrl);
  if (software !== undefined) return { totals, software, largest: await listLargest(view, { softwareUrl }) };
  const message = `there is no software ${quote(softwareUrl)}`;
  throw new AppError('not_found', message, { kind: 'unknown-software' });
}

async function listLargest(
  view: MetricsView,
  filter: Partial<Pick<ListQuery, 'softwareUrl' | 'ownerId'>>,
): Promise<readonly ListedPlugin[]> {
  const { plugins } = await view.findPlugins({
    ...filter,
    text: '',
    find: 'part',
    isGlobal: false,
    sort: 'servers',
    descending: true,
    limit: maxComparedLines + 1,
  });
  return plugins.filter(({ servers }) => servers !== null);
}

/** The heading of a list. */
interface SubjectHeading {
  readonly title: string;
  readonly description: string;
  /** The address of the list without a query. */
  readonly path: string;
  /** HTML. */
  readonly heading: string;
  /** The time of the newest number in the totals, in Unix milliseconds; undefined without any. */
  readonly newestTime: number | undefined;
}

/** Renders the heading. */
export function renderSubject(subject: Subject, request: ListRequest): SubjectHeading {
  const { totals, owner, software } = subject;
  if (owner !== undefined) return ownerHeading(owner, subject, request);
  if (software !== undefined) return softwareHeading(software, subject, request);
  const { pluginCount } = totals;
  const softwareCount = totals.software.length;
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
!${softwareCount === 0 ? '' : renderTotals(list)}!${renderAsOf(newestTime, request.nowMs)}`,
    newestTime,
  };
}

function ownerHeading(
  owner: OwnerNow,
  { largest }: Subject,
  { query: { ownerId = 0 }, nowMs }: ListRequest,
): SubjectHeading {
  const newestTime = owner.newestTime ?? undefined;
  const totals: readonly Total[] = [
    ['Plugins', owner.pluginCount],
    ['Servers, added up', owner.servers ?? undefined],
    ['Players, added up', owner.players ?? undefined],
  ];
  return {
    title: `Plugins by ${owner.name}`,
    description: `Servers and players of the plugins by ${owner.name}.`,
    path: ownerPath(ownerId),
    heading: html`<p class="kicker">Owner</p>
!${heading(owner.name)}!${renderTotals(totals)}!${renderAsOf(newestTime, nowMs)}!${sumChart(largest)}`,
    newestTime,
  };
}

function softwareHeading(
  software: SoftwareNow,
  { largest }: Subject,
  { path, nowMs }: ListRequest,
): SubjectHeading {
  const { pluginCount, servers, players } = totalsOf([software]);
  const newestTime = newestOf(servers, players);
  const totals: readonly Total[] = [['Plugins', pluginCount], ...serverTotals(servers, players)];
  return {
    title: `Plugins for ${software.name}`,
    description: `Servers and players of the plugins for ${software.name}.`,
    path: softwarePath(software.url),
    heading: html`<p class="kicker">!${path === homePath ? html`<a href="${homePath}">All plugins</a>` : 'Software'}</p>
!${heading(software.name)}!${globalLink(software)}!${renderTotals(totals)}!${renderAsOf(newestTime, nowMs)}!${softwareChart(software, largest)}`,
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
function softwareChart(software: SoftwareNow, largest: readonly ListedPlugin[]): string {
  const { globalPlugin, servers, players } = software;
  const isCounted = servers !== null || players !== null;
  return globalPlugin !== null && isCounted ? globalChart({ ...globalPlugin, software }) : sumChart(largest);
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
