/**
 * The table of settings. It yields the options of the commands, the names in the environment, `--help` and the table in
 * the documentation.
 */
import type { TimeUnit } from '../archive/csv/timestamps.ts';
import { AppError } from '../model/app-error.ts';
import { isChartId } from '../model/chart.ts';
import { maxId } from '../model/identifier.ts';
import type { ChartName } from '../store/import-batch.ts';
import { parseDate } from './date.ts';
import { parseSoftware } from './mirror/given-software.ts';
import { parsePluginId } from './mirror/plugin-ids.ts';
import { parseDuration } from './mirror/schedule.ts';
import { mayHoldPassword, shownValue } from './password-text.ts';
import { flag, parseFlag, type Setting, wholeNumber } from './setting.ts';
import { parseStoreName } from './store-name.ts';

/** Which store. */
export const storeSetting: Setting = {
  name: 'store',
  placeholder: 'STORE',
  help: 'the store: sqlite:PATH, a plain path, or postgres://USER@HOST:PORT/DATABASE',
  default: 'sqlite:plugin-metrics.db',
  parse: parseStoreName,
};

/** Whether more is sent than the interface says. */
export const liveFieldsSetting: Setting = {
  name: 'live-fields',
  placeholder: undefined,
  help: 'also send what the best-known live server sends: software and isGlobal of a plugin, idCustom of a chart',
  default: 'false',
  parse: parseFlag,
};

/** The settings of every command with a store. */
export const storeSettings: readonly Setting[] = [storeSetting];

/** The settings of `export`. */
export const exportSettings: readonly Setting[] = [
  storeSetting,
  flag('force', 'replace FILE if it is there already'),
];

/** The setting that accepts points more than a day ahead of the clock. */
const allowFutureSetting = flag(
  'allow-future',
  'let points in that lie more than a day ahead of the clock of this machine',
);

/** The settings of `import`. */
export const importSettings: readonly Setting[] = [
  storeSetting,
  {
    name: 'csv',
    placeholder: undefined,
    help: 'FILE is CSV with the points of one chart, in the columns timestamp and value',
    default: 'false',
    parse: parseFlag,
  },
  {
    name: 'plugin',
    placeholder: 'ID',
    help: 'the plugin of the chart that the points of --csv are for, where --chart does not name it',
    default: undefined,
    parse: parsePluginId,
  },
  {
    name: 'chart',
    placeholder: 'CHART',
    help: 'the line chart that the points of --csv are for: players with --plugin 1337, or 1337/players',
    default: undefined,
    parse: parseCsvChart,
  },
  {
    name: 'time-unit',
    placeholder: 'UNIT',
    help: 'what timestamps count that are numbers in --csv, s or ms; needed where they have not 10 or 13 digits',
    default: undefined,
    parse: parseTimeUnit,
  },
  allowFutureSetting,
];

/** The settings of `openapi`. */
export const openapiSettings: readonly Setting[] = [liveFieldsSetting];

