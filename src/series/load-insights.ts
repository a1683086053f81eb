/** Loads the insights of a plugin. */

import { hasShares, haveOneValueEach, sharesIn } from '../model/chart-forms.ts';
import { formOf } from '../model/chart-types.ts';
import { valuesOf } from '../model/columns.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import type { PluginEvent } from '../model/plugin-event.ts';
import { trendDays } from '../model/plugin-list.ts';
import {
  addToSum,
  areVersions,
  dayBefore,
  type ShareDay,
  shareDayOf,
  type VersionDays,
  versionKey,
} from '../model/versions.ts';
import {
  type DataWindow,
  dayMs,
  dayStart,
  firstFrom,
  type Span,
  spanOver,
  startOfDays,
  windowOver,
} from '../model/window.ts';
import { nextTurn } from '../runtime/next-turn.ts';
import { free } from '../runtime/releasable-memory.ts';
import { daysOfChanges, LineDays, type LineInsights, lastDays, ratio } from './line-days.ts';
import { roundMean } from './number-text.ts';
import {
  type KnownVersions,
  type Release,
  type ReleaseSpread,
  ReleaseSpreads,
  versionInTitle,
  wordsIn,
} from './releases.ts';
import { sumBetween, type VersionInsights, versionInsights } from './version-lines.ts';

/** Insights of a plugin. */
export interface PluginInsights {
  /** Newest time of the plugin; null without data. */
  readonly at: number | null;
  /** One element each for servers and players, if the plugin has the chart. */
  readonly lines: readonly LineInsights[];
  readonly standing: Standing | null;
  readonly versions: readonly VersionInsights[];
  /** Newest first. */
  readonly releases: readonly ReleaseInsights[];
}

/** Rank of a plugin by servers among the plugins of its software. */
interface Standing {
  readonly rank: number | null;
  readonly of: number | null;
  /** Share of the servers of the global plugin. */
  readonly share: number | null;
}

/** A release and its effect. */
interface ReleaseInsights extends Release {
  /** Means of the days before and after the release. */
  readonly servers: { readonly before: number; readonly after: number } | null;
  readonly share: {
    readonly '7d': number | null;
    readonly '30d': number | null;
    readonly now: number | null;
  };
  readonly halfAfterDays: number | null;
}

/** A chart with its span. */
export interface SpannedChart {
  readonly pluginId: number;
  readonly chartId: string;
  readonly uid: number;
  readonly type: string;
  readonly title: string;
  readonly span: Span | undefined;
}

const maxReleases = 20;

/** Maximum number of newest events that are searched for releases. */
const maxEvents = 1000;

/** Insights, and for the small lines beside them the means of the last days. */
interface LoadedInsights {
  readonly insights: PluginInsights;
  /** Means of the last {@link trendDays} days of the lines, by chart id; NaN for a day without points. */
  readonly trends: ReadonlyMap<string, Float64Array>;
}

/** Loads the insights of a plugin. @throws AppError `not_found` if the plugin is unknown. */
export async function loadInsights(view: MetricsView, pluginId: number): Promise<LoadedInsights> {
  const plugin = await view.getPlugin(pluginId);
  const charts = await listSpannedCharts(view, pluginId);
  const at = spanOver(charts.flatMap(({ span }) => span ?? []))?.last ?? null;
  const versionChart = charts.find(({ chartId, type }) => chartId === 'pluginVersion' && hasShares(type));
  const releases = await findReleases(view, plugin, versionChart);
  const servers = await readLine(view, charts, 'servers', releases);
  const players = await readLine(view, charts, 'players', []);
  const versions: VersionInsights[] = [];
  let versionsNow: ShareDay | undefined;
  for (const chart of charts.filter(({ type }) => hasShares(type))) {
    const now = await loadNewestDay(view, chart, at);
    if (chart === versionChart) versionsNow = now;
    const days = await addDayBefore(view, chart, now);
    if (days !== undefined) versions.push(versionInsights(chart.chartId, days));
  }
  const spreads = await followReleases(view, releases, versionChart);
  const shareNow = versionsNow && sharesByVersion(versionsNow);
  const lines = [servers, players].flatMap((line) => line ?? []);
  const insights: PluginInsights = {
    at,
    lines: lines.map((line) => line.insights),
    standing: await loadStanding(view, pluginId),
    versions,
    releases: releases.map((release, index) => {
      const { halfAfterDays = null, ...share } = spreads[index] ?? { '7d': null, '30d': null };
      return {
        ...release,
        servers: servers === undefined ? null : serversAround(release, servers),
        share: { ...share, now: shareNow?.(release.version) ?? null },
        halfAfterDays,
      };
    }),
  };
  const trends = new Map(lines.map((line) => [line.insights.chartId, line.days.lastMeans(trendDays)]));
  return { insights, trends };
}

