/** Loads what happened to a plugin, as the entries of its feeds. */
import { createHash } from 'node:crypto';
import { formatDay, formatExact, formatMean } from '../../draw/format.ts';
import type { PluginSummary } from '../../model/catalogue.ts';
import { formOf } from '../../model/chart-types.ts';
import { compareText, valuesOf } from '../../model/columns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginEvent } from '../../model/plugin-event.ts';
import type { LatestPoint } from '../../model/plugin-list.ts';
import type { SeriesOfChart } from '../../model/series-source.ts';
import { isVersion } from '../../model/versions.ts';
import {
  changeBetween,
  type DataWindow,
  dayMs,
  monthMs,
  spanOver,
  startOfDays,
  stepEnd,
  stepStart,
  windowOver,
} from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { LineDays } from '../../series/line-days.ts';
import { listSpannedCharts, loadVersionDays, type SpannedChart } from '../../series/load-insights.ts';
import { loadSeries } from '../../series/load-series.ts';
import { changeWords } from '../pages/html.ts';

/** An entry of a feed. */
export interface FeedEntry {
  /** `urn:uuid:` with a version 5 UUID of `pluginId|kind|time|title`. */
  readonly id: string;
  readonly kind: 'event' | 'week' | 'version' | 'record';
  /** Start and end of what the entry is about. */
  readonly from: number;
  readonly updated: number;
  readonly title: string;
  /** Empty for an event. */
  readonly text: string;
  /** Page of an event. */
  readonly url: string | null;
}

/** Entries of a plugin. */
export interface PluginFeed {
  readonly plugin: PluginSummary;
  /** Newest first; entries of the same time by kind, then by title. */
  readonly entries: readonly FeedEntry[];
}

const maxEntries = 100;
const maxAgeMs = 400 * dayMs;

/** Maximum number of charts of versions, the first by position. */
const maxVersionCharts = 20;

/** Number of shares that are looked at: the largest. */
const maxShares = 1000;

/** Number of days for which a version must lead. */
const leadingDays = 7;

const weekMs = 7 * dayMs;

type NewEntry = Pick<FeedEntry, 'kind' | 'from' | 'updated' | 'title'> &
  Partial<Pick<FeedEntry, 'text' | 'url'>>;

/** Loads the entries. @throws AppError `not_found` if the plugin is unknown. */
export async function loadFeed(view: MetricsView, pluginId: number): Promise<PluginFeed> {
  const plugin = await view.getPlugin(pluginId);
  const charts = await listSpannedCharts(view, pluginId);
  const at = spanOver(charts.flatMap(({ span }) => span ?? []))?.last;
  const events: PluginEvent[] = [];
  for await (const batch of view.listEvents(pluginId)) {
    events.push(...batch);
    events.splice(0, events.length - maxEntries);
  }
  const oldest = (at ?? events.at(-1)?.time ?? 0) - maxAgeMs;
  const found: NewEntry[] = events.map(({ time, title, url }) => ({
    ...{ kind: 'event', from: time, updated: time, title, url },
  }));
  if (at !== undefined) {
    const weeks: Weeks = new Map();
    const wholeUntil = startOfDays(at, 0);
    for (let end = stepStart(wholeUntil, weekMs); end >= oldest; end -= weekMs)
      weeks.set(end - weekMs, { numbers: [], versions: [] });
    for (const chartId of ['servers', 'players'])
      found.push(...(await tellLine(view, charts, { chartId, weeks, wholeUntil })));
    let count = 0;
    for (const chart of charts) {
      if ((await loadVersionDays(view, chart, at)) === undefined) continue;
      if (++count > maxVersionCharts) break;
      found.push(...(await tellVersions(view, chart, { oldest, weeks, wholeUntil })));
    }
    found.push(...[...weeks].flatMap(weekEntry));
  }
  // Two charts of the same title and version would have one id.
  const byId = new Map<string, FeedEntry>();
  for (const { text = '', url = null, ...entry } of found) {
    const id = uuidOf([pluginId, entry.kind, entry.updated, entry.title]);
    if (entry.updated >= oldest && !byId.has(id)) byId.set(id, { ...entry, id, text, url });
  }
  const sorted = [...byId.values()].sort(
    (a, b) => b.updated - a.updated || compareText(a.kind, b.kind) || compareText(a.title, b.title),
  );
  return { plugin, entries: sorted.slice(0, maxEntries) };
}

