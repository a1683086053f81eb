/** `import`: reads archives or CSV files into a store, all of them or none. */
import type { ArchiveBytes } from '../../archive/archive-bytes.ts';
import type { Delimiter } from '../../archive/csv/first-line.ts';
import type { CsvOptions } from '../../archive/csv/read-csv.ts';
import type { DateOrder, TimeUnit } from '../../archive/csv/timestamps.ts';
import type { DecimalMark } from '../../archive/csv/values.ts';
import { formatDay } from '../../draw/format.ts';
import { AppError, placed } from '../../model/app-error.ts';
import { type Chart, type ChartName, isChartId } from '../../model/catalogue.ts';
import { storageOf } from '../../model/chart-forms.ts';
import { type Columns, joinPoints, orderColumns, sliceColumns, valuesOf } from '../../model/columns.ts';
import { type CopyCounts, copyRecords, noCounts } from '../../model/copy-records.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import type { StoreWriter } from '../../model/metrics-writer.ts';
import { oneOf } from '../../model/parameter.ts';
import type { Store } from '../../model/store.ts';
import { command, optionName, type RefuseUsage } from '../command.ts';
import { grouped, printMessage, printResult, startProgress } from '../output.ts';
import {
  allowFutureSetting,
  changeSettings,
  flagSetting,
  pluginChart,
  pluginId,
  refuseSameFile,
  storeSetting,
} from '../settings.ts';
import { stopOnSignals } from '../stopping.ts';

export const importCommand = command({
  summary: 'import archives or CSV into the store, all or nothing; makes the store if there is none',
  settings: {
    store: storeSetting,
    csv: flagSetting('FILE is CSV with the points of one chart'),
    plugin: {
      help: 'the plugin of --chart, if --chart does not name it',
      ...pluginId,
    },
    chart: {
      placeholder: 'CHART',
      help: 'the line chart of --csv: players with --plugin 1337, or 1337/players',
      allowed: pluginChart.allowed,
      parse: (text): CsvChart | undefined => (isChartId(text) ? { chartId: text } : pluginChart.parse(text)),
    },
    columns: {
      placeholder: 'TIME,VALUE',
      help: 'the two columns of --csv, by number or by name in the first line; required if there are more',
      allowed: 'two names or numbers with a comma between them, such as Date,Players or 1,3',
      parse: (text) => (text.includes(',') ? text : undefined),
    },
    delimiter: {
      placeholder: 'DELIMITER',
      help: 'what separates the columns of --csv: a comma, a semicolon or tab; if not given, taken from the first line',
      allowed: 'a comma, a semicolon or tab',
      parse: (text) => oneOf<Delimiter>([',', ';', '\t']).parse(text.replace(/^(?:tab|\\t)$/, '\t')),
    },
    decimal: {
      placeholder: 'MARK',
      help: 'the decimal mark in --csv, a point or a comma; the other one separates thousands',
      ...oneOf<DecimalMark>(['.', ',']),
    },
    dates: {
      placeholder: 'ORDER',
      help: 'the order of dates in --csv: dmy as in 20.11.2026, or mdy as in 11/20/2026',
      ...oneOf<DateOrder>(['dmy', 'mdy']),
    },
    zone: {
      placeholder: 'ZONE',
      help: 'the zone of times in --csv that name none, such as Europe/Berlin; if not given, UTC',
      allowed: 'the name of a time zone such as Europe/Berlin, or an offset such as +01:00',
      parse: zoneOf,
    },
    timeUnit: {
      placeholder: 'UNIT',
      help: 'the unit of timestamps in --csv, s or ms; required unless they have 10 or 13 digits',
      ...oneOf<TimeUnit>(['s', 'ms']),
    },
    allowFuture: allowFutureSetting,
    dryRun: changeSettings.dryRun,
  },
  argument: {
    name: '<FILE...>',
    help: 'archives, or CSV with --csv: plain, gzip or zstd; - is standard input',
  },
  async run({ store, csv, plugin, chart, allowFuture, dryRun, ...rules }, files: readonly string[], refuse) {
    if (files.includes('')) refuse('FILE: it must be a name, got ""');
    if (!csv)
      for (const [key, value] of Object.entries({ plugin, chart, ...rules }))
        if (value !== undefined) refuse(`--${optionName(key)} needs --csv`);
    const csvChart = csv ? findChart(plugin, chart, refuse) : undefined;
    refuseSameFile(refuse, store, ...files);
    const options = { allowFuture, dryRun };
    await (csvChart === undefined
      ? importArchives(store, files, options)
      : importCsv(store, files, { ...options, ...csvChart, ...rules }));
  },
});

