/** Settings and arguments that several commands share, and their parsers. Each throws AppError `invalid` with the rule. */
import { AppError } from '../model/app-error.ts';
import { type ChartName, isChartId } from '../model/chart.ts';
import { maxId, nameSchema } from '../model/identifier.ts';
import { mayHoldPassword } from './command.ts';
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
