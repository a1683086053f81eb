/** Subject of a list: all plugins, those of a software or those of an owner, with their totals and chart. */

import { html } from 'ghtml';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import type { PluginSummary } from '../../../model/catalogue.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { ListedSoftware } from '../../../model/plugin-list.ts';
import { pluginPath, softwarePath } from '../../address/paths.ts';
import { type CompareQuery, compareAddress } from '../../state/compare-query.ts';
import { comparisonAttributes } from '../../state/page-state.ts';
import { linesPictureAddress } from '../../state/pictures.ts';
import { usualRange as window } from '../../state/shown-window.ts';
import {
  countWords,
  formatCount,
  heading,
  nameHtml,
  newestNote,
  nounOf,
  renderAttributes,
  renderPicture,
} from '../html.ts';
import { siteName } from '../page.ts';
import { type Figure, renderFigure } from '../sparkline.ts';
import { countAll, totalsOf } from '../totals.ts';

/** Restricts a list to a software or an owner; unrestricted without both. */
export interface ListedPart {
  readonly softwareUrl?: string | undefined;
  readonly ownerId?: number | undefined;
}

/** Subject of a list. */
export interface Subject {
  readonly title: string;
  readonly description: string;
  /** Heading as HTML. */
  readonly heading: string;
  /** The number of its plugins, with their noun. */
  readonly plugins: string;
  readonly figures: readonly Figure[];
  /** The time of its newest number, in Unix milliseconds; null without any. */
  readonly newestTime: number | null;
  /** The chart above the list, as HTML. */
  readonly chart?: string;
}

/** The software with the most servers that have a card. */
const maxCards = 4;

/** Loads the subject; rejects with AppError `not_found` for an unknown software or owner. */
export async function loadSubject(
  view: MetricsView,
  { softwareUrl, ownerId }: ListedPart,
  all: readonly ListedSoftware[],
): Promise<Subject> {
  if (ownerId !== undefined) return loadOwner(view, ownerId);
  if (softwareUrl !== undefined) return loadSoftware(view, softwareUrl, all);
  const { pluginCount, software, newestTime = null } = totalsOf(all);
  const plugins = `${countWords(pluginCount, 'plugin')} on ${countWords(software.length, 'platform')}`;
  return {
    title: siteName,
    description: `${plugins}: servers, players and every chart.`,
    heading: '<h1>Plugins</h1>\n',
    ...{ plugins, newestTime },
    figures: software
      .flatMap(softwareFigure)
      .sort((a, b) => b.count - a.count)
      .slice(0, maxCards),
  };
}

function softwareFigure(software: ListedSoftware): Figure | readonly [] {
  const servers = countAll('servers', software);
  const players = countAll('players', software);
  if (servers === undefined) return [];
  const { name: title, url, days } = software;
  const least = servers.isExact ? '' : ', at least';
  const ofPlayers = ({ count }: { readonly count: number }) =>
    html` · <b>${formatCount(count)}</b> ${nounOf(count, 'player')}`;
  const foot = html`${nounOf(servers.count, 'server')}${least}!${players === undefined ? '' : ofPlayers(players)}`;
  const rest = html`<p class="foot">!${foot}</p>
`;
  return { title: nameHtml(title), count: servers.count, rest, days, href: softwarePath(url) };
}

