/** Settings and arguments that several commands share, and their parsers. Each throws AppError `invalid` with the rule. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../model/app-error.ts';
import { type ChartName, isChartId } from '../model/chart.ts';
import { maxId, nameSchema } from '../model/identifier.ts';
import { parseIsoTime } from '../model/iso-time.ts';
import { maxTimestamp } from '../model/points.ts';
import type { Store } from '../model/store.ts';
import { mayHoldPassword, type Refuse } from './command.ts';
import { parseStoreName } from './store-name.ts';

/** The setting that names the store. */
export const storeSetting = {
  placeholder: 'STORE',
  help: 'the store: sqlite:PATH, a plain path, or postgres://USER@HOST:PORT/DATABASE',
  default: 'sqlite:plugin-metrics.db',
  parse: parseStoreName,
};

/** The settings of commands that change the store and have no others. */
export const changeSettings = {
  store: storeSetting,
  dryRun: flag('say what would be done, and change nothing'),
};

/** The setting that adds the fields of bstats.org to the interface. */
export const liveFieldsSetting = flag(
  'also send the three fields that bstats.org adds: software and isGlobal of a plugin, idCustom of a chart',
);

/** The setting that accepts times more than a day ahead of the clock. */
export const allowFutureSetting = flag('accept times more than a day ahead of the clock of this machine');

/** The argument that names a plugin. */
export const pluginArgument = {
  name: '<PLUGIN>',
  help: 'the id of the plugin',
  parse: (text: string) => parseId(text),
};

/** The argument that names a chart. */
export const chartArgument = {
  name: '<PLUGIN/CHART>',
  help: 'the id of the plugin, and the id that its reports give the chart, such as 1337/language',
  parse: (text: string) => parsePluginChart(text),
};

/** Makes a setting that is on or off, and off by default. */
export function flag(help: string) {
  return { help, default: 'false', parse: parseFlag } as const;
}

function parseFlag(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new AppError('invalid', 'it must be true, false, 1 or 0');
}

/** Makes a parser of whole numbers within bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new AppError('invalid', `it must be a whole number from ${min} to ${max}`);
  };
}

/** Parses the id of a plugin. */
export function parseId(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id >= 1 && id <= maxId) return id;
  throw new AppError('invalid', `a plugin id must be an integer from 1 to ${maxId}`);
}

/** Parses a plugin and a chart, such as `1337/players`. */
export function parsePluginChart(text: string): ChartName {
  const [, digits = '', chartId = ''] = /^(\d+)\/(.*)$/.exec(text) ?? [];
  const pluginId = Number(digits);
  if (pluginId >= 1 && pluginId <= maxId && isChartId(chartId)) return { pluginId, chartId };
  throw new AppError(
    'invalid',
    'it must be the id of a plugin, a slash and the id of a chart, such as 1337/players',
  );
}

/** Parses a path. Text that may be a connection string is refused, because messages would repeat it. */
export function parsePath(text: string): string {
  if (!mayHoldPassword(text)) return text;
  throw new AppError(
    'invalid',
    'it must be a path; one that looks like a connection string needs ./ before it',
  );
}

/** A rule of the model for text, such as `nameSchema`. */
interface TextRule {
  readonly pattern: string;
  readonly description: string;
}

/** Makes a parser of texts that fit a rule; `what` names such a text in messages. */
export function matching({ pattern, description }: TextRule, what = 'it'): (text: string) => string {
  return (text) => {
    if (new RegExp(pattern, 'u').test(text)) return text;
    throw new AppError('invalid', `${what} must be ${description}`);
  };
}

/** Parses what people see as the name of something. */
export const parseName = matching(nameSchema);

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Parses ISO 8601, or an age in days such as `90d`, as Unix milliseconds.
 * @throws AppError `invalid`.
 */
export function parseDate(text: string, now: number): number {
  const timestamp = findDate(text, now);
  if (timestamp !== undefined) return timestamp;
  throw new AppError(
    'invalid',
    `it must be a date such as 2024-01-31, a time with Z or an offset ${timeForms}`,
  );
}

/**
 * Parses a time that is not after now: as `parseDate`.
 * @throws AppError `invalid`.
 */
export function parsePastDate(text: string, now: number): number {
  const timestamp = parseDate(text, now);
  if (timestamp <= now) return timestamp;
  throw new AppError(
    'invalid',
    `it must not be after now (${new Date(now).toISOString()}), as --after DATE alone removes what lies in the future`,
  );
}

/**
 * Parses a time from 1970 on: as `parseDate`, or as Unix milliseconds. A number of fewer than 12 digits is refused, because it may be
 * seconds.
 * @throws AppError `invalid`.
 */
export function parseTime(text: string, now: number): number {
  const timestamp = /^\d{12,16}$/.test(text) ? Number(text) : findDate(text, now);
  if (timestamp !== undefined && timestamp >= 0 && timestamp <= maxTimestamp) return timestamp;
  throw new AppError(
    'invalid',
    `it must be a date from 1970 on such as 2024-01-31, a time with Z or an offset ${timeForms}, or Unix milliseconds such as 1706702400000`,
  );
}

const timeForms = 'such as 2024-01-31T12:00:00Z, or an age in days such as 90d';

function findDate(text: string, now: number): number | undefined {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return now - Number(days) * dayMs;
  const time = parseIsoTime(text);
  return time?.isCertain === true ? time.timestamp : undefined;
}

/**
 * Parses `30m`, `12h` or `1d` as milliseconds.
 * @throws AppError `invalid`.
 */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (unit === 'm' ? 1 : unit === 'h' ? 60 : 1440) * minuteMs;
  if (count !== '' && ms >= minuteMs && ms <= 366 * dayMs) return ms;
  throw new AppError('invalid', 'it must be a duration from 1m to 366d, such as 30m, 12h or 1d');
}

/** Reports wrong usage if one of the files is the store, or begins with its name and a hyphen; `-` is standard input or output. */
export function refuseSameFile(refuse: Refuse, { name, file }: Store, ...paths: readonly string[]): void {
  if (file === undefined) return;
  const store = realPath(file.path);
  for (const path of paths.filter((one) => one !== '-')) {
    const real = realPath(path);
    if (real !== store && !real.startsWith(`${store}-`)) continue;
    const relation = real === store ? 'is' : 'belongs to';
    refuse(`FILE ${path} ${relation} the store ${name}: no command writes what it reads`);
  }
}

/** Resolves symbolic links in the part of a path that exists. */
function realPath(path: string): string {
  for (const find of [() => realpathSync(path), () => join(realpathSync(dirname(path)), basename(path))]) {
    try {
      return find();
    } catch {
      // The next way needs less of the path to exist.
    }
  }
  return resolve(path);
}
