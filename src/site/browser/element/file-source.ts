/** Source of series over a folder that `publish` has written: a `data.json` for each plugin. */
import type { Aggregate, SeriesOfChart } from '../../../model/series-source.ts';
import { dayStart, steps as lengths, stepStart } from '../../../model/window.ts';
import type { GetJson, PluginAnswer, ServerSource, serverSource } from './server-source.ts';

/** Values of a chart, as stored or by day. */
interface FileColumns {
  readonly times: readonly number[];
  readonly series: ReadonlyArray<{
    readonly name: string;
    readonly group: string | null;
    readonly isOther?: true;
    readonly values: readonly number[];
    /** Only for the days of a line. */
    readonly lows?: readonly number[];
    readonly highs?: readonly number[];
  }>;
}

/** A chart in `data.json`. */
interface FileChart {
  readonly recent: FileColumns;
  /** Earlier values, by day. */
  readonly days?: FileColumns;
  /** The inner shares of a drilldown pie. */
  readonly inner?: FileChart;
}

interface DataFile extends PluginAnswer {
  readonly series: Readonly<Record<string, FileChart>>;
}

/** Columns over steps. */
interface Folded {
  readonly times: readonly number[];
  readonly series: readonly FoldedSeries[];
}

interface FoldedSeries extends Pick<FileColumns['series'][number], 'name' | 'group' | 'isOther'> {
  readonly values: readonly number[];
  readonly lows?: readonly number[];
  readonly highs?: readonly number[];
}

/**
 * Makes a source from the URL of the folder. Values that are not recent are means of days. It knows neither
 * `group` nor `order`, which no chart asks for.
 * @param makeSource reads plugins and badges.
 */
export function fileSource(folder: string, getJson: GetJson, makeSource: typeof serverSource): ServerSource {
  const getFile = (pluginId: number) => getJson<DataFile>(`${folder}/plugin/${pluginId}/data.json`);
  const getAnswer: GetJson = (url) =>
    getJson(
      folder +
        url
          .slice(folder.length)
          .replace(/^\/api\/v2\/plugins\/(\d+)$/, '/plugin/$1/data.json')
          .replace(/^\/badge\/(\d+)/, '/plugin/$1/badge'),
    );
  return {
    ...makeSource(folder, getAnswer),
    async series(query) {
      const { charts, level, isSum, top } = query;
      const found: Folded[] = [];
      for (const { pluginId, chartId } of charts) {
        const { series } = await getFile(pluginId);
        const outer = Object.hasOwn(series, chartId) ? series[chartId] : undefined;
        const parts = level === 2 ? outer?.inner : outer;
        // Lines are found by the places of their charts, so one without values has an empty series.
        found.push(parts === undefined && top === 1 ? emptyLine : fold(joinParts(parts), query));
      }
      const times = Float64Array.from(new Set(found.flatMap((one) => one.times))).sort();
      const series = (isSum ? [found] : found.map((one) => [one])).flatMap((some) =>
        largest(addUp(some, times), top),
      );
      return { step: stepMs(query.step), times, series };
    },
  };
}

const emptyLine: Folded = { times: [], series: [{ name: '', group: null, values: [] }] };

/** Joins what is recent to what was before. A share that only one of them has is 0 in the other. */
function joinParts({ days, recent }: Partial<FileChart> = {}): Folded {
  const parts = [days ?? [], recent ?? []].flat();
  const all = new Map(parts.flatMap(({ series }) => series.map((one) => [keyOf(one), one] as const)));
  const join = (key: string, kind: 'values' | 'lows' | 'highs') =>
    parts.flatMap(({ times, series }) => {
      const one = series.find((other) => keyOf(other) === key);
      return one?.[kind] ?? one?.values ?? times.map(() => 0);
    });
  return {
    times: parts.flatMap(({ times }) => times),
    series: [...all].map(([key, { name, group, isOther }]) => ({
      ...{ name, group, ...(isOther && { isOther }) },
      ...{ values: join(key, 'values'), lows: join(key, 'lows'), highs: join(key, 'highs') },
    })),
  };
}