/** The settings of `mirror`. */
export const mirrorSettings: readonly Setting[] = [
  storeSetting,
  {
    name: 'plugin',
    placeholder: 'ID',
    help: 'a plugin to copy; may be given several times, or be several ids with commas between them',
    default: undefined,
    isRepeatable: true,
    parse: (text) => text.split(',').map((id) => parsePluginId(id.trim())),
  },
  {
    name: 'plugins-file',
    placeholder: 'FILE',
    help: 'a file with the id of a plugin to copy in each line; # begins a comment',
    default: undefined,
    parse: parsePath,
  },
  flag('all', 'copy every plugin of the plugin list'),
  {
    name: 'max-elements',
    placeholder: 'COUNT',
    help: 'how many points of a line are asked for at the first visit; all unless given',
    default: undefined,
    parse: wholeNumber({ min: 1, max: 4_000_000 }),
  },
  {
    name: 'rate',
    placeholder: 'COUNT',
    help: 'how many requests to send in a second; may be less than 1',
    default: '2',
    parse: parseRate,
  },
  {
    name: 'concurrency',
    placeholder: 'COUNT',
    help: 'how many requests to have under way at a time',
    default: '2',
    parse: wholeNumber({ min: 1, max: 64 }),
  },
  {
    name: 'every',
    placeholder: 'DURATION',
    help: 'go on until a signal, with a run every so often: 30m, 12h, 1d',
    default: undefined,
    parse: parseDuration,
  },
  {
    name: 'software',
    placeholder: 'ID=URL:NAME',
    help: 'a software that the source names by its id alone, such as 1=bukkit:Bukkit; may be given several times, or be several with line breaks between them',
    default: undefined,
    isRepeatable: true,
    parse: parseSoftware,
  },
  flag('again', 'copy what was removed from the store as well, and points that were pruned'),
  allowFutureSetting,
  flag('trim-leading-zeros', 'leave out the zeros before the first other value of a line'),
  flag('consent', 'the source has given written consent to a bulk copy, where its terms ask for it'),
];

const dryRunSetting = flag('dry-run', 'say what would be done, and change nothing');

/** The settings of commands that change the store and need nothing else. */
export const changeSettings: readonly Setting[] = [storeSetting, dryRunSetting];

/** The settings of `prune`. */
export const pruneSettings: readonly Setting[] = [
  storeSetting,
  {
    name: 'before',
    placeholder: 'DATE',
    help: 'points older than this go: 2024-01-31, 2024-01-31T12:00:00Z, or 90d for 90 days ago',
    default: undefined,
    parse: (text) => parseDate(text, Date.now()),
  },
  {
    name: 'after',
    placeholder: 'DATE',
    help: 'points newer than this go; with --before those between the two',
    default: undefined,
    parse: (text) => parseDate(text, Date.now()),
  },
  {
    name: 'plugin',
    placeholder: 'ID',
    help: 'the plugin whose points go; those of all plugins unless given',
    default: undefined,
    parse: parsePluginId,
  },
  {
    name: 'chart',
    placeholder: 'PLUGIN/CHART',
    help: 'the chart whose points go, such as 1337/players',
    default: undefined,
    parse: parseChartName,
  },
  dryRunSetting,
];

/** The settings of `stats`. */
export const statsSettings: readonly Setting[] = [storeSetting, flag('json', 'print one JSON object')];

/** Parses `players` or `1337/players`. */
function parseCsvChart(text: string): CsvChart {
  return isChartId(text) ? { chartId: text } : parseChartName(text);
}

/** The chart of `--csv`, as far as `--chart` names it. */
export interface CsvChart {
  readonly pluginId?: number;
  readonly chartId: string;
}

/** Reads the plugin and the chart of a text such as `1337/players`. */
export function parseChartName(text: string): ChartName {
  const [, digits = '', chartId = ''] = /^(\d+)\/(.*)$/.exec(text) ?? [];
  const pluginId = Number(digits);
  if (pluginId >= 1 && pluginId <= maxId && isChartId(chartId)) return { pluginId, chartId };
  throw new AppError(
    'invalid',
    `it must be the id of a plugin, a slash and the id of a chart, such as 1337/players, got ${shownValue(text)}`,
  );
}

function parseTimeUnit(text: string): TimeUnit {
  if (text === 's' || text === 'ms') return text;
  throw new AppError('invalid', `it must be s or ms, got ${shownValue(text)}`);
}

function parseRate(text: string): number {
  const rate = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (rate >= 0.001 && rate <= 100_000) return rate;
  throw new AppError('invalid', `it must be a number from 0.001 to 100000, got ${shownValue(text)}`);
}

/**
 * A path among the arguments.
 * @throws AppError `invalid` for what may be a connection string, which no later message must repeat.
 */
export function parsePath(text: string): string {
  if (!mayHoldPassword(text)) return text;
  throw new AppError(
    'invalid',
    'it must be a path; one that looks like a connection string needs ./ before it',
  );
}