/**
 * Loads the two days to compare for a chart of shares; undefined for other charts.
 * @param at newest time of the plugin.
 */
export async function loadVersionDays(
  view: MetricsView,
  chart: SpannedChart,
  at: number | null,
): Promise<VersionDays | undefined> {
  return hasShares(chart.type) ? addDayBefore(view, chart, await loadNewestDay(view, chart, at)) : undefined;
}

async function addDayBefore(
  view: MetricsView,
  chart: SpannedChart,
  now: ShareDay | undefined,
): Promise<VersionDays | undefined> {
  if (now === undefined || !areVersions(now)) return undefined;
  return { now, before: chart.span && (await readDay(view, chart, dayBefore(Number(now.at)))) };
}

/** Lists the charts of a plugin with their spans. */
export async function listSpannedCharts(
  view: MetricsView,
  pluginId: number,
): Promise<readonly SpannedChart[]> {
  const charts: SpannedChart[] = [];
  for await (const batch of view.listCharts(pluginId)) {
    const spans = await view.findSpans(batch.map(({ uid }) => uid));
    for (const { chartId, uid, type, title } of batch)
      charts.push({ pluginId, chartId, uid, type, title, span: spans.get(uid) });
  }
  return charts;
}

/** Finds the newest releases among the newest events, newest first. */
async function findReleases(
  view: MetricsView,
  { id, name }: { readonly id: number; readonly name: string },
  chart: SpannedChart | undefined,
): Promise<readonly Release[]> {
  const events: PluginEvent[] = [];
  for await (const batch of view.listEvents(id)) {
    events.push(...batch);
    events.splice(0, events.length - maxEvents);
  }
  const known = await findKnown(view, events, chart);
  const releases: Release[] = [];
  for (const { time, title, url } of events.reverse()) {
    const version = versionInTitle(title, name, known);
    if (version !== undefined) releases.push({ time, title, url, version });
    if (releases.length === maxReleases) break;
    await nextTurn();
  }
  return releases;
}

/** Maximum number of names to remember as already compared. */
const maxSeen = 10_000;

/** Finds the names in the history that the words of event titles may refer to. */
async function findKnown(
  view: MetricsView,
  events: readonly PluginEvent[],
  chart: SpannedChart | undefined,
): Promise<KnownVersions> {
  const known = new Map<string, string[]>();
  if (chart === undefined || events.length === 0) return known;
  for (const { title } of events) {
    for (const word of wordsIn(title)) known.set(versionKey(word), []);
    await nextTurn();
  }
  const seen = new Set<string>();
  for await (const names of view.listShareNames(chart.uid)) {
    if (seen.size > maxSeen) seen.clear();
    for (const name of names) {
      if (seen.has(name)) continue;
      seen.add(name);
      const same = known.get(versionKey(name));
      if (same !== undefined && !same.includes(name)) same.push(name);
    }
    await nextTurn();
  }
  return known;
}

/** A line that has been read. */
interface ReadLine {
  readonly days: LineDays;
  readonly insights: LineInsights;
  /** End of the last whole day. */
  readonly wholeUntil: number;
}

/** Number of days before and after a release whose means are compared. */
const daysAround = 7;

/**
 * Reads a line, including the days around releases; undefined if the chart does not exist or has no points.
 */
async function readLine(
  view: MetricsView,
  charts: readonly SpannedChart[],
  chartId: string,
  releases: readonly Release[],
): Promise<ReadLine | undefined> {
  const chart = charts.find((one) => one.chartId === chartId && formOf(one.type) === 'line');
  if (chart?.span === undefined) return undefined;
  const { span } = chart;
  const around = releases.flatMap(({ time }) =>
    Array.from({ length: 2 * daysAround + 1 }, (_, index) => dayStart(time) + (index - daysAround) * dayMs),
  );
  const needed = [...lastDays(span.last, trendDays), ...daysOfChanges(span.last), ...around];
  const days = new LineDays(span.last, needed);
  for await (const part of view.readColumns(chart, windowOver('all', span))) {
    days.add(part.times, valuesOf(part));
    await nextTurn();
  }
  const insights = days.insights(chartId);
  return insights && { days, insights, wholeUntil: startOfDays(span.last, 0) };
}

