/** The settings of the commands: their options, their environment variables, `--help` and the table in the documentation. */
import type { TimeUnit } from '../../archive/csv/timestamps.ts';
import { AppError } from '../../model/app-error.ts';
import { type ChartName, isChartId } from '../../model/chart.ts';
import { maxId } from '../../model/identifier.ts';
import { steps } from '../../series/series-query.ts';
import { parseDate, parseDuration, parsePastDate } from '../date.ts';
import { parseSoftware } from '../given-software.ts';
import { mayHoldPassword, shownValue } from '../password-text.ts';
import { parseIdArgument } from '../plugin-ids.ts';
import { parseStoreName } from '../store-name.ts';
import { flag, type SettingsTable, wholeNumber } from './setting.ts';

/** The setting that names the store. */
export const storeSetting = {
  placeholder: 'STORE',
  help: 'the store: sqlite:PATH, a plain path, or postgres://USER@HOST:PORT/DATABASE',
  default: 'sqlite:plugin-metrics.db',
  parse: parseStoreName,
};

/** The setting that adds the fields of bstats.org to the interface. */
export const liveFieldsSetting = flag(
  'also send the three fields that bstats.org adds: software and isGlobal of a plugin, idCustom of a chart',
);

/** The settings of every command with a store. */
export const storeSettings = { store: storeSetting } satisfies SettingsTable;

/** The settings of `export`. */
export const exportSettings = {
  store: storeSetting,
  force: flag('replace FILE if it is there already'),
} satisfies SettingsTable;

/** The setting that accepts times more than a day ahead of the clock. */
export const allowFutureSetting = flag('accept times more than a day ahead of the clock of this machine');

/** The settings of `import`. */
export const importSettings = {
  store: storeSetting,
  csv: flag('FILE is CSV with the points of one chart, in the columns timestamp and value'),
  plugin: {
    placeholder: 'ID',
    help: 'the plugin of the chart that the points of --csv are for, where --chart does not name it',
    parse: parseIdArgument,
  },
  chart: {
    placeholder: 'CHART',
    help: 'the line chart that the points of --csv are for: players with --plugin 1337, or 1337/players',
    parse: parseCsvChart,
  },
  timeUnit: {
    placeholder: 'UNIT',
    help: 'the unit of numeric timestamps in --csv, s or ms; needed unless they have 10 or 13 digits',
    parse: parseTimeUnit,
  },
  allowFuture: allowFutureSetting,
} satisfies SettingsTable;

/** The settings of `openapi`. */
export const openapiSettings = { liveFields: liveFieldsSetting } satisfies SettingsTable;

/** The settings of `mirror`. */
export const mirrorSettings = {
  store: storeSetting,
  plugin: {
    placeholder: 'ID',
    help: 'a plugin to copy; may be given several times, or be several ids with commas between them',
    isRepeatable: true,
    parse: (text) => text.split(',').map((id) => parseIdArgument(id.trim())),
  },
  pluginsFile: {
    placeholder: 'FILE',
    help: 'a file with the id of a plugin to copy in each line; # begins a comment',
    parse: parsePath,
  },
  all: flag('copy every plugin of the plugin list'),
  maxElements: {
    placeholder: 'COUNT',
    help: 'how many of the latest points of a line, and times of a history, to copy in the first run; all unless given',
    parse: wholeNumber({ min: 1, max: 4_000_000 }),
  },
  rate: {
    placeholder: 'COUNT',
    help: 'how many requests to send in a second; may be less than 1',
    default: '2',
    parse: parseRate,
  },
  concurrency: {
    placeholder: 'COUNT',
    help: 'how many requests to send at the same time',
    default: '2',
    parse: wholeNumber({ min: 1, max: 64 }),
  },
  every: {
    placeholder: 'DURATION',
    help: 'repeat until a signal, at this interval: 30m, 12h, 1d',
    parse: parseDuration,
  },
  history: {
    placeholder: 'STEP',
    help: 'keep what pies, maps and bars show as history too, at the beginning of the current step: 1h, 6h or 1d (UTC)',
    parse: parseHistoryStep,
  },
  software: {
    placeholder: 'ID=URL:NAME',
    help: 'a software of which the source gives only the id, such as 1=bukkit:Bukkit; may be given several times, or be several with line breaks between them',
    isRepeatable: true,
    parse: parseSoftware,
  },
  again: flag('copy what was removed from the store as well, and points that were pruned'),
  allowFuture: allowFutureSetting,
  trimLeadingZeros: flag('leave out the zeros before the first other value of a line'),
  consent: flag('the source has given written consent to a bulk copy, where its terms ask for it'),
} satisfies SettingsTable;

const dryRunSetting = flag('say what would be done, and change nothing');

/** The settings of commands that change the store and have no others. */
export const changeSettings = { store: storeSetting, dryRun: dryRunSetting } satisfies SettingsTable;

/** The settings of `prune`. */
export const pruneSettings = {
  store: storeSetting,
  before: {
    placeholder: 'DATE',
    help: 'remove points older than this, which is not after now: 2024-01-31, 2024-01-31T12:00:00Z, or 90d for 90 days ago',
    parse: (text) => parsePastDate(text, Date.now()),
  },
  after: {
    placeholder: 'DATE',
    help: 'remove points newer than this; with --before, those between the two',
    parse: (text) => parseDate(text, Date.now()),
  },
  plugin: {
    placeholder: 'ID',
    help: 'the plugin to remove points from; all plugins unless given',
    parse: parseIdArgument,
  },
  chart: {
    placeholder: 'PLUGIN/CHART',
    help: 'the chart to remove points from, such as 1337/players',
    parse: parseChartArgument,
  },
  dryRun: dryRunSetting,
} satisfies SettingsTable;

/** The settings of `stats`. */
export const statsSettings = {
  store: storeSetting,
  json: flag('print one JSON object'),
} satisfies SettingsTable;

/** Parses `players` or `1337/players`. */
function parseCsvChart(text: string): CsvChart {
  return isChartId(text) ? { chartId: text } : parseChartArgument(text);
}

/** A chart for `--csv`; its plugin may be in `--plugin`. */
interface CsvChart {
  readonly pluginId?: number;
  readonly chartId: string;
}

/** Parses a plugin and a chart, such as `1337/players`. */
export function parseChartArgument(text: string): ChartName {
  const [, digits = '', chartId = ''] = /^(\d+)\/(.*)$/.exec(text) ?? [];
  const pluginId = Number(digits);
  if (pluginId >= 1 && pluginId <= maxId && isChartId(chartId)) return { pluginId, chartId };
  throw new AppError(
    'invalid',
    `it must be the id of a plugin, a slash and the id of a chart, such as 1337/players, got ${shownValue(text)}`,
  );
}

/** Parses the step of a history, in milliseconds. */
function parseHistoryStep(text: string): number {
  if (text === '1h' || text === '6h' || text === '1d') return steps[text];
  throw new AppError('invalid', `it must be 1h, 6h or 1d, got ${shownValue(text)}`);
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
 * Parses a path among the arguments.
 * @throws AppError `invalid` for text that may be a connection string, which messages would repeat.
 */
export function parsePath(text: string): string {
  if (!mayHoldPassword(text)) return text;
  throw new AppError(
    'invalid',
    'it must be a path; one that looks like a connection string needs ./ before it',
  );
}
