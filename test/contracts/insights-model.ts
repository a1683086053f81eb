/**
 * A model of the insights and the feed of a plugin: it reads an export alone, and computes everything from
 * single values.
 */
import { formatDay, formatExact, formatMean } from '../../src/draw/format.ts';
import { changeWords } from '../../src/site/pages/html.ts';
import { linesIn } from '../support/archive-text.ts';

const halfHourMs = 30 * 60_000;
const dayMs = 48 * halfHourMs;

/** The outer shares at one time, by name. */
type SharesAt = ReadonlyMap<string, number>;

interface Series {
  readonly group?: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** A line of an export, with the members of all kinds of records. */
interface ExportedRecord {
  readonly record: string;
  readonly id: number;
  readonly pluginId: number;
  readonly chartId: string;
  readonly name: string;
  readonly softwareId: number;
  readonly globalPluginId: number | null;
  readonly isGlobal: boolean;
  readonly type: string;
  readonly position: number;
  readonly data: unknown;
  readonly at?: number;
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly time: number;
  readonly title: string;
  readonly url: string | null;
}

interface ModelChart {
  readonly chartId: string;
  readonly title: string;
  readonly type: string;
  readonly position: number;
  readonly points: [time: number, value: number][];
  readonly history: Map<number, Map<string, number>>;
  latest: SharesAt | undefined;
}

interface ModelPlugin extends Pick<ExportedRecord, 'id' | 'name' | 'softwareId' | 'isGlobal'> {
  readonly charts: ModelChart[];
  readonly events: Pick<ExportedRecord, 'time' | 'title' | 'url'>[];
}

/** The plugins of an export with their data, one of them, and the global plugin of each software. */
function readExport(text: string, pluginId: number) {
  const plugins = new Map<number, ModelPlugin>();
  const globals = new Map<number, number | null>();
  for (const line of linesIn(text)) {
    const record: ExportedRecord = JSON.parse(line);
    if (record.record === 'software') globals.set(record.id, record.globalPluginId);
    else if (record.record === 'plugin') plugins.set(record.id, { ...record, charts: [], events: [] });
    else readOfPlugin(record, plugins.get(record.pluginId));
  }
  const plugin = plugins.get(pluginId);
  if (plugin === undefined) throw new Error(`the export has no plugin ${pluginId}`);
  plugin.charts.sort((a, b) => a.position - b.position || byBytes(a.chartId, b.chartId));
  const times = plugin.charts.flatMap(({ points, history }) => [
    ...points.map(([time]) => time),
    ...history.keys(),
  ]);
  const at = times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b));
  const line = (chartId: string) => plugin.charts.find((chart) => chart.chartId === chartId && isLine(chart));
  return { plugins, globals, plugin, at, line };
}

/** Computes the insights of a plugin, as `/api/v2/plugins/{pluginId}/insights` answers them. */
export function modelInsights(text: string, pluginId: number): unknown {
  const { plugins, globals, plugin, at, line } = readExport(text, pluginId);
  const lines = ['servers', 'players'].flatMap((chartId) => line(chartId) ?? []);
  return {
    at,
    lines: lines.filter(({ points }) => points.length > 0).map(lineOf),
    standing: standingOf(plugin, [...plugins.values()], globals.get(plugin.softwareId) ?? null),
    versions: plugin.charts.filter(isShares).flatMap((chart) => versionsIn(chart, at)),
    releases: releasesOf(plugin, line('servers')),
  };
}

const weekday = (day: number) => (day + 3) % 7;
const dateOf = (day: number) => formatDay(day * dayMs);