function serversAround({ time }: Release, { days, wholeUntil }: ReadLine): ReleaseInsights['servers'] {
  const day = dayStart(time);
  if (day + (daysAround + 1) * dayMs > wholeUntil) return null;
  const before = days.mean(day - daysAround * dayMs, daysAround);
  const after = days.mean(day + dayMs, daysAround);
  if (before === undefined || after === undefined) return null;
  return { before: roundMean(before), after: roundMean(after) };
}

/**
 * Loads the newest whole day in the history of a chart of shares; without a history, the data that the chart
 * shows now. Undefined for a chart without shares.
 */
async function loadNewestDay(
  view: MetricsView,
  chart: SpannedChart,
  at: number | null,
): Promise<ShareDay | undefined> {
  const { pluginId, chartId, type, span } = chart;
  if (span !== undefined) {
    const wholeUntil = startOfDays(span.last, 0);
    let newest: number | undefined;
    for await (const part of view.readColumns(chart, { from: wholeUntil - dayMs, to: wholeUntil })) {
      newest = part.times[firstFrom(part.times, wholeUntil) - 1] ?? newest;
      free(part.times.buffer);
    }
    if (newest !== undefined) return readDay(view, chart, dayStart(newest));
  }
  await nextTurn();
  const shown = await view.readChartData(pluginId, chartId, 0);
  if (shown.storage !== 'latest' || !haveOneValueEach(type, shown.json)) return undefined;
  const day = shareDayOf(sharesIn(formOf(type), JSON.parse(shown.json)), at);
  return day.sums.size > maxNames ? undefined : day;
}

/** Maximum number of names on a day: so many names are not versions worth comparing. */
const maxNames = 5000;

/** Adds up the outer shares of a day; undefined if the day has no times, or too many names. */
async function readDay(view: MetricsView, chart: SpannedChart, at: number): Promise<ShareDay | undefined> {
  const day: DataWindow = { from: at, to: at + dayMs };
  const sums = new Map<string, number>();
  let timeCount = 0;
  for await (const { times, series } of view.readColumns(chart, day)) {
    const [start, end] = [firstFrom(times, day.from), firstFrom(times, day.to)];
    timeCount += end - start;
    for (const { group, name, values } of series) {
      const sum = sumBetween(values, start, end);
      if (sum !== 0) addToSum(sums, group ?? name, sum);
    }
    free(times.buffer);
    if (sums.size > maxNames) return undefined;
    await nextTurn();
  }
  return timeCount === 0 ? undefined : { at, timeCount, sums };
}

/** Follows releases through the history of versions. */
async function followReleases(
  view: MetricsView,
  releases: readonly Release[],
  chart: SpannedChart | undefined,
): Promise<readonly ReleaseSpread[]> {
  const spreads = new ReleaseSpreads(releases);
  if (chart?.span === undefined || releases.length === 0) return spreads.spreads;
  const from = Math.min(...releases.map(({ time }) => dayStart(time)));
  const to = startOfDays(chart.span.last, 0);
  if (from >= to) return spreads.spreads;
  for await (const part of view.readColumns(chart, { from, to })) {
    spreads.add(part, to);
    free(part.times.buffer);
    if (spreads.isDone) break;
    await nextTurn();
  }
  spreads.finish();
  return spreads.spreads;
}

/** Returns a function that finds the share of a version on a day, under any of its names. */
function sharesByVersion({ sums }: ShareDay): (version: string) => number | null {
  const byKey = new Map<string, number>();
  let total = 0;
  for (const [name, sum] of sums) {
    total += sum;
    addToSum(byKey, versionKey(name), sum);
  }
  return (version) => ratio((byKey.get(versionKey(version)) ?? 0) / total);
}

/** Maximum number of plugins that are counted. */
const maxCounted = 10_000;

async function loadStanding(view: MetricsView, pluginId: number): Promise<Standing | null> {
  const place = await view.findPlace(pluginId, maxCounted);
  if (place === undefined) return null;
  const { servers, globalServers, aheadCount, knownCount } = place;
  return {
    rank: aheadCount + 1 > maxCounted ? null : aheadCount + 1,
    of: knownCount > maxCounted ? null : knownCount,
    share: globalServers === null ? null : ratio(servers / globalServers),
  };
}