function zoneOf(text: string): string | undefined {
  try {
    return Temporal.Now.zonedDateTimeISO(text).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A chart for `--csv`; its plugin may be in `--plugin`. */
interface CsvChart {
  readonly pluginId?: number;
  readonly chartId: string;
}

/** Finds the chart for `--csv`. Its plugin is in `--plugin` or in `--chart`, but not in both. */
function findChart(plugin: number | undefined, chart: CsvChart | undefined, refuse: RefuseUsage): ChartName {
  const pluginId = plugin ?? chart?.pluginId;
  const isTwice = plugin !== undefined && chart?.pluginId !== undefined;
  if (chart === undefined || pluginId === undefined || isTwice)
    return refuse('--csv needs --plugin ID and --chart CHART, or --chart PLUGIN/CHART');
  return { pluginId, chartId: chart.chartId };
}

/** The settings for files of both kinds. */
interface ImportOptions {
  /** True to accept points more than a day ahead of the clock. */
  readonly allowFuture?: boolean | undefined;
  /** True to store nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Imports archives in one transaction and prints a summary. */
export async function importArchives(
  store: Store,
  files: readonly string[],
  options: ImportOptions = {},
): Promise<void> {
  const { openArchiveReader } = await import('../../archive/archive-reader.ts');
  const sources = await Promise.all(files.map(openArchiveReader));
  try {
    await importAll(store, sources, {
      ...options,
      async work({ writer, counts, summary, warnOfOld }) {
        for (const source of sources)
          await copyRecords(source, writer, counts, ({ place, ...chart }, [first]) =>
            warnOfOld(chart, place, first),
          );
        return `${summary()} into ${store.name}`;
      },
    });
  } catch (error) {
    const isFirstLine = error instanceof AppError && error.place?.endsWith(':1') === true;
    if (!isFirstLine || !error.message.startsWith('it is not valid JSON')) throw error;
    const { code, message, place, cause } = error;
    throw new AppError(code, `${message}; points in CSV need --csv`, { place, cause });
  }
}

/** The most points of a line in one import: its half hours since 1970 are a million. */
const maxPoints = 10_000_000;

/** Imports points of a line in one transaction, and says how they differ from those in the store. */
async function importCsv(
  store: Store,
  files: readonly string[],
  { allowFuture, dryRun, pluginId, chartId, ...rules }: ImportOptions & ChartName & CsvOptions,
): Promise<void> {
  const { openArchiveBytes } = await import('../../archive/archive-bytes.ts');
  const { readCsv } = await import('../../archive/csv/read-csv.ts');
  const inputs = await Promise.all(files.map(openArchiveBytes));
  const chart = { pluginId, chartId };
  await importAll(store, inputs, {
    allowFuture,
    dryRun,
    async work({ writer, counts, latestTimestamp, warnOfOld }) {
      const line = await findLine(writer, chart, inputs[0]?.name);
      const runs: Columns[] = [];
      for (const input of inputs)
        for await (const { points, oldest } of readCsv(input, { ...rules, latestTimestamp })) {
          const place = `${input.name}:${oldest.line}`;
          warnOfOld(chart, place, oldest.time);
          runs.push(points);
          counts.point += points.times.length;
          if (counts.point > maxPoints)
            throw new AppError('invalid', `an import may have at most ${grouped(maxPoints)} points of CSV`, {
              place,
            });
        }
      const points = orderColumns(joinPoints(runs));
      const summary = `${pluginId}/${chartId}: ${await comparisonText(writer, line, points)}`;
      for (let start = 0; start < points.times.length; start += pointsPerRecord) {
        const part = sliceColumns(points, start, start + pointsPerRecord);
        const dataFor = () => ({ storage: 'points', points: part }) as const;
        await writer.write([{ kind: 'data', place: store.name, ...chart, dataFor }]);
      }
      await writer.write([{ kind: 'end', place: store.name }]);
      const [first, last] = [points.times[0], points.times.at(-1)].map((time) =>
        time === undefined ? undefined : formatDay(wallTime(time, rules.zone)),
      );
      const span = first === undefined ? '' : `, ${first} to ${last}`;
      return `${dryRun ? 'would import ' : ''}${summary}${span}`;
    },
  });
}

/** A megabyte. */
const pointsPerRecord = 65_536;

/** Finds a line. @throws AppError `not_found`, and `invalid` for a chart that is not a line. */
async function findLine({ view }: StoreWriter, { pluginId, chartId }: ChartName, place = ''): Promise<Chart> {
  try {
    const chart = await view.getChart(pluginId, chartId);
    if (storageOf(chart.type) === 'points') return chart;
    const message = `only a line chart takes points from a CSV file, this one is a ${chart.type}`;
    throw new AppError('invalid', message);
  } catch (error) {
    throw placed(error, place);
  }
}

/** Counts the points that are new, and those that replace another value, in words. */
async function comparisonText({ view }: StoreWriter, line: Chart, points: Columns): Promise<string> {
  const [times, values] = [points.times, valuesOf(points)];
  const window = { from: times[0] ?? 0, to: (times.at(-1) ?? 0) + 1 };
  let [replaced, unchanged, index] = [0, 0, 0];
  for await (const stored of view.readColumns(line, window))
    for (const [at, time] of stored.times.entries()) {
      while ((times[index] ?? time) < time) index++;
      if (times[index] !== time) continue;
      if (values[index] === valuesOf(stored)[at]) unchanged++;
      else replaced++;
    }
  const fresh = times.length - replaced - unchanged;
  return `${grouped(fresh)} new, ${grouped(replaced)} replaced, ${grouped(unchanged)} unchanged`;
}

/** Converts a time to the wall clock of a zone, as if that were UTC. */
function wallTime(timestamp: number, zone = 'UTC'): number {
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(timestamp).toZonedDateTimeISO(zone);
  return timestamp + offsetNanoseconds / 1e6;
}

/** Files that are being read. */
type Inputs = readonly Pick<ArchiveBytes, 'sizeBytes' | 'readBytes'>[];

/** An import in its transaction. */
interface RunningImport {
  readonly writer: StoreWriter;
  /** Counts that grow as points are read, to show progress. */
  readonly counts: CopyCounts;
  /** The latest time that a point may have. */
  readonly latestTimestamp: number;
  /** Says what was copied. */
  readonly summary: () => string;
  /**
   * Warns of the first chart with a time that is probably in seconds.
   * @param first its oldest time in the record at `place`.
   */
  readonly warnOfOld: (chart: ChartName, place: string, first: number | undefined) => void;
}

/** Times before this are probably seconds where milliseconds belong. */
const year1980 = Date.UTC(1980, 0);

/** Does the work of an import in one transaction, and prints the line that it returns. */
async function importAll(
  store: Store,
  inputs: Inputs,
  {
    allowFuture = false,
    dryRun = false,
    work,
  }: ImportOptions & { readonly work: (running: RunningImport) => Promise<string> },
): Promise<void> {
  using stopping = stopOnSignals();
  const latestTimestamp = latestTimestampAt(Date.now(), { allowsFuture: allowFuture });
  const counts = noCounts();
  const sizes = inputs.flatMap(({ sizeBytes }) => sizeBytes ?? []);
  const sizeBytes = sizes.length < inputs.length ? undefined : sizes.reduce((sum, size) => sum + size, 0);
  const readBytes = () => inputs.reduce((sum, input) => sum + input.readBytes(), 0);
  await using writer = await store.openWriter({ latestTimestamp });
  using progress = startProgress({
    verbs: ['importing', dryRun ? 'would import' : 'imported'],
    counts,
    share: () => sizeBytes && readBytes() / sizeBytes,
  });
  let warning: string | undefined;
  const result = await work({
    ...{ writer, counts, latestTimestamp, summary: progress.summary },
    warnOfOld({ pluginId, chartId }, place, first = year1980) {
      if (first < year1980)
        warning ??= `warning: ${place}: plugin ${pluginId}, chart ${chartId}: points lie before 1980, the first at ${new Date(first).toISOString()}; are their times seconds? "prune --before 1980-01-01" removes them`;
    },
  });
  if (!dryRun) await stopping.commit(writer);
  if (warning !== undefined) printMessage(warning);
  printResult(result);
}
