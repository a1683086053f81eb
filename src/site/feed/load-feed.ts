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
import { LineDays, lastDays } from '../../series/line-days.ts';
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
const maxAgeDays = 400;

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
  const oldest = (at ?? events.at(-1)?.time ?? 0) - maxAgeDays * dayMs;
  const found: NewEntry[] = events.map(({ time, title, url }) => ({
    ...{ kind: 'event', from: time, updated: time, title, url },
  }));
  if (at !== undefined) {
    const weeks = new Map<number, WeekParts>();
    const wholeUntil = startOfDays(at, 0);
    const time = { oldest, weeks, wholeUntil };
    for (let end = stepStart(wholeUntil, weekMs); end >= oldest; end -= weekMs)
      weeks.set(end - weekMs, { numbers: [], versions: [] });
    for (const id of ['servers', 'players'])
      for (const chart of charts.filter(({ chartId, type }) => chartId === id && formOf(type) === 'line'))
        found.push(...(await tellLine(view, chart, time)));
    let count = 0;
    for (const chart of charts) {
      if ((await loadVersionDays(view, chart, at)) === undefined) continue;
      if (++count > maxVersionCharts) break;
      found.push(...(await tellVersions(view, chart, time)));
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

/** The time that the entries cover. */
interface FeedTime {
  /** Weeks by their starts, the newest first. */
  readonly weeks: Map<number, WeekParts>;
  /** End of the last whole day of the plugin. */
  readonly wholeUntil: number;
  readonly oldest: number;
}

/** Adds the means of a line to the weeks. Returns the records of its months. */
async function tellLine(
  view: MetricsView,
  line: SpannedChart,
  { weeks, wholeUntil }: FeedTime,
): Promise<readonly NewEntry[]> {
  const { chartId, span } = line;
  if (span === undefined) return [];
  // The oldest week may begin a week before the oldest entry, and is compared with the week before it.
  const days = new LineDays(span.last, lastDays(span.last, maxAgeDays + 21));
  // For each month whose highest value exceeds all before, its first highest point.
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
  for (const [start, { numbers }] of weeks) {
    const mean = days.mean(start, 7);
    if (mean === undefined) continue;
    const change = changeBetween(days.mean(start - weekMs, 7), mean);
    numbers.push(`${formatMean(mean)} ${chartId}${change === undefined ? '' : ` (${changeWords(change)})`}`);
  }
  return [...highs].flatMap(([month, [time, value]]) => {
    const updated = stepEnd(month, monthMs);
    if (updated > wholeUntil) return [];
    const name = formatDay(month).replace(/^\d+ /, '');
    const text = `${formatExact(value)} ${chartId} on ${formatDay(time)}, more than ever before.`;
    return { kind: 'record', from: month, updated, title: `Record of ${chartId} in ${name}`, text };
  });
}

/** Members common to both queries for a chart of versions. */
const ofVersions = { aggregate: 'mean', top: maxShares, level: 1, isSum: false } as const;

/** Adds the most used minor line to the weeks. Returns the versions that have led for seven days. */
async function tellVersions(
  view: MetricsView,
  chart: SpannedChart,
  { oldest, weeks, wholeUntil }: FeedTime,
): Promise<readonly NewEntry[]> {
  const { span, title } = chart;
  if (span === undefined) return [];
  const leads = await findLeads(view, chart, {
    from: Math.max(0, stepStart(oldest, dayMs) - (leadingDays + 1) * dayMs),
    to: startOfDays(span.last, 0),
  });
  const window = { from: Math.max(0, Math.min(...weeks.keys())), to: stepStart(wholeUntil, weekMs) };
  const asked = { ...ofVersions, charts: [chart], window, step: '7d', group: 'minor' } as const;
  const { times, series } = await loadSeries(view, asked);
  const versions = series.filter(({ name }) => isVersion(name));
  for (const [index, week] of times.entries()) {
    const name = largestAt(versions, index);
    if (name !== undefined) weeks.get(week)?.versions.push(`${name} (${title})`);
  }
  return leads.map(({ name, from }) => ({
    ...{ kind: 'version', from, updated: from + leadingDays * dayMs },
    title: `${title}: ${name} is the most used`,
    text: `${name} was the most used on seven whole days in a row, from ${formatDay(from)} on.`,
  }));
}

/** Finds the versions that led for seven whole days, each with the first of these days. */
async function findLeads(
  view: MetricsView,
  chart: SpannedChart,
  window: DataWindow,
): Promise<ReadonlyArray<{ readonly name: string; readonly from: number }>> {
  if (window.from >= window.to) return [];
  const { times, series } = await loadSeries(view, { ...ofVersions, charts: [chart], window, step: '1d' });
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
