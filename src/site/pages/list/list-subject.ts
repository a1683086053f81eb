/** The subject of a list: all plugins, those of a software or of an owner, with totals and charts of them. */

import { html } from 'ghtml';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { ListedSoftware } from '../../../model/plugin-list.ts';
import { pluginPath } from '../../address/paths.ts';
import { compareAddress } from '../../state/compare-query.ts';
import { linesPictureAddress, overviewPictureAddress } from '../../state/pictures.ts';
import { usualRange as window } from '../../state/shown-window.ts';
import { countWords, formatCount, heading, nameHtml, renderPicture, timeTag } from '../html.ts';
import { siteName } from '../page.ts';
import { type ServerCount, type Totals, totalsOf } from '../totals.ts';

/** The plugins of a software or of an owner; all of them without both. */
export interface ListedPart {
  readonly softwareUrl?: string | undefined;
  readonly ownerId?: number | undefined;
}

/** The subject. */
export interface Subject {
  readonly title: string;
  readonly description: string;
  /** HTML. */
  readonly heading: string;
  readonly totals: readonly Total[];
  /** The time of the newest number in the totals, in Unix milliseconds; undefined without any. */
  readonly newestTime: number | undefined;
  /** The chart above the list, as HTML. */
  readonly chart?: string;
}

type Total = readonly [label: string, value: number | undefined];

/** Loads the subject; rejects with AppError `not_found` for an unknown software or owner. */
export async function loadSubject(
  view: MetricsView,
  { softwareUrl, ownerId }: ListedPart,
  software: readonly ListedSoftware[],
): Promise<Subject> {
  if (ownerId !== undefined) return loadOwner(view, ownerId);
  if (softwareUrl !== undefined) return loadSoftware(view, softwareUrl, software);
  const all = totalsOf(software);
  const softwareCount = all.software.length;
  return {
    title: siteName,
    description: `${countWords(all.pluginCount, 'plugin')} on ${countWords(softwareCount, 'software', 'software')}: servers, players and every chart.`,
    heading: '<h1>Plugins</h1>\n',
    totals: [...totalsIn(all), ['Software', softwareCount]],
    newestTime: newestOf(all),
  };
}

async function loadOwner(view: MetricsView, ownerId: number): Promise<Subject> {
  const owner = await view.loadOwnerNow(ownerId);
  if (owner === undefined) throw new AppError('unknown-owner', `there is no owner with the id ${ownerId}`);
  return {
    title: `Plugins by ${owner.name}`,
    description: `Servers and players of the plugins by ${owner.name}.`,
    heading: html`<p class="kicker">Owner</p>
!${heading(owner.name)}`,
    totals: [
      ['Plugins', owner.pluginCount],
      ['Servers, added up', owner.servers ?? undefined],
      ['Players, added up', owner.players ?? undefined],
    ],
    newestTime: owner.newestTime ?? undefined,
    chart: await sumChart(view, { ownerId }),
  };
}

async function loadSoftware(
  view: MetricsView,
  softwareUrl: string,
  all: readonly ListedSoftware[],
): Promise<Subject> {
  const software = all.find(({ url }) => url === softwareUrl);
  if (software === undefined)
    throw new AppError('unknown-software', `there is no software ${quote(softwareUrl)}`);
  const totals = totalsOf([software]);
  const global = software.globalPlugin && { ...software.globalPlugin, software };
  const isCounted = software.servers !== null || software.players !== null;
  return {
    title: `Plugins for ${software.name}`,
    description: `Servers and players of the plugins for ${software.name}.`,
    heading: html`<p class="kicker">Software</p>
!${heading(software.name)}!${
      global === null
        ? ''
        : html`<p class="by"><a href="${pluginPath(global)}">All servers on !${nameHtml(software.name)}</a></p>
`
    }`,
    totals: totalsIn(totals),
    newestTime: newestOf(totals),
    chart:
      global && isCounted
        ? totalChart(pluginPath(global), 'All servers and their players', (look) =>
            overviewPictureAddress(global.id, 'svg', { window, look }),
          )
        : await sumChart(view, { softwareUrl }),
  };
}

function totalsIn({ pluginCount, servers, players }: Totals): readonly Total[] {
  const total = (label: string, count: ServerCount | undefined): readonly Total[] =>
    count === undefined ? [] : [[count.isExact ? label : `${label}, at least`, count.count]];
  return [['Plugins', pluginCount], ...total('Servers', servers), ...total('Players', players)];
}

function newestOf({ servers, players }: Totals): number | undefined {
  if (servers === undefined || players === undefined) return (servers ?? players)?.newestTime;
  return Math.max(servers.newestTime, players.newestTime);
}

/** Collectors and mirrors bring a number every half hour; when several are missing, the totals do not speak of now. */
const oldMs = 2 * 60 * 60 * 1000;

/** True for totals whose newest number is older than two hours. */
export function isOld({ newestTime = Number.POSITIVE_INFINITY }: Subject, nowMs: number): boolean {
  return nowMs - newestTime > oldMs;
}

/** Renders the heading, the totals with their time, and the chart. */
export function renderSubject(subject: Subject, nowMs: number): string {
  const { totals, newestTime, chart = '' } = subject;
  const items = totals.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${formatCount(value)}</dd></div>`,
  );
  const mark = isOld(subject, nowMs) ? ' <strong>older than two hours</strong>' : '';
  return html`!${subject.heading}<dl class="totals">
!${items}
</dl>
!${
    newestTime === undefined
      ? ''
      : html`<p class="asof">As of !${timeTag(newestTime)}!${mark}</p>
`
  }!${chart}`;
}

/**
 * A picture of the servers of the plugins of a software or an owner, added up, which leads to their comparison. Beyond the first
 * {@link maxComparedLines} they are left out, and the title says so.
 */
async function sumChart(view: MetricsView, filter: ListedPart): Promise<string> {
  const limit = maxComparedLines + 1;
  const request = { text: '', find: 'part', isGlobal: false, sort: 'servers', descending: true } as const;
  const { plugins } = await view.findPlugins({ ...filter, ...request, limit });
  const counted = plugins.filter(({ servers }) => servers !== null);
  const shown = counted.slice(0, maxComparedLines);
  // The chart of one plugin is on its page.
  if (shown.length < 2) return '';
  const which = shown.length < counted.length ? `the ${shown.length} largest plugins` : 'all plugins';
  const title = `Servers of ${which}, added up`;
  const charts = shown.map(({ id }) => ({ pluginId: id, chartId: 'servers' }));
  const lines = { charts, mode: 'sum', axis: 'linear', window } as const;
  return totalChart(compareAddress(lines), title, (look) => linesPictureAddress('svg', { ...lines, look }));
}

const sizes = [
  { width: 400, height: 220, maxWidth: 600 },
  { width: 1120, height: 240 },
];

/** A picture that leads to a page. */
function totalChart(
  href: string,
  title: string,
  addressOf: (look: { readonly title: string; readonly width: number; readonly height: number }) => string,
): string {
  const alt = `${title}, ${window.replace('d', ' days')}`;
  const picture = renderPicture(sizes, ({ width, height }) => addressOf({ title, width, height }), { alt });
  return html`<a class="total" href="${href}">!${picture}</a>
`;
}