/** Computes the entries of the feed of a plugin. */
export function modelFeed(text: string, pluginId: number): unknown {
  const { plugin, at, line } = readExport(text, pluginId);
  const newest = at ?? plugin.events.at(-1)?.time ?? 0;
  const oldest = newest - 400 * dayMs;
  const end = at === null ? 0 : firstOpenDay(at);
  const entries = plugin.events.map(({ time, title, url }) => ({
    ...{ kind: 'event', updated: time, title, url, text: '' },
  }));
  const add = (kind: string, day: number, title: string, text: string) =>
    day <= end && entries.push({ kind, updated: day * dayMs, title, text, url: null });
  const versions = plugin.charts.filter((chart) => isShares(chart) && versionsIn(chart, at).length > 0);
  const lines = ['servers', 'players'].flatMap((chartId) => line(chartId) ?? []);
  for (const { chartId, points } of lines) {
    const months = Map.groupBy(points, ([time]) => new Date(time).toISOString().slice(0, 7));
    let record = 0;
    for (const [month, some] of months) {
      const high = some.reduce((best, point) => (point[1] > best[1] ? point : best));
      if (high[1] <= record) continue;
      record = high[1];
      const first = dayOf(Date.parse(`${month}-01`));
      const next = dayOf(new Date(first * dayMs).setUTCMonth(new Date(first * dayMs).getUTCMonth() + 1));
      const when = `${formatExact(record)} ${chartId} on ${dateOf(dayOf(high[0]))}`;
      const title = `Record of ${chartId} in ${dateOf(first).slice(2)}`;
      add('record', next, title, `${when}, more than ever before.`);
    }
  }
  for (const { title, history } of versions) {
    const open = firstOpenDay(Math.max(...history.keys()));
    const days = Map.groupBy(history, ([time]) => dayOf(time));
    const leaderOn = (day: number) =>
      day < open && leaderOf(days.get(day)?.map(([, shares]) => shares) ?? []);
    for (const day of days.keys()) {
      const name = leaderOn(day);
      if (!name || partsOf(name) === undefined || leaderOn(day - 1) === name) continue;
      if ([1, 2, 3, 4, 5, 6].every((later) => leaderOn(day + later) === name))
        entries.push({
          ...{ kind: 'version', updated: (day + 7) * dayMs, url: null },
          title: `${title}: ${name} is the most used`,
          text: `${name} was the most used on seven whole days in a row, from ${dateOf(day)} on.`,
        });
    }
  }
  for (let day = dayOf(oldest) - 7; day + 7 <= end; day++) {
    if (weekday(day) !== 0) continue;
    const numbers = lines.flatMap((chart) => {
      const whole = firstOpenDay(chart.points.at(-1)?.[0] ?? 0);
      const points = chart.points.filter(([time]) => dayOf(time) < whole);
      const [mean, before] = [meanOver({ points }, day, 7), meanOver({ points }, day - 7, 7)];
      if (mean === undefined) return [];
      const change = before === undefined || before <= 0 ? '' : ` (${changeWords(mean / before - 1)})`;
      return `${formatMean(mean)} ${chart.chartId}${change}`;
    });
    const used = versions.flatMap(({ title, history }) => {
      const ofWeek = [...history].filter(([time]) => dayOf(time) >= day && dayOf(time) < day + 7);
      const name = leaderOf(
        ofWeek.map(([, shares]) => shares),
        (one) => partsOf(one)?.line,
      );
      return name === undefined ? [] : `${name} (${title})`;
    });
    const sentences = [
      numbers.length > 0 ? `${numbers.join(' and ')} on average.` : '',
      used.length > 0 ? `Most used: ${used.join(', ')}.` : '',
    ].filter((sentence) => sentence !== '');
    if (sentences.length > 0) add('week', day + 7, `Week of ${dateOf(day)}`, sentences.join(' '));
  }
  return entries
    .filter(({ updated }) => updated >= oldest)
    .sort((a, b) => b.updated - a.updated || byBytes(a.kind, b.kind) || byBytes(a.title, b.title))
    .slice(0, 100);
}

/** The name with the largest sum, or the name of several that `nameOf` gives. */
function leaderOf(
  times: readonly SharesAt[],
  nameOf: (name: string) => string | undefined = (name) => name,
): string | undefined {
  const sums = new Map<string, number>();
  for (const shares of times)
    for (const [one, value] of shares) {
      const name = nameOf(one);
      if (name !== undefined) add(sums, name, value);
    }
  const [first] = [...sums].sort(([a, one], [b, other]) => other - one || byBytes(a, b));
  return first === undefined || first[1] <= 0 ? undefined : first[0];
}

const isLine = ({ type }: ModelChart) => type === 'single_linechart';
const isShares = ({ type }: ModelChart) => /_(pie|map|bar)$/.test(type);

function readOfPlugin(record: ExportedRecord, plugin: ModelPlugin | undefined): void {
  if (plugin === undefined) return;
  const { chartId, type, position, title, data, at } = record;
  if (record.record === 'event')
    plugin.events.push({ time: record.time, title: record.title, url: record.url });
  if (record.record === 'chart')
    plugin.charts.push({ chartId, type, position, title, points: [], history: new Map(), latest: undefined });
  const chart = plugin.charts.find((one) => one.chartId === chartId);
  if (chart === undefined) return;
  if (record.record === 'data' && isLine(chart)) chart.points.push(...(data as ModelChart['points']));
  if (record.record === 'data' && isShares(chart)) {
    chart.latest = sharesIn(chart.type, data);
    if (at !== undefined && chart.latest !== undefined) chart.history.set(at, new Map(chart.latest));
  }
  if (record.record !== 'history') return;
  for (const [index, time] of record.times.entries()) {
    const shares = new Map<string, number>();
    for (const { group, name, values } of record.series) add(shares, group ?? name, values[index] ?? 0);
    chart.history.set(time, shares);
  }
}

