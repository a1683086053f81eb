/** The page of one plugin on several platforms: `/plugin/bukkit/ExamplePlugin/1337+2049`. */
import { html } from 'ghtml';
import { listWords } from '../../../draw/format.ts';
import { type EndpointRequest, Redirect, type ResponseBody } from '../../../http/endpoint.ts';
import { type PluginSummary, parsePluginIds } from '../../../model/catalogue.ts';
import { hasShares, sharesIn } from '../../../model/chart-forms.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { Links } from '../../../model/links.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { foldText } from '../../../model/names.ts';
import {
  type LatestPoint,
  type ListedPlugin,
  oldBefore,
  type RecentChanges,
  trendDays,
} from '../../../model/plugin-list.ts';
import { areVersions, shareDayOf } from '../../../model/versions.ts';
import { changeBetween, dayMs, meanOfDays, type Span, spanOver, startOfDays } from '../../../model/window.ts';
import { loadVersions } from '../../../query/load-versions.ts';
import { type VersionInsights, versionInsights } from '../../../series/version-lines.ts';
import { isAddressOf, platformsPath, pluginNowPath, pluginPath } from '../../address/paths.ts';
import { findSharesCharts, loadSharesSum } from '../../charts/load-history.ts';
import { storeSource } from '../../charts/store-source.ts';
import { compareAddress } from '../../state/compare-query.ts';
import { changed, parse } from '../../state/fields.ts';
import { type PageState, pageAddress, pageFields } from '../../state/page-state.ts';
import { type ListedChart, renderChartArticle } from '../chart-article.ts';
import { loadFirstCharts } from '../first-charts.ts';
import { chip, countWords, heading, nameHtml, newestNote, ownerLink, softwareLink } from '../html.ts';
import { pageBody, renderPage } from '../page.ts';
import { renderFigure, renderNumberCells } from '../sparkline.ts';
import { renderSections } from './chart-sections.ts';
import { renderBar } from './plugin-bar.ts';

/**
 * Makes the body of the page. Ids in another order, one given twice, and other names are redirected.
 * @throws AppError `invalid` for malformed or too many ids, or a malformed query.
 */
export function askPlatforms({ params, searchParams, links }: EndpointRequest): ResponseBody {
  const { softwareUrl = '', pluginName = '', pluginId = '' } = params;
  const ids = parsePluginIds(pluginId);
  const state = parse(pageFields, searchParams);
  const isOrdered = ids.map(String).join('+') === pluginId;
  const place = `/plugin/${[softwareUrl, pluginName, pluginId].map(encodeURIComponent).join('/')}`;
  return {
    ...pageBody(pageAddress(place, state), links),
    size: 'large',
    async *parts(reader) {
      const content = await reader.read((view) => loadPlatforms(view, ids));
      const [first] = content.plugins;
      if (first === undefined) return;
      const path = platformsPath(first, ids);
      yield isOrdered && isAddressOf(first, params)
        ? await renderPlatforms(content, { path, state, links })
        : new Redirect(pageAddress(path, state));
    },
  };
}

interface PlatformsPlace {
  readonly path: string;
  readonly state: PageState;
  readonly links: Links;
}

/** Renders the document. */
async function renderPlatforms(
  content: PlatformsContent,
  { path, state, links }: PlatformsPlace,
): Promise<string> {
  const { plugins, charts, span, ladder, servers, players } = content;
  const sections = await renderSections(charts, {
    ...{ path, state, ladder, releases: '' },
    isVersions: ({ chartId }) => chartId === ladder?.chartId,
    renderChart: (chart) => renderChartArticle(chart.plugins, chart, { state, span, pluginsSpan: span }),
  });
  const platforms = listWords(
    plugins.map(({ software }) => software.name),
    0,
  );
  const counts = Object.entries({ server: servers, player: players }).flatMap(([noun, count]) =>
    count === undefined ? [] : countWords(count, noun),
  );
  const title = `${nameOf(content)} for ${platforms}`;
  const head = {
    ...{ title, links, canonicalPath: path },
    description: `Metrics of ${title}${counts.length === 0 ? '' : `: ${counts.join(' and ')}`}.`,
    data: plugins.map(({ id }) => pluginNowPath(id)),
  };
  const bar = renderBar({
    ...{ path, state, charts, span, hasPrevious: false, hasVersions: ladder !== undefined },
    addressOf: (change) => pageAddress(path, changed(pageFields, state, change)),
    sections: sections.titles,
  });
  return renderPage(
    head,
    html`!${renderHead(content)}!${charts.length === 0 ? '' : bar}!${sections.html}<p class="empty">Charts that one platform has alone are on its page: !${plugins.map(platformLink).join(', ')}.</p>
`,
  );
}

