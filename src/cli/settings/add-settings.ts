/** The settings of the commands that add one thing to the store, or rename it. */
import { AppError } from '../../model/app-error.ts';
import { chartTypeNameSchema } from '../../model/chart.ts';
import { chartTypes } from '../../model/chart-types.ts';
import { nameSchema } from '../../model/identifier.ts';
import { eventProperties } from '../../model/plugin-event.ts';
import { softwareUrlSchema } from '../../model/software.ts';
import { parseTime } from '../date.ts';
import { shownValue } from '../password-text.ts';
import type { SettingsTable } from './setting.ts';
import { allowFutureSetting, changeSettings } from './settings.ts';

/** The settings of `add event`. */
export const addEventSettings = {
  ...changeSettings,
  title: {
    placeholder: 'TITLE',
    help: 'what happened, such as the version of a release; must be given',
    parse: parseName,
  },
  time: {
    placeholder: 'TIME',
    help: 'when it happened: 2024-01-31, 2024-01-31T12:00:00Z, 90d for 90 days ago, or Unix milliseconds; now unless given',
    parse: (text) => parseTime(text, Date.now()),
  },
  url: {
    placeholder: 'URL',
    help: 'the address of a page about it, http or https; none unless given',
    parse: parseEventUrl,
  },
  allowFuture: allowFutureSetting,
} satisfies SettingsTable;

/** The settings of `add software`. */
export const addSoftwareSettings = {
  ...changeSettings,
  name: {
    placeholder: 'NAME',
    help: 'the name that people see; must be given for a software that this program does not know',
    parse: parseName,
  },
} satisfies SettingsTable;

/** The settings of `add plugin`. */
export const addPluginSettings = {
  ...changeSettings,
  name: { placeholder: 'NAME', help: 'the name of the plugin; must be given', parse: parseName },
  owner: {
    placeholder: 'NAME',
    help: 'the name of its owner, who is added if no plugin has this owner yet; must be given',
    parse: parseName,
  },
  software: {
    placeholder: 'URL',
    help: 'the software that it runs on, such as bukkit; must be given',
    parse: parseSoftwareUrl,
  },
} satisfies SettingsTable;

/** The settings of `add chart`. */
export const addChartSettings = {
  ...changeSettings,
  type: {
    placeholder: 'TYPE',
    help: `the type; must be given. Known: ${Object.keys(chartTypes).join(', ')}`,
    parse: parseType,
  },
  title: { placeholder: 'TITLE', help: 'the title of the chart; must be given', parse: parseName },
  lineName: {
    placeholder: 'NAME',
    help: 'the name of the line in a line chart; the title unless given',
    parse: parseName,
  },
} satisfies SettingsTable;

/** The settings of `rename plugin`. */
export const renamePluginSettings = {
  ...changeSettings,
  name: { placeholder: 'NAME', help: 'the new name of the plugin; must be given', parse: parseName },
  owner: {
    placeholder: 'NAME',
    help: 'the name of its new owner; the owner stays unless given',
    parse: parseName,
  },
} satisfies SettingsTable;

function parseName(text: string): string {
  return parsePattern(text, nameSchema);
}

/** Parses the url of a software. @throws AppError `invalid`. */
export function parseSoftwareUrl(text: string): string {
  return parsePattern(text, softwareUrlSchema);
}

function parseType(text: string): string {
  return parsePattern(text, chartTypeNameSchema);
}

function parsePattern(
  text: string,
  { pattern, description }: { readonly pattern: string; readonly description: string },
): string {
  if (new RegExp(pattern, 'u').test(text)) return text;
  throw new AppError('invalid', `it must be ${description}, got ${shownValue(text)}`);
}

function parseEventUrl(text: string): string {
  if (new RegExp(eventProperties.url.pattern, 'u').test(text)) return text;
  throw new AppError(
    'invalid',
    `it must be a URL of at most 2,000 characters that begins with http:// or https://, got ${shownValue(text)}`,
  );
}
