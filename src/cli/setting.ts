/** What a setting is, and the parsers that several settings share. */
import { AppError } from '../model/app-error.ts';
import { shownValue } from './password-text.ts';

/** One setting. */
export interface Setting {
  /** The option without its dashes. */
  readonly name: string;
  /** The name of its value in `--help`; undefined for a flag, which has a value only in the environment. */
  readonly placeholder: string | undefined;
  readonly help: string;
  /** As it would be typed; undefined where no value means the same as leaving it out. */
  readonly default: string | undefined;
  /** Text to value; throws AppError `invalid` with what is allowed. Of a repeatable option, to an array. */
  readonly parse: (text: string) => unknown;
  /** May be given several times, each of which adds to the array. */
  readonly isRepeatable?: true;
}

/** The option as `--help` shows it. */
export function optionText({ name, placeholder }: Setting): string {
  return placeholder === undefined ? `--${name}` : `--${name} <${placeholder}>`;
}

/** The name of a setting in the environment. */
export function environmentName(setting: Setting): string {
  return `PLUGIN_METRICS_${setting.name.toUpperCase().replaceAll('-', '_')}`;
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

/** A setting that is on or off. */
export function flag(name: string, help: string): Setting {
  return { name, placeholder: undefined, help, default: 'false', parse: parseFlag };
}

/** Throws AppError `invalid` for anything but yes and no. */
export function parseFlag(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new AppError('invalid', `it must be true, false, 1 or 0, got ${shownValue(text)}`);
}
