/** The head of a plugin's page: its name, what a reader can do with its data, and how it stands. */
import { html } from 'ghtml';
import { formatDate, formatExact, formatShare } from '../../../draw/format.ts';
import type { PluginSummary } from '../../../model/catalogue.ts';
import type { LatestPoint } from '../../../model/plugin-list.ts';
import { dayMs } from '../../../model/window.ts';
import type { LineInsights } from '../../../series/line-days.ts';
import type { PluginInsights } from '../../../series/load-insights.ts';
import { feedPath, pluginArchivePath, pluginCsvPath, pluginNowPath } from '../../address/paths.ts';
import { compareAddress } from '../../state/compare-query.ts';
import {
  chip,
  countWords,
  heading,
  nameHtml,
  newestNote,
  ownerLink,
  softwareLink,
  timeTag,
} from '../html.ts';
import { renderFigure } from '../sparkline.ts';

/** A plugin, and what its numbers say. */
export interface PluginHead {
  readonly plugin: PluginSummary;
  readonly insights: PluginInsights;
  /** The means of the last days of the lines of the insights, by chart id; NaN for a day without points. */
  readonly trends: ReadonlyMap<string, Float64Array>;
  /** The title of the first line of the insights. */
  readonly lineTitle: string;
  /** HTML that follows the owner. */
  readonly platforms: string;
}

/** The title of the page. */
export function pluginTitle({ isGlobal, name, software }: PluginSummary): string {
  return isGlobal ? `All servers on ${software.name}` : name;
}

/** Renders the head. A plugin without data has neither actions nor figures. */
export function renderHead(head: PluginHead): string {
  const { plugin, insights, platforms } = head;
  const { software, owner, isGlobal } = plugin;
  const by = html`by !${ownerLink(owner)}`;
  return html`<div class="subject">
<div>
<p class="kicker">!${softwareLink(software)}</p>
!${heading(pluginTitle(plugin))}<p class="by">!${isGlobal ? `${nameHtml(plugin.name)} ${by} · ${softwareLink(software, 'plugins for ')}` : by + platforms}!${newestNote(insights.at)}</p>
</div>
!${insights.at === null ? '' : renderActions(head)}</div>
!${renderCards(head)}`;
}

function renderActions({ plugin, insights: { lines }, lineTitle }: PluginHead): string {
  const { id, name: title } = plugin;
  const [line] = lines;
  const charts = line && [{ pluginId: id, chartId: line.chartId }];
  const file = (href: string, extension: string, words: string) =>
    html`<li><a href="${href}" download="${`${title}.${extension}`}">${words}</a></li>`;
  return html`<div class="acts">
!${charts === undefined ? '' : html`<a class="button" href="${compareAddress({ charts })}">Compare</a>`}
<details class="menu" name="menu"><summary class="button">Download</summary><ul>!${[
    file(pluginCsvPath(id), 'csv', 'Everything as CSV'),
    file(pluginArchivePath(id), 'ndjson', 'Everything as an archive'),
    file(pluginNowPath(id), 'json', 'The newest data as JSON'),
  ]}<li><a href="${feedPath(plugin, 'atom')}">Feed of what happens</a></li></ul></details>
!${line === undefined ? '' : html`<button type="button" class="button primary" data-embed="overview" data-chart="${line.chartId}" data-form="line" data-title="${lineTitle}" aria-haspopup="dialog">Embed</button>`}
</div>
`;
}

function renderCards(head: PluginHead): string {
  const cards = head.insights.lines.map((line) => lineCard(line, head)).join('') + standingCard(head);
  return cards === ''
    ? ''
    : html`<div class="figures">
!${cards}</div>
`;
}

function lineCard({ chartId, now, changes, peak30d, record }: LineInsights, { trends }: PluginHead): string {
  const chips = [chip(changes['7d'], '7 d'), chip(changes['28d'], '28 d'), chip(changes['1y'], '1 y')];
  const high = (words: string, [time, value]: LatestPoint) =>
    html`${words} <b>${formatExact(value)}</b>, !${timeTag(time, formatDate)}`;
  const highs =
    peak30d[0] === record[0]
      ? high('30-day peak and record', record)
      : html`!${high('30-day peak', peak30d)} · !${high('record', record)}`;
  const days = Array.from(trends.get(chartId) ?? [], (mean) => (Number.isNaN(mean) ? null : mean));
  const rest = html`<p class="chips">!${chips}</p>
<p class="foot">!${chartId === 'servers' && now[1] === 0 ? 'Nobody reported in the newest half hour. ' : ''}!${highs}</p>
`;
  return renderFigure({ title: chartId === 'servers' ? 'Servers' : 'Players', count: now[1], days, rest });
}

function standingCard({ plugin: { software }, insights: { at, standing, releases } }: PluginHead): string {
  const [newest] = releases;
  if (standing === null && newest === undefined) return '';
  const place =
    standing === null
      ? ''
      : html`<p class="now">!${standing.rank === null ? 'Beyond' : html`No. ${formatExact(standing.rank)}`} <small>!${standing.rank === null ? 'No. 10,000 ' : ''}of ${standing.of === null ? 'over 10,000' : formatExact(standing.of)} on !${nameHtml(software.name)}</small></p>
!${
          standing.share === null
            ? ''
            : html`<p class="chips"><span class="chip"><b>${formatShare(standing.share)}</b> of its servers</span></p>
`
        }`;
  return html`<section class="card figure">
<h2>Standing</h2>
!${place}!${
    newest === undefined
      ? ''
      : html`<p class="foot">Newest release !${newestWords(newest, at)}</p>
`
  }</section>
`;
}

function newestWords(
  { version, share, time }: PluginInsights['releases'][number],
  at: number | null,
): string {
  const named = html`<b>!${nameHtml(version)}</b>`;
  // A release after the newest data has not been measured.
  if (share.now === null || at === null || time > at) return html`!${named}, !${timeTag(time, formatDate)}`;
  const days = Math.floor((at - time) / dayMs);
  return html`!${named}: ${formatShare(share.now)} of servers after ${countWords(days, 'day')}`;
}