/** The name of the plugins, or their names where they differ. */
function nameOf({ plugins }: PlatformsContent): string {
  const names = Map.groupBy(plugins, ({ name }) => foldText(name));
  return listWords(
    [...names.values()].flatMap(([first]) => first?.name ?? []),
    0,
  );
}

function renderHead(content: PlatformsContent): string {
  const { plugins, newestTime, charts, servers, players, days, changes } = content;
  const links = plugins.map(({ software }) => softwareLink(software));
  const owners = new Map(plugins.map(({ owner }) => [owner.id, ownerLink(owner)]));
  const line = charts.find(({ type }) => formOf(type) === 'line');
  const compared = line?.plugins.map(({ id }) => ({ pluginId: id, chartId: line.chartId }));
  const oldestTime = oldBefore(newestTime ?? 0);
  return html`<div class="subject">
<div>
<p class="kicker">!${links.join(' · ')}</p>
!${heading(nameOf(content))}<p class="by">by !${[...owners.values()].join(', ')}!${newestNote(newestTime)}</p>
</div>
<div class="acts">!${compared === undefined ? '' : html`<a class="button" href="${compareAddress({ charts: compared })}">Compare</a>`}</div>
</div>
<div class="figures">
!${figure('Servers', servers, { days, chips: chip(changes['7d'], '7 d') + chip(changes['28d'], '28 d') })}!${figure('Players', players)}</div>
<table class="plugins unranked card">
<thead><tr><th scope="col">Platform</th><th scope="col" class="number">Servers</th><th scope="col" class="number">Players</th><th scope="col" class="trend">${trendDays} days</th><th scope="col" class="number">7 d</th><th scope="col" class="number">28 d</th></tr></thead>
<tbody>
!${plugins.map((plugin) => renderRow(plugin, oldestTime))}</tbody>
</table>
`;
}

function figure(
  what: string,
  count: number | undefined,
  { days = [], chips = '' }: { readonly days?: PlatformsContent['days']; readonly chips?: string } = {},
): string {
  if (count === undefined) return '';
  const rest = html`<p class="chips">!${chips}</p>
`;
  return renderFigure({ title: `${what} on all platforms`, count, days, rest });
}

/** The name of a platform, which leads to the page of the plugin there. */
function platformLink(plugin: ListedPlugin): string {
  return html`<a href="${pluginPath(plugin)}">!${nameHtml(plugin.software.name)}</a>`;
}

function renderRow(plugin: ListedPlugin, oldestTime: number): string {
  return html`<tr><th scope="row">!${platformLink(plugin)}<small>!${nameHtml(plugin.name)}</small></th>!${renderNumberCells(plugin, oldestTime)}</tr>
`;
}

/** A chart that several platforms have; `span` is of all of them. */
interface PlatformsChart extends ListedChart {
  readonly plugins: readonly PluginSummary[];
  readonly pluginSpan: Span | undefined;
}

/** The content of the page. */
interface PlatformsContent {
  /** The plugins, by id. */
  readonly plugins: readonly ListedPlugin[];
  /** Newest time of their numbers; null without any. */
  readonly newestTime: number | null;
  /** Sums of their newest numbers, without plugins that ended a week before; undefined without any. */
  readonly servers: number | undefined;
  readonly players: number | undefined;
  /** Sums of the servers on the last days, as in {@link ListedPlugin}, and the changes of that sum. */
  readonly days: readonly (number | null)[];
  readonly changes: RecentChanges;
  /** Charts of the same id and type that at least two platforms have. */
  readonly charts: readonly PlatformsChart[];
  /** Time that all charts of the plugins span. */
  readonly span: Span | undefined;
  readonly ladder: VersionInsights | undefined;
}