/** Reads the outer shares in data; undefined for bars of several values. */
function sharesIn(type: string, data: unknown): SharesAt | undefined {
  const shares = new Map<string, number>();
  const list = type === 'drilldown_pie' ? (data as { seriesData: unknown }).seriesData : data;
  for (const entry of list as {
    name?: string;
    code?: string;
    y?: number;
    value?: number;
    data?: number[];
  }[]) {
    if (entry.data !== undefined && entry.data.length !== 1) return undefined;
    add(shares, entry.name ?? entry.code ?? '', entry.y ?? entry.value ?? entry.data?.[0] ?? 0);
  }
  return shares;
}

function add(sums: Map<string, number>, name: string, value: number): void {
  sums.set(name, (sums.get(name) ?? 0) + value);
}

const dayOf = (time: number) => Math.floor(time / dayMs);
/** The number of the first incomplete day. */
const firstOpenDay = (newest: number) => dayOf(newest + halfHourMs);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
/**
 * Rounds to four decimals, and never to -0, which JSON does not have. The double nearest to a half may be
 * less than the half, but rounds like it.
 */
const roundOf = (value: number) => (Math.sign(value) * Math.round(Math.abs(value) * 10_000)) / 10_000 || 0;
const ratioOf = (value: number) => (Number.isFinite(value) ? roundOf(value) : null);
const meanOf = (value: number) => (Math.abs(value) < 0.1 ? Number(value.toPrecision(4)) : roundOf(value));

/**
 * The mean of the daily means from a day on; undefined if fewer than four sevenths of the days have points.
 */
function meanOver(
  { points }: Pick<ModelChart, 'points'>,
  firstDay: number,
  dayCount: number,
): number | undefined {
  const means: number[] = [];
  for (let day = firstDay; day < firstDay + dayCount; day++) {
    const values = points.filter(([time]) => dayOf(time) === day).map(([, value]) => value);
    if (values.length > 0) means.push(sumOf(values) / values.length);
  }
  return means.length / dayCount < 4 / 7 - 1e-9 ? undefined : sumOf(means) / means.length;
}

function lineOf(chart: ModelChart): object {
  const { chartId, points } = chart;
  const newest = points.at(-1)?.[0] ?? 0;
  const end = firstOpenDay(newest);
  const change = (dayCount: number, earlier: number) => {
    const now = meanOver(chart, end - dayCount, dayCount);
    const before = meanOver(chart, end - dayCount - earlier, dayCount);
    return now === undefined || before === undefined || before <= 0 ? null : ratioOf(now / before - 1);
  };
  const highest = (some: ModelChart['points']) =>
    some.reduce((best, point) => (point[1] > best[1] ? point : best));
  return {
    chartId,
    now: points.at(-1),
    changes: { '7d': change(7, 7), '28d': change(28, 28), '1y': change(28, 364) },
    peak30d: highest(points.filter(([time]) => time > newest - 30 * dayMs)),
    record: highest(points),
  };
}

function standingOf(
  plugin: ModelPlugin,
  all: readonly ModelPlugin[],
  globalId: number | null,
): object | null {
  const serversOf = ({ charts }: ModelPlugin) =>
    charts.find((chart) => chart.chartId === 'servers' && isLine(chart))?.points.at(-1)?.[1];
  const servers = serversOf(plugin);
  if (servers === undefined || plugin.isGlobal) return null;
  const others = all.filter(({ softwareId, isGlobal }) => softwareId === plugin.softwareId && !isGlobal);
  const numbers = others.map(serversOf).filter((number) => number !== undefined);
  const global = all.find(({ id }) => id === globalId);
  return {
    rank: 1 + numbers.filter((number) => number > servers).length,
    of: numbers.length,
    share: global === undefined ? null : ratioOf(servers / (serversOf(global) ?? Number.NaN)),
  };
}

/** The sums of a day, and its number of times. */
interface DaySums {
  readonly at: number | null;
  readonly count: number;
  readonly sums: SharesAt;
}

