/** Loads one plugin on several platforms: its numbers in sum, the charts that platforms share, the ladder. */
import { hasShares, sharesIn, sumByName } from '../../../model/chart-forms.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { PluginSummary } from '../../../model/plugin.ts';
import {
  type LatestPoint,
  type ListedPlugin,
  oldBefore,
  type RecentChanges,
  trendDays,
} from '../../../model/plugin-list.ts';
import { changeBetween, dayMs, meanOfDays, type Span, spanOver, startOfDays } from '../../../model/window.ts';
import { loadVersions } from '../../../query/load-versions.ts';
import { type VersionInsights, versionInsights } from '../../../series/version-lines.ts';
import { storeSource } from '../../charts/store-source.ts';
import type { ListedChart } from '../chart-article.ts';
import { loadFirstCharts } from './load-plugin-page.ts';

/** A chart that several platforms have; `span` is of all of them. */
export interface PlatformsChart extends ListedChart {
  readonly plugins: readonly PluginSummary[];
}

/** The content of the page. */
export interface PlatformsContent {
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
export async function loadPlatforms(view: MetricsView, ids: readonly number[]): Promise<PlatformsContent> {
  const request = { text: '', find: 'part', sort: 'id', descending: false } as const;
  const { plugins } = await view.findPlugins({ ...request, ids, limit: ids.length });
  for (const id of ids) if (!plugins.some((plugin) => plugin.id === id)) await view.getPlugin(id);
  const shared = new Map<string, PlatformsChart>();
  const spans: Span[] = [];
  for (const plugin of plugins) {
    const { charts, span } = await loadFirstCharts(view, plugin.id);
    if (span !== undefined) spans.push(span);
    for (const chart of charts) {
      const known = shared.get(chart.chartId) ?? { ...chart, plugins: [] };
      if (known.type !== chart.type) continue;
      const span = spanOver([known, chart].flatMap((one) => one.span ?? []));
      shared.set(chart.chartId, { ...known, span, plugins: [...known.plugins, plugin] });
    }
  }
  const charts = [...shared.values()].filter(
    ({ type, plugins }) => plugins.length > 1 && (formOf(type) === 'line' || hasShares(type)),
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

/** Loads the ladder of the versions of the game, or else of the first chart of other versions. */
async function loadLadder(
  view: MetricsView,
  charts: readonly PlatformsChart[],
): Promise<VersionInsights | undefined> {
  const source = storeSource(view);
  const ofVersions = charts.filter(({ chartId, type }) => chartId.endsWith('Version') && hasShares(type));
  const isOther = ({ chartId }: ListedChart) => Number(chartId !== 'minecraftVersion');
  for (const { chartId, type, span, plugins } of ofVersions.sort((a, b) => isOther(a) - isOther(b))) {
    const names = plugins.map(({ id }) => ({ pluginId: id, chartId }));
    const latest: unknown[] = [];
    for (const name of names) latest.push((await source.chart(name)).latest);
    const shares = sumByName(latest.flatMap((data) => sharesIn(formOf(type), data)));
    const days = await loadVersions(source, { charts: names, span, shares });
    if (days !== undefined) return versionInsights(chartId, days);
  }
  return undefined;
}