/** Loads the content. @throws AppError `not_found` for an unknown plugin */
async function loadPlatforms(view: MetricsView, ids: readonly number[]): Promise<PlatformsContent> {
  const request = { sort: 'id', descending: false } as const;
  const { plugins } = await view.findPlugins({ ...request, ids, limit: ids.length });
  for (const id of ids) if (!plugins.some((plugin) => plugin.id === id)) await view.getPlugin(id);
  const shared = new Map<string, PlatformsChart>();
  const spans: Span[] = [];
  for (const plugin of plugins) {
    const { charts, span: pluginSpan } = await loadFirstCharts(view, plugin.id);
    if (pluginSpan !== undefined) spans.push(pluginSpan);
    for (const chart of charts) {
      const key = `${chart.type} ${chart.chartId}`;
      const known = shared.get(key) ?? { ...chart, plugins: [], pluginSpan };
      shared.set(key, {
        ...known,
        plugins: [...known.plugins, plugin],
        span: spanOver([known.span ?? [], chart.span ?? []].flat()),
        pluginSpan: spanOver([known.pluginSpan ?? [], pluginSpan ?? []].flat()),
      });
    }
  }
  // An id is that of one chart on the page: of the type that most platforms have.
  const groups = [...shared.values()].sort((a, b) => b.plugins.length - a.plugins.length);
  const typeOf = new Map(groups.map(({ chartId, type }) => [chartId, type] as const).reverse());
  const charts = [...shared.values()].filter(
    ({ chartId, type, plugins }) =>
      plugins.length > 1 && typeOf.get(chartId) === type && (formOf(type) === 'line' || hasShares(type)),
  );
  const times = plugins.flatMap(({ servers, players }) => [servers?.[0] ?? [], players?.[0] ?? []].flat());
  const newestTime = times.length === 0 ? null : Math.max(...times);
  const oldestTime = oldBefore(newestTime ?? 0);
  const current = plugins.filter(({ servers, players }) => (servers ?? players ?? [0])[0] >= oldestTime);
  return {
    ...{ plugins, newestTime, charts, span: spanOver(spans) },
    servers: addUp(current.map(({ servers }) => servers)),
    players: addUp(current.map(({ players }) => players)),
    ...addDays(current),
    ladder: await loadLadder(view, charts),
  };
}

function addUp(points: readonly (LatestPoint | null)[]): number | undefined {
  const values = points.flatMap((point) => point?.[1] ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value);
}

/** Adds up the days of plugins; null for a day that one of them lacks since it began. */
function addDays(plugins: readonly ListedPlugin[]): Pick<PlatformsContent, 'days' | 'changes'> {
  const lines = plugins.flatMap(({ servers, days }) =>
    servers === null || days.length === 0 ? [] : { days, end: startOfDays(servers[0], 0) },
  );
  const newestEnd = Math.max(...lines.map(({ end }) => end));
  const days = Array.from({ length: trendDays }, (_, index) => {
    let sum: number | null = null;
    for (const { days, end } of lines) {
      const place = days.length - trendDays + index + (newestEnd - end) / dayMs;
      if (place < 0) continue;
      const value = days[place] ?? null;
      if (value === null) return null;
      sum = (sum ?? 0) + value;
    }
    return sum;
  });
  const mean = (from: number, to: number) => {
    const some = days.slice(trendDays - from, trendDays - to);
    return meanOfDays(Float64Array.from(some, (day) => day ?? Number.NaN));
  };
  const changeOf = (count: number) => changeBetween(mean(2 * count, count), mean(count, 0)) ?? null;
  return { days, changes: { '7d': changeOf(7), '28d': changeOf(28) } };
}

/** Loads the ladder of the versions of the game, or else of another chart of versions. */
async function loadLadder(
  view: MetricsView,
  charts: readonly PlatformsChart[],
): Promise<VersionInsights | undefined> {
  const source = storeSource(view);
  const ofShares = charts.filter(({ type }) => hasShares(type));
  const rank = ({ chartId }: ListedChart) =>
    chartId === 'minecraftVersion' ? 0 : chartId.endsWith('Version') ? 1 : 2;
  for (const chart of ofShares.sort((a, b) => rank(a) - rank(b))) {
    const { chartId, type, span, plugins } = chart;
    const names = plugins.map(({ id }) => ({ pluginId: id, chartId }));
    const sum = await loadSharesSum(source, await findSharesCharts(source, names));
    const shares = sharesIn(formOf(type), sum?.data);
    // Most charts with other ids have no versions, which their newest shares tell without a history.
    if (rank(chart) === 2 && shares.length > 0 && !areVersions(shareDayOf(shares, null))) continue;
    const days = await loadVersions(source, { charts: names, span, shares });
    if (days !== undefined) return versionInsights(chartId, days);
  }
  return undefined;
}