function sumsOn({ history }: ModelChart, day: number): DaySums | undefined {
  const ofDay = [...history].filter(([time]) => dayOf(time) === day).sort(([a], [b]) => a - b);
  const sums = new Map<string, number>();
  for (const [, shares] of ofDay) for (const [name, value] of shares) add(sums, name, value);
  return ofDay.length === 0 ? undefined : { at: day * dayMs, count: ofDay.length, sums };
}

/** The sums of the newest whole day with times; without a history, the shares that the chart shows. */
function newestSums(chart: ModelChart, at: number | null): DaySums | undefined {
  const times = [...chart.history.keys()];
  const end = firstOpenDay(Math.max(...times));
  const days = times.map(dayOf).filter((day) => day < end);
  if (days.length > 0) return sumsOn(chart, Math.max(...days));
  return chart.latest && { at, count: 1, sums: chart.latest };
}

function versionsIn(chart: ModelChart, newest: number | null): object[] {
  const now = newestSums(chart, newest);
  if (now === undefined) return [];
  const total = sumOf([...now.sums.values()]);
  const versions = [...now.sums].filter(([name]) => partsOf(name) !== undefined);
  const versionSum = sumOf(versions.map(([, value]) => value));
  if (total / now.count < 10 || versionSum / total < 0.8) return [];
  const linesOf = (day: DaySums) => {
    const lines = new Map<string, number>();
    for (const [name, value] of day.sums) {
      const line = partsOf(name)?.line;
      if (line !== undefined && value !== 0) add(lines, line, value);
    }
    return lines;
  };
  const lines = linesOf(now);
  const before = chart.history.size === 0 || now.at === null ? undefined : sumsOn(chart, dayOf(now.at) - 90);
  const shares = (line: string, of: ReadonlyMap<string, number>, whole: number) => ({
    share: ratioOf((of.get(line) ?? 0) / whole),
    atLeast: ratioOf(
      sumOf([...of].filter(([other]) => compareNames(other, line) >= 0).map(([, value]) => value)) / whole,
    ),
  });
  const named = [...lines].sort(([a], [b]) => compareNames(b, a));
  return [
    {
      chartId: chart.chartId,
      at: now.at,
      total: meanOf(total / now.count),
      lines: named.map(([name, value]) => ({
        name,
        value: meanOf(value / now.count),
        ...shares(name, lines, total),
        before: before
          ? { at: before.at, ...shares(name, linesOf(before), sumOf([...before.sums.values()])) }
          : null,
      })),
      other: {
        value: meanOf((total - versionSum) / now.count),
        share: ratioOf((total - versionSum) / total),
      },
    },
  ];
}

function releasesOf({ name, charts, events }: ModelPlugin, servers: ModelChart | undefined): object[] {
  const chart = charts.find((one) => one.chartId === 'pluginVersion' && isShares(one));
  const names = new Set<string>();
  for (const shares of chart?.history.values() ?? [])
    for (const [version, value] of shares) if (value !== 0) names.add(version);
  const releases = events.flatMap((event) => {
    const version = versionIn(event.title, name, names);
    return version === undefined ? [] : [{ ...event, version }];
  });
  return releases
    .slice(-20)
    .reverse()
    .map((release) => ({
      ...release,
      servers: serversAround(dayOf(release.time), servers),
      ...spreadOf(release.version, dayOf(release.time), chart),
    }));
}

function versionIn(title: string, pluginName: string, names: ReadonlySet<string>): string | undefined {
  const words = wordsOf(title);
  for (const word of words) {
    const same = [...names].filter((name) => isSame(name, word)).sort(byBytes);
    if (same.length > 0) return same.includes(word) ? word : same[0];
  }
  const named = wordsOf(pluginName.toLowerCase());
  const begins = wordsOf(title.toLowerCase()).slice(0, named.length).join(' ') === named.join(' ');
  const first = words[begins ? named.length : 0] ?? '';
  return partsOf(first) === undefined ? undefined : first.replace(/^[vV]/, '');
}

function wordsOf(text: string): string[] {
  const outside = '()[],:;!.';
  return text.split(/\s/).flatMap((word) => {
    let [start, end] = [0, word.length];
    while (start < end && outside.includes(word.charAt(start))) start++;
    while (end > start && outside.includes(word.charAt(end - 1))) end--;
    return start < end ? [word.slice(start, end)] : [];
  });
}

