/** Settings, arguments and parameters that several commands share. */
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../model/app-error.ts';
import { type ChartName, isChartId, maxId, nameSchema, softwareUrlSchema } from '../model/catalogue.ts';
import { digitsHint, parseTime } from '../model/iso-time.ts';
import { digitsFrom, matching, type Parameter } from '../model/parameter.ts';
import type { Store } from '../model/store.ts';
import { dayMs, maxTimestamp } from '../model/window.ts';
import { readFault, systemCode } from '../runtime/system-faults.ts';
import type { RefuseUsage } from './command.ts';
import { parseStoreName } from './store-name.ts';

/** The setting that names the store. */
export const storeSetting = {
  placeholder: 'STORE',
  help: 'the store: sqlite:PATH, a plain path, or postgres://USER@HOST:PORT/DATABASE',
  default: 'sqlite:plugin-metrics.db',
  parse: parseStoreName,
};

/** The settings of every command that changes the store. */
export const changeSettings = {
  store: storeSetting,
  dryRun: flagSetting('show what would be done, and change nothing'),
};

/** The setting that accepts times more than a day ahead of the clock. */
export const allowFutureSetting = flagSetting('accept times more than a day ahead of the clock');

/** The setting that accepts a duplicate plugin. */
export const allowDuplicateSetting = flagSetting(
  'accept a plugin with the name, owner and software of another one',
);

/** Makes a setting that is on or off, by default off. */
export function flagSetting(help: string) {
  return { help, default: 'false', allowed: 'true, false, 1 or 0', parse: parseFlag } as const;
}

function parseFlag(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** The name of a file or a folder. */
export const fileName: Parameter<string> = { allowed: 'a name', parse: (text) => text || undefined };

/** A number of things. */
export const count = { placeholder: 'COUNT', ...digitsFrom(1, 1_000_000) };

/** The id of a plugin. */
export const pluginId = { placeholder: 'ID', ...digitsFrom(1, maxId) };

/** A plugin and a chart, such as `1337/players`. */
export const pluginChart: Parameter<ChartName> = {
  allowed: 'the id of a plugin, a slash and the id of a chart, such as 1337/players',
  parse(text) {
    const [, digits = '', chartId = ''] = /^(\d+)\/(.*)$/.exec(text) ?? [];
    const id = pluginId.parse(digits);
    return id !== undefined && isChartId(chartId) ? { pluginId: id, chartId } : undefined;
  },
};

/** The argument that names a plugin. */
export const pluginArgument = { name: '<PLUGIN>', help: 'the id of the plugin', ...pluginId };

/** The argument that names a software. */
export const softwareArgument = {
  name: '<URL>',
  help: 'its name in addresses, such as bukkit',
  placeholder: 'URL',
  ...matching(softwareUrlSchema),
};

/** The argument that names a chart. */
export const chartArgument = {
  name: '<PLUGIN/CHART>',
  help: 'the id of the plugin and of the chart, such as 1337/players',
  ...pluginChart,
};

/** Several values of a parameter, with commas between them unless another separator is given. */
export function several<Value>(
  { parse, ...words }: Parameter<Value> & { readonly placeholder: string },
  separator = ',',
) {
  return {
    ...words,
    parse(text: string): readonly Value[] | undefined {
      const parts = text.split(separator);
      const values = parts.map((part) => parse(part.trim())).filter((value) => value !== undefined);
      return values.length === parts.length ? values : undefined;
    },
  };
}

/** The name of something, as people see it. */
export const nameText = { placeholder: 'NAME', ...matching(nameSchema) };

/** The title of something. */
export const titleText = { ...nameText, placeholder: 'TITLE' };

const minuteMs = 60_000;

/** A time from 1970 on, in Unix milliseconds. */
export const timeSetting = {
  placeholder: 'DATE',
  allowed:
    'a date from 1970 on such as 2024-01-31, a time such as 2024-01-31T12:00:00Z (UTC without an offset), an age such as 10m, 2h or 90d, or Unix milliseconds such as 1706702400000',
  parse(text: string) {
    const timestamp = timestampOf(text);
    return timestamp !== undefined && timestamp >= 0 && timestamp <= maxTimestamp ? timestamp : undefined;
  },
  hint: digitsHint,
};

function timestampOf(text: string): number | undefined {
  const age = lengthOf(text);
  if (age !== undefined) return Date.now() - age;
  return parseTime(text)?.timestamp;
}

/** A duration such as `30m`, `12h` or `1d`, in milliseconds. */
export const durationSetting = {
  placeholder: 'DURATION',
  allowed: 'a duration from 1m to 366d, such as 30m, 12h or 1d',
  parse(text: string) {
    const ms = lengthOf(text) ?? 0;
    return ms >= minuteMs && ms <= 366 * dayMs ? ms : undefined;
  },
};

/** Parses minutes, hours or days as milliseconds. */
function lengthOf(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * (unit === 'm' ? 1 : unit === 'h' ? 60 : 1440) * minuteMs;
}

/**
 * Reports wrong usage if one of the files is the store, or begins with its name and a hyphen; `-` is standard
 * input or output.
 */
export function refuseSameFile(
  refuse: RefuseUsage,
  { name, file }: Store,
  ...paths: readonly string[]
): void {
  if (file === undefined) return;
  const store = realPath(file.path);
  for (const path of paths.filter((one) => one !== '-')) {
    const real = realPath(path);
    if (real !== store && !real.startsWith(`${store}-`)) continue;
    const relation = real === store ? 'is' : 'belongs to';
    refuse(`FILE ${path} ${relation} the store ${name}: no command writes what it reads`);
  }
}

/**
 * Reads a file that a setting names.
 * @param missing the text for a file that is not there.
 * @throws AppError `invalid` if it cannot be read.
 */
export function readText(file: string, missing?: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (missing !== undefined && systemCode(error) === 'ENOENT') return missing;
    throw new AppError('invalid', readFault(file, error as Error), { place: file, cause: error });
  }
}

/** Resolves symbolic links in the part of a path that exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Some folder above it exists, at least the root or the current one.
    return join(realPath(dirname(path)), basename(path));
  }
}
