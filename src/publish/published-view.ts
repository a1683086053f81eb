/** A view in which a store has only the plugins that are published, and the file of data of each. */

import { formOf } from '../model/chart-types.ts';
import type { MetricsReader, MetricsView } from '../model/metrics-reader.ts';
import { type ListedPlugin, type ListedSoftware, maxPublished, type OwnerNow } from '../model/plugin-list.ts';
import type { SeriesQuery } from '../model/series-source.ts';
import { dayMs, dayStart, spanOver } from '../model/window.ts';
import { listSpannedCharts } from '../series/load-insights.ts';
import { loadSeries, TooManyValues } from '../series/load-series.ts';

/** Replaces methods of an object. */
function withMethods<Target extends object>(target: Target, own: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      const method: unknown = Reflect.get(name in own ? own : target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

/** Makes a reader of one view, so that all files show one state. */
export function readerOf(reader: MetricsReader, view: MetricsView): MetricsReader {
  return withMethods(reader, { read: (work) => work(view), stream: (work) => work(view) });
}

/** Leaves out the pages of sums over several platforms, which need a server. */
export function withoutSums(view: MetricsView): MetricsView {
  return withMethods(view, { listNamesakes: async () => [] });
}

/** Restricts lists and totals to plugins. What one plugin shows is that of the whole store, as its rank. */
export async function viewOfPlugins(view: MetricsView, pluginIds: readonly number[]): Promise<MetricsView> {
  const request = { sort: 'id', descending: false } as const;
  const { plugins } = await view.findPlugins({ ...request, ids: pluginIds, limit: maxPublished });
  return withMethods(view, {
    findPlugins: (asked) => view.findPlugins({ ...asked, ids: pluginIds }),
    listSoftwareNow: async () => (await view.listSoftwareNow()).map((software) => recount(software, plugins)),
    loadOwnerNow: async (ownerId) => ownerOf(plugins.filter(({ owner }) => owner.id === ownerId)),
  });
}

function recount(software: ListedSoftware, all: readonly ListedPlugin[]): ListedSoftware {
  const plugins = all.filter((plugin) => plugin.software.id === software.id);
  const counted = plugins.filter(({ isGlobal }) => !isGlobal);
  const largest = (chartId: 'servers' | 'players') => maxOf(counted.map((plugin) => plugin[chartId]?.[1]));
  const hasGlobal = plugins.some(({ id }) => id === software.globalPlugin?.id);
  return {
    ...software,
    ...(hasGlobal ? {} : { globalPlugin: null, servers: null, players: null, days: [] }),
    pluginCount: counted.length,
    globalCount: plugins.length - counted.length,
    largest: { servers: largest('servers'), players: largest('players') },
    newestTime: newestOf(plugins),
  };
}

function ownerOf(all: readonly ListedPlugin[]): OwnerNow | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const plugins = all.filter(({ isGlobal }) => !isGlobal);
  const sum = (chartId: 'servers' | 'players') => {
    const values = plugins.flatMap((plugin) => plugin[chartId]?.[1] ?? []);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  };
  return {
    name: first.owner.name,
    pluginCount: plugins.length,
    servers: sum('servers'),
    players: sum('players'),
    newestTime: newestOf(plugins),
  };
}

function newestOf(plugins: readonly ListedPlugin[]): number | null {
  return maxOf(plugins.flatMap(({ servers, players }) => [servers?.[0], players?.[0]]));
}

function maxOf(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? null : Math.max(...known);
}

/** Days before the newest time of a plugin of which all points are kept: charts show these as points. */
const recentDays = 60;

/** Shares of a chart that have names; a picture of more cannot be read. */
const top = 100;

/** Renders the file. @param now the answer about the plugin. */
export async function renderDataFile(view: MetricsView, pluginId: number, now: string): Promise<string> {
  const charts = await listSpannedCharts(view, pluginId);
  const newest = spanOver(charts.flatMap(({ span }) => span ?? []))?.last ?? 0;
  const from = Math.max(0, dayStart(newest - recentDays * dayMs));
  const members: string[] = [];
  for (const { chartId, type, span } of charts) {
    if (span === undefined) continue;
    const form = formOf(type);
    const load = async (level: 1 | 2) => {
      const asked = { charts: [{ pluginId, chartId }], top, level, isSum: false, aggregate: 'mean' } as const;
      const before = { from: span.first, to: from };
      return {
        recent: await loadColumns(view, { ...asked, window: { from, to: newest + 1 }, step: null }),
        ...(span.first < from && {
          days: await loadColumns(view, { ...asked, window: before, step: '1d', hasBand: form === 'line' }),
        }),
      };
    };
    const inner = form === 'drilldown' && { inner: await load(2) };
    members.push(`${JSON.stringify(chartId)}:${JSON.stringify({ ...(await load(1)), ...inner })}`);
  }
  return `${now.slice(0, -1)},"series":{${members.join()}}}`;
}

/** Loads values as JSON; of more points than an answer of the server may have, the means of half hours. */
async function loadColumns(view: MetricsView, query: SeriesQuery) {
  const { times, series } = await loadSeries(view, query).catch((error: unknown) => {
    if (error instanceof TooManyValues) return loadSeries(view, { ...query, step: '30m', hasBand: false });
    throw error;
  });
  return {
    times: [...times],
    series: series.map(({ chart: _, values, lows, highs, ...one }) => ({
      ...one,
      values: [...values],
      ...(lows && highs && { lows: [...lows], highs: [...highs] }),
    })),
  };
}