/** True if two names are the same version: missing numbers are 0, and a `v` does not count. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => /^v?([\d.]*\d)(.*)$/i.exec(text));
  if (!one || !other) return a === b;
  const pad = (numbers = '') => [...numbers.split('.').map(BigInt), ...Array(9).fill(0n)].slice(0, 9).join();
  return pad(one[1]) === pad(other[1]) && one[2]?.toLowerCase() === other[2]?.toLowerCase();
}

function serversAround(day: number, servers: ModelChart | undefined): object | null {
  const newest = servers?.points.at(-1)?.[0];
  if (servers === undefined || newest === undefined || day + 7 >= firstOpenDay(newest)) return null;
  const [before, after] = [meanOver(servers, day - 7, 7), meanOver(servers, day + 1, 7)];
  return before === undefined || after === undefined
    ? null
    : { before: meanOf(before), after: meanOf(after) };
}

function spreadOf(version: string, day: number, chart: ModelChart | undefined): object {
  const times = [...(chart?.history.keys() ?? [])];
  const end = times.length === 0 ? 0 : firstOpenDay(Math.max(...times));
  const partOf = (sums: DaySums | undefined, isMeant: (name: string) => boolean) => {
    const all = [...(sums?.sums ?? [])];
    const own = all.filter(([name]) => isMeant(name));
    return sumOf(own.map(([, value]) => value)) / sumOf(all.map(([, value]) => value));
  };
  const isOwn = (name: string) => isSame(name, version);
  const shareOn = (later: number) =>
    chart === undefined || day + later >= end ? null : ratioOf(partOf(sumsOn(chart, day + later), isOwn));
  const isVersion = partsOf(version) !== undefined;
  const isNewer = (name: string) =>
    isVersion ? partsOf(name) !== undefined && compareParts(name, version) >= 0 : isOwn(name);
  const days = [...new Set(times.map(dayOf))].filter((one) => one >= day && one < end).sort((a, b) => a - b);
  const half = days.find((one) => chart !== undefined && partOf(sumsOn(chart, one), isNewer) >= 0.5);
  return {
    share: {
      '7d': shareOn(7),
      '30d': shareOn(30),
      now: chart === undefined ? null : ratioOf(partOf(newestSums(chart, null), isOwn)),
    },
    halfAfterDays: half === undefined ? null : half - day,
  };
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const stages = ['snapshot dev alpha a', 'beta b', 'pre', 'rc'].map((words) => words.split(' '));

interface VersionParts {
  readonly line: string;
  readonly numbers: readonly bigint[];
  readonly stage: number;
  readonly suffixNumbers: readonly bigint[];
}

/** Parses a version; undefined for a name that is not a version. */
function partsOf(name: string): VersionParts | undefined {
  if (/^java \d+$/i.test(name)) {
    const number = name.slice(5);
    return { line: `Java ${number}`, numbers: [BigInt(number)], stage: 4, suffixNumbers: [] };
  }
  if (!/^v?\d+(\.\d+)+([^\s\d.]\S*|\.[^\s\d]\S*)?$/i.test(name)) return undefined;
  const numbers = (/[\d.]+/.exec(name)?.[0] ?? '').split('.').filter((digits) => digits !== '');
  const suffix = name.slice(name.indexOf(numbers.join('.')) + numbers.join('.').length);
  const word = /[a-z]+/i.exec(suffix)?.[0].toLowerCase() ?? '';
  const stage = stages.findIndex((words) => words.includes(word));
  const isOldJava = /^1\.\d+\.\d+_\d+/.test(name);
  return {
    line: isOldJava ? `Java ${numbers[1]}` : `${numbers[0]}.${numbers[1]}.x`,
    numbers: numbers.slice(isOldJava ? 1 : 0).map(BigInt),
    stage: stage === -1 ? 4 : stage,
    suffixNumbers: (suffix.match(/\d+/g) ?? []).map(BigInt),
  };
}

/** Compares names; names that are not versions are older than all versions. */
function compareNames(a: string, b: string): number {
  const [isA, isB] = [partsOf(a) !== undefined, partsOf(b) !== undefined];
  if (isA && isB) return compareParts(a, b) || byBytes(a, b);
  return isA === isB ? byBytes(b, a) : Number(isA) - Number(isB);
}

function compareParts(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  if (one === undefined || other === undefined) throw new Error('only versions can be compared');
  const compare = (x: readonly bigint[], y: readonly bigint[]) => {
    for (let index = 0; index < x.length + y.length; index++) {
      const difference = (x[index] ?? 0n) - (y[index] ?? 0n);
      if (difference !== 0n) return difference > 0n ? 1 : -1;
    }
    return 0;
  };
  return (
    compare(one.numbers, other.numbers) ||
    one.stage - other.stage ||
    compare(one.suffixNumbers, other.suffixNumbers)
  );
}
