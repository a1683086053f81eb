/** Settings: options of commands, with their variables in the environment, and the parsers that several of them share. */
import { AppError } from '../../model/app-error.ts';
import { shownValue } from '../password-text.ts';

/** One setting. Its name is its key in a table of settings: `maxAge` is `--max-age`. */
export interface Setting {
  /** Name of the value in `--help`; left out for a flag, which has a value only in the environment. */
  readonly placeholder?: string;
  readonly help: string;
  /** As it would be typed; left out if the setting may be left out. */
  readonly default?: string;
  /** Parses the text, of a repeatable option to an array; throws AppError `invalid` that says which values are allowed. */
  readonly parse: (text: string) => unknown;
  /** Set if the option may be given several times; each adds to the array. */
  readonly isRepeatable?: true;
}

/** Settings of a command. */
export type SettingsTable = Readonly<Record<string, Setting>>;

/** Values of the settings in a table, undefined for one that is left out and has no default. */
export type OptionsOf<Table extends SettingsTable> = {
  readonly [Key in keyof Table]:
    | ReturnType<Table[Key]['parse']>
    | (Table[Key] extends { readonly default: string } ? never : undefined);
};

/** The name of an option without its dashes: `max-age` for the key `maxAge`. */
export function optionName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The option as `--help` shows it. */
export function optionText(key: string, { placeholder }: Setting): string {
  return placeholder === undefined ? `--${optionName(key)}` : `--${optionName(key)} <${placeholder}>`;
}

/** The name of a setting in the environment. */
export function environmentName(key: string): string {
  return `PLUGIN_METRICS_${optionName(key).toUpperCase().replaceAll('-', '_')}`;
}

/** Parses a whole number within bounds; throws AppError `invalid`. */
export function wholeNumber(bounds: {
  readonly min: number;
  readonly max: number;
}): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= bounds.min && number <= bounds.max) return number;
    throw new AppError(
      'invalid',
      `it must be a whole number from ${bounds.min} to ${bounds.max}, got ${shownValue(text)}`,
    );
  };
}

/** Makes a setting that is on or off, and off by default. */
export function flag(help: string) {
  return { help, default: 'false', parse: parseFlag } as const;
}

function parseFlag(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new AppError('invalid', `it must be true, false, 1 or 0, got ${shownValue(text)}`);
}