async function loadOwner(view: MetricsView, ownerId: number): Promise<Subject> {
  const owner = await view.loadOwnerNow(ownerId);
  if (owner === undefined) throw new AppError('unknown-owner', `there is no owner with the id ${ownerId}`);
  const figure = (title: string, count: number | null) =>
    count === null ? [] : { title: nameHtml(title), count };
  const globals = await view.findPlugins({
    ...{ ownerId, isGlobal: true, sort: 'servers', descending: true },
    limit: maxGlobals,
  });
  return {
    title: `Plugins by ${owner.name}`,
    description: `Servers and players of the plugins by ${owner.name}.`,
    heading: html`<p class="kicker">Owner</p>
!${heading(owner.name)}!${globals.plugins.map(allServersLink)}`,
    plugins: countWords(owner.pluginCount, 'plugin'),
    figures: [figure('Servers, added up', owner.servers), figure('Players, added up', owner.players)].flat(),
    newestTime: owner.newestTime,
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
  const global = software.globalPlugin && { ...software.globalPlugin, software };
  const isCounted = software.servers !== null || software.players !== null;
  const figure = (chartId: 'servers' | 'players', word: string): Figure | readonly [] => {
    const known = countAll(chartId, software);
    if (known === undefined) return [];
    const title = nameHtml(known.isExact ? word : `${word}, at least`);
    return chartId === 'servers'
      ? { title, count: known.count, days: software.days }
      : { title, count: known.count };
  };
  return {
    title: `Plugins for ${software.name}`,
    description: `Servers and players of the plugins for ${software.name}.`,
    heading: html`<p class="kicker">Platform</p>
!${heading(software.name)}!${global === null ? '' : allServersLink(global)}`,
    plugins: countWords(software.pluginCount, 'plugin'),
    figures: [figure('servers', 'Servers'), figure('players', 'Players')].flat(),
    newestTime: software.newestTime,
    chart:
      global && isCounted
        ? totalChart('All servers and their players', {
            charts: (['servers', 'players'] as const).flatMap((chartId) =>
              software[chartId] === null ? [] : { pluginId: global.id, chartId },
            ),
            mode: 'absolute',
          })
        : await sumChart(view, { softwareUrl }),
  };
}

/** Maximum number of global plugins that the page of an owner leads to. */
const maxGlobals = 20;

/** Leads to a global plugin, which is in no list. */
function allServersLink(global: Pick<PluginSummary, 'id' | 'name' | 'software'>): string {
  return html`<p class="by"><a href="${pluginPath(global)}">All servers on !${nameHtml(global.software.name)}</a></p>
`;
}

/**
 * Renders the heading, the number of plugins with the time, the cards, and the chart. The script of the page
 * marks a time that is old.
 */
export function renderSubject({ heading, plugins, newestTime, figures, chart = '' }: Subject): string {
  return html`!${heading}<p class="by">${plugins}!${newestNote(newestTime)}</p>
!${
    figures.length === 0
      ? ''
      : html`<div class="figures platforms">
!${figures.map(renderFigure)}</div>
`
  }!${chart}`;
}

/**
 * A chart of the servers of the plugins of a software or an owner, added up. Beyond the first {@link
 * maxComparedLines} they are left out, and the title says so.
 */
async function sumChart(view: MetricsView, filter: ListedPart): Promise<string> {
  const limit = maxComparedLines + 1;
  const request = { isGlobal: false, sort: 'servers', descending: true } as const;
  const { plugins } = await view.findPlugins({ ...filter, ...request, limit });
  const counted = plugins.filter(({ servers }) => servers !== null);
  const shown = counted.slice(0, maxComparedLines);
  // A single plugin has its chart on its own page.
  if (shown.length < 2) return '';
  const which = shown.length < counted.length ? `the ${shown.length} largest plugins` : 'all plugins';
  const charts = shown.map(({ id }) => ({ pluginId: id, chartId: 'servers' }));
  return totalChart(`Servers of ${which}, added up`, { charts, mode: 'sum' });
}

const sizes = [
  { width: 400, height: 284, maxWidth: 600 },
  { width: 1120, height: 304 },
];

/**
 * A chart of its own range, with its picture for pages without script, and a link to the comparison of its
 * lines.
 */
function totalChart(title: string, compared: Pick<CompareQuery, 'charts' | 'mode'>): string {
  const lines = { ...compared, axis: 'linear', window, hidden: [], add: '' } as const;
  const picture = renderPicture(
    sizes,
    ({ width, height }) => linesPictureAddress('svg', { ...lines, look: { title, width, height } }),
    { alt: `${title}, ${window.replace('d', ' days')}` },
  );
  return html`<div class="total"><plugin-chart!${renderAttributes(comparisonAttributes(lines))} title="${title}" height="340" theme="auto">!${picture}</plugin-chart>
<p class="actions"><a href="${compareAddress(lines)}">Compare</a></p></div>
`;
}
