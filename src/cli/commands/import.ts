/** `import`: reads archives or CSV files into a store, all of them or none. */
import type { ArchiveReader } from '../../archive/archive-reader.ts';
import type { CsvOptions } from '../../archive/csv/read-csv.ts';
import type { TimeUnit } from '../../archive/csv/timestamps.ts';
import { oneOf } from '../../http/query-parameter.ts';
import { AppError } from '../../model/app-error.ts';
import { type ChartName, isChartId } from '../../model/chart.ts';
import { copyRecords, noCounts } from '../../model/copy-records.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import type { Store } from '../../model/store.ts';
import { command, type Refuse } from '../command.ts';
import { printMessage, printResult, startProgress } from '../output.ts';
import {
  allowFutureSetting,
  flag,
  pluginChart,
  pluginId,
  refuseSameFile,
  storeSetting,
} from '../settings.ts';
import { stopOnSignals } from '../stopping.ts';

export const importCommand = command({
  summary: 'import archives, or CSV, into the store, all or nothing',
  settings: {
    store: storeSetting,
    csv: flag('FILE is CSV with the points of one chart'),
    plugin: {
      help: 'the plugin of --chart, where that does not name it',
      ...pluginId,
    },
    chart: {
      placeholder: 'CHART',
      help: 'the line chart of --csv: players with --plugin 1337, or 1337/players',
      allowed: pluginChart.allowed,
      parse: (text): CsvChart | undefined => (isChartId(text) ? { chartId: text } : pluginChart.parse(text)),
    },
    timeUnit: {
      placeholder: 'UNIT',
      help: 'the unit of timestamps in --csv, s or ms; needed unless they have 10 or 13 digits',
      ...oneOf<TimeUnit>(['s', 'ms']),
    },
    allowFuture: allowFutureSetting,
  },
  argument: {
    name: '<FILE...>',
    help: 'archives, or CSV with --csv, plain, gzip or zstd; - is standard input',
  },
  async run({ store, csv, plugin, chart, timeUnit, allowFuture }, files: readonly string[], refuse) {
    if (!csv && (plugin ?? chart ?? timeUnit) !== undefined)
      refuse('--plugin, --chart and --time-unit need --csv');
    const csvChart = csv ? findChart(plugin, chart, refuse) : undefined;
    refuseSameFile(refuse, store, ...files);
    await (csvChart === undefined
      ? importArchives(store, files, allowFuture)
      : importCsv(store, files, { ...csvChart, timeUnit, allowFuture }));
  },
});

/** A chart for `--csv`; its plugin may be in `--plugin`. */
interface CsvChart {
  readonly pluginId?: number;
  readonly chartId: string;
}

/** Finds the chart for `--csv`. Its plugin is in `--plugin` or in `--chart`, but not in both. */
function findChart(plugin: number | undefined, chart: CsvChart | undefined, refuse: Refuse): ChartName {
  const pluginId = plugin ?? chart?.pluginId;
  const isTwice = plugin !== undefined && chart?.pluginId !== undefined;
  if (chart === undefined || pluginId === undefined || isTwice)
    return refuse('--csv needs --plugin ID and --chart CHART, or --chart PLUGIN/CHART');
  return { pluginId, chartId: chart.chartId };
}

/**
 * Imports archives in one transaction and prints a summary.
 * @param allowFuture accepts points more than a day ahead of the clock.
 */
export async function importArchives(
  store: Store,
  files: readonly string[],
  allowFuture = false,
): Promise<void> {
  const { openArchiveReader } = await import('../../archive/archive-reader.ts');
  const sources = await Promise.all(files.map(openArchiveReader));
  try {
    await importSources(store, sources, limitOf(allowFuture));
  } catch (error) {
    const isFirstLine = error instanceof AppError && error.place?.endsWith(':1') === true;
    if (!isFirstLine || !error.message.startsWith('it is not valid JSON')) throw error;
    const { code, message, place, cause } = error;
    throw new AppError(code, `${message}; points in CSV need --csv`, { place, cause });
  }
}

async function importCsv(
  store: Store,
  files: readonly string[],
  { allowFuture, ...chart }: Omit<CsvOptions, 'latestTimestamp'> & { readonly allowFuture: boolean },
): Promise<void> {
  const { openArchiveBytes } = await import('../../archive/archive-bytes.ts');
  const { readCsv } = await import('../../archive/csv/read-csv.ts');
  const limit = limitOf(allowFuture);
  const open = async (file: string): Promise<ArchiveReader> => {
    const bytes = await openArchiveBytes(file);
    return { ...bytes, records: () => readCsv(bytes, { ...chart, ...limit }) };
  };
  await importSources(store, await Promise.all(files.map(open)), limit);
}

/** The latest time that a point may have. */
interface TimeLimit {
  readonly latestTimestamp: number;
}

function limitOf(allowsFuture: boolean): TimeLimit {
  return { latestTimestamp: latestTimestampAt(Date.now(), { allowsFuture }) };
}

/** Times before this are probably seconds where milliseconds belong. */
const year1980 = Date.UTC(1980, 0);

async function importSources(
  store: Store,
  sources: readonly ArchiveReader[],
  limit: TimeLimit,
): Promise<void> {
  using stopping = stopOnSignals();
  const counts = noCounts();
  const sizes = sources.flatMap(({ sizeBytes }) => sizeBytes ?? []);
  const sizeBytes = sizes.length < sources.length ? undefined : sizes.reduce((sum, size) => sum + size, 0);
  const readBytes = () => sources.reduce((sum, source) => sum + source.readBytes(), 0);
  await using writer = await store.openWriter(limit);
  using progress = startProgress({ verb: 'imported', counts, readBytes, sizeBytes });
  let warning: string | undefined;
  for (const source of sources)
    await copyRecords(source, writer, counts, ({ place, pluginId, chartId }, [first = year1980]) => {
      if (first < year1980)
        warning ??= `warning: ${place}: plugin ${pluginId}, chart ${chartId}: points lie before 1980, the first at ${new Date(first).toISOString()}; are their times seconds? "prune --before 1980-01-01" removes them`;
    });
  await stopping.commit(writer);
  if (warning !== undefined) printMessage(warning);
  printResult(`${progress.summary()} into ${store.name}`);
}