/** Identifies a share within a chart; the others of the file are no share with their name. */
function keyOf({ isOther, ...share }: Pick<FoldedSeries, 'name' | 'group' | 'isOther'>): string {
  return isOther ? '' : JSON.stringify([share.group, share.name]);
}

const combine: Readonly<Record<Aggregate, (values: readonly number[]) => number>> = {
  mean: (values) => sumOf(values) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  last: (values) => values.at(-1) ?? Number.NaN,
  count: (values) => values.length,
};

/** The length of a step; charts ask for no others. */
function stepMs(step: string | null): number | null {
  return (lengths as Readonly<Record<string, number>>)[step ?? ''] ?? null;
}

/** Combines the values of each step of the window; in a mean of several days, these weigh the same. */
function fold(given: Folded, query: Parameters<ServerSource['series']>[0]): Folded {
  const {
    window: { from, to },
    step,
    aggregate,
    hasBand,
  } = query;
  const isByDays = aggregate === 'mean' && (stepMs(step) ?? 0) > lengths['1d'];
  const { times, series } = isByDays ? fold(given, { ...query, step: '1d' }) : given;
  // The first day may begin before the window.
  const first = isByDays ? dayStart(from) : from;
  const steps = new Map<number, number[]>();
  for (const [index, time] of times.entries()) {
    if (time < first || time >= to) continue;
    const start = step === null ? time : stepStart(time, stepMs(step) ?? 1);
    const some = steps.get(start);
    if (some === undefined) steps.set(start, [index]);
    else some.push(index);
  }
  const over = (values: readonly number[], by: Aggregate) =>
    Array.from(steps.values(), (some) => combine[by](some.map((index) => values[index] ?? 0)));
  return {
    times: [...steps.keys()],
    series: series.map(({ values, lows, highs, ...about }) => ({
      ...about,
      values: over(values, aggregate),
      ...(hasBand && lows && highs && { lows: over(lows, 'min'), highs: over(highs, 'max') }),
    })),
  };
}

/** Adds up the series of the same name; NaN where none has a value. */
function addUp(found: readonly Folded[], times: Float64Array): readonly SeriesOfChart[] {
  const sums = new Map<string, SeriesOfChart>();
  const places = new Map(Array.from(times, (time, index) => [time, index]));
  const empty = () => new Float64Array(times.length).fill(Number.NaN);
  for (const one of found)
    for (const series of one.series) {
      const { values, lows, highs, ...about } = series;
      const band = lows && highs && { lows: empty(), highs: empty() };
      const sum = sums.get(keyOf(series)) ?? { ...about, values: empty(), ...band };
      sums.set(keyOf(series), sum);
      for (const kind of ['values', 'lows', 'highs'] as const)
        for (const [index, value] of series[kind]?.entries() ?? []) {
          const place = places.get(one.times[index] ?? 0) ?? 0;
          const column = sum[kind];
          if (column !== undefined) column[place] = (column[place] || 0) + value;
        }
    }
  return [...sums.values()];
}

/** Returns the largest series, and the others as one. */
function largest(series: readonly SeriesOfChart[], top: number): readonly SeriesOfChart[] {
  const sums = new Map(series.map((one) => [one, sumOf(one.values)]));
  const ranked = series
    .filter(({ isOther }) => !isOther)
    .sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0) || (a.name < b.name ? -1 : 1));
  const more = [...ranked.slice(top), ...series.filter(({ isOther }) => isOther)];
  const [first] = more;
  if (first === undefined) return ranked;
  const values = first.values.map((_, index) => sumOf(more.map((one) => one.values[index] ?? 0)));
  return [...ranked.slice(0, top), { name: 'Other', group: null, isOther: true, values }];
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value || 0;
  return sum;
}