/** Makes a version 5 UUID of a name (RFC 9562 5.5), in the namespace for URLs. */
export function uuidOf(name: readonly (string | number)[]): string {
  const namespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
  const hash = createHash('sha1').update(namespace).update(name.join('|')).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return `urn:uuid:${hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/** Parts of the sentences about a week. */
interface WeekParts {
  readonly numbers: string[];
  readonly versions: string[];
}

/** Weeks by their starts. */
type Weeks = Map<number, WeekParts>;

/** Adds the means of a line to the weeks. Returns the records of its months. */
async function tellLine(
  view: MetricsView,
  charts: readonly SpannedChart[],
  {
    chartId,
    weeks,
    wholeUntil,
  }: { readonly chartId: string; readonly weeks: Weeks; readonly wholeUntil: number },
): Promise<readonly NewEntry[]> {
  const line = await readLine(view, charts, { chartId, weeks: [...weeks.keys()] });
  for (const [start, { numbers }] of weeks) {
    const mean = line?.days.mean(start, 7);
    if (mean === undefined) continue;
    const change = changeBetween(line?.days.mean(start - weekMs, 7), mean);
    numbers.push(`${formatMean(mean)} ${chartId}${change === undefined ? '' : ` (${changeWords(change)})`}`);
  }
  return [...(line?.highs ?? [])].flatMap(([month, [time, value]]) => {
    const updated = stepEnd(month, monthMs);
    if (updated > wholeUntil) return [];
    const name = formatDay(month).replace(/^\d+ /, '');
    const text = `${formatExact(value)} ${chartId} on ${formatDay(time)}, more than ever before.`;
    return { kind: 'record', from: month, updated, title: `Record of ${chartId} in ${name}`, text };
  });
}

/** Adds the most used version to the weeks. Returns the versions that have led for seven days. */
async function tellVersions(
  view: MetricsView,
  chart: SpannedChart,
  {
    oldest,
    weeks,
    wholeUntil,
  }: { readonly oldest: number; readonly weeks: Weeks; readonly wholeUntil: number },
): Promise<readonly NewEntry[]> {
  const leads = await findLeads(view, chart, oldest);
  if (chart.span !== undefined && weeks.size > 0) {
    const window = { from: Math.max(0, Math.min(...weeks.keys())), to: stepStart(wholeUntil, weekMs) };
    for (const [start, name] of await findMostUsed(view, chart, window))
      weeks.get(start)?.versions.push(`${name} (${chart.title})`);
  }
  return leads.map(({ name, from }) => ({
    ...{ kind: 'version', from, updated: from + leadingDays * dayMs },
    title: `${chart.title}: ${name} is the most used`,
    text: `${name} was the most used on seven whole days in a row, from ${formatDay(from)} on.`,
  }));
}

/** Makes the entry of a week; none if there is nothing to tell. */
function weekEntry([start, { numbers, versions }]: [number, WeekParts]): readonly NewEntry[] {
  const sentences = [
    ...(numbers.length > 0 ? [`${numbers.join(' and ')} on average.`] : []),
    ...(versions.length > 0 ? [`Most used: ${versions.join(', ')}.`] : []),
  ];
  const title = `Week of ${formatDay(start)}`;
  if (sentences.length === 0) return [];
  return [{ kind: 'week', from: start, updated: start + weekMs, title, text: sentences.join(' ') }];
}

interface ReadLine {
  readonly days: LineDays;
  /** For each month whose highest value exceeds all before, its first highest point. */
  readonly highs: ReadonlyMap<number, LatestPoint>;
}

async function readLine(
  view: MetricsView,
  charts: readonly SpannedChart[],
  { chartId, weeks }: { readonly chartId: string; readonly weeks: readonly number[] },
): Promise<ReadLine | undefined> {
  const line = charts.find((one) => one.chartId === chartId && formOf(one.type) === 'line');
  if (line?.span === undefined) return undefined;
  const { span } = line;
  const before = weeks.map((start) => start - weekMs);
  const needed = [...weeks, ...before].flatMap((start) =>
    Array.from({ length: 7 }, (_, index) => start + index * dayMs),
  );
  const wholeUntil = startOfDays(span.last, 0);
  const days = new LineDays(
    span.last,
    needed.filter((day) => day < wholeUntil),
  );
  const highs = new Map<number, LatestPoint>();
  let highest = 0;
  for await (const part of view.readColumns(line, windowOver('all', span))) {
    const values = valuesOf(part);
    days.add(part.times, values);
    for (const [index, value] of values.entries()) {
      if (value <= highest) continue;
      const time = part.times[index] ?? 0;
      highest = value;
      highs.set(stepStart(time, monthMs), [time, value]);
    }
    await nextTurn();
  }
  return { days, highs };
}

/**
 * Finds the versions that led for seven whole days, from a week before the oldest entry on, each with the
 * first of these days.
 */
async function findLeads(
  view: MetricsView,
  { pluginId, chartId, span }: SpannedChart,
  oldest: number,
): Promise<ReadonlyArray<{ readonly name: string; readonly from: number }>> {
  const window = {
    from: Math.max(0, stepStart(oldest, dayMs) - (leadingDays + 1) * dayMs),
    to: startOfDays(span?.last ?? 0, 0),
  };
  if (window.from >= window.to) return [];
  const { times, series } = await loadSeries(view, {
    ...{ charts: [{ pluginId, chartId }], window, step: '1d', aggregate: 'mean' },
    ...{ top: maxShares, level: 1, isSum: false },
  });
  const leads: { name: string; from: number }[] = [];
  let run = { name: '', from: 0, days: 0 };
  for (const [index, day] of times.entries()) {
    const name = largestAt(series, index) ?? '';
    const goesOn = name === run.name && day === run.from + run.days * dayMs;
    run = goesOn ? { ...run, days: run.days + 1 } : { name, from: day, days: 1 };
    if (run.days === leadingDays && isVersion(name)) leads.push(run);
    await nextTurn();
  }
  return leads;
}

/** Finds the most used minor line of each week that has one, by the start of the week. */
async function findMostUsed(
  view: MetricsView,
  { pluginId, chartId }: SpannedChart,
  window: DataWindow,
): Promise<ReadonlyMap<number, string>> {
  const { times, series } = await loadSeries(view, {
    ...{ charts: [{ pluginId, chartId }], window, step: '7d', aggregate: 'mean', group: 'minor' },
    ...{ top: maxShares, level: 1, isSum: false },
  });
  const versions = series.filter(({ name }) => isVersion(name));
  return new Map(
    Array.from(times, (week, index) => [week, largestAt(versions, index)] as const).flatMap(([week, name]) =>
      name === undefined ? [] : [[week, name]],
    ),
  );
}

/**
 * Returns the name of the share with the largest value, which must exceed 0; of equal ones the first
 * bytewise.
 */
function largestAt(series: readonly SeriesOfChart[], index: number): string | undefined {
  let [largest, most]: [string | undefined, number] = [undefined, 0];
  for (const { name, values, isOther } of series) {
    const value = values[index] ?? 0;
    if (isOther || !(value >= most && value > 0)) continue;
    if (value > most || largest === undefined || compareText(name, largest) < 0)
      [largest, most] = [name, value];
  }
  return largest;
}
