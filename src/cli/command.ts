/**
 * Commands: their settings, each an option with a variable in the environment, their argument and their work.
 */
import { type Command, Option } from 'commander';
import { throwUnexpected } from '../model/app-error.ts';
import type { Parameter } from '../model/parameter.ts';
import { printMessage } from './output.ts';

/** One setting. Its name is its key in a table of settings: `maxAge` is `--max-age`. */
export interface Setting {
  /** Name of the value in `--help`; left out for a flag, whose value is only in the environment. */
  readonly placeholder?: string;
  readonly help: string;
  /** As typed; left out if there is none. */
  readonly default?: string;
  /** Set if the command needs the setting. */
  readonly isRequired?: true;
  /**
   * The allowed values in words, which follow "it must be"; left out if `parse` throws an AppError `invalid`
   * with them.
   */
  readonly allowed?: string;
  /**
   * Parses the text, for a repeatable option to an array; returns undefined for a text that is not allowed.
   */
  readonly parse: Parameter<unknown>['parse'];
  readonly hint?: NonNullable<Parameter<unknown>['hint']>;
  /** Set if the option may be given several times; each adds to the array. */
  readonly isRepeatable?: true;
  /**
   * Set if the setting has no variable, because units share an environment, in which it would be meant for
   * another command.
   */
  readonly isOptionOnly?: true;
  /** Set if no message of a wrong value may repeat it. */
  readonly isSecret?: true;
}

/** Settings of a command. */
export type SettingsTable = Readonly<Record<string, Setting>>;

/** Values of the settings in a table, undefined for one that is left out and has no default. */
export type OptionsOf<Table extends SettingsTable> = {
  readonly [Key in keyof Table]:
    | Exclude<ReturnType<Table[Key]['parse']>, undefined>
    | (Table[Key] extends { readonly default: string } | { readonly isRequired: true } ? never : undefined);
};

/** The argument of a command; no command has two. */
interface Argument<Value> {
  /** Name in `--help`: `<FILE>`, `<FILE...>` if there may be several, `[FILE]` if it may be left out. */
  readonly name: string;
  readonly help: string;
  readonly allowed?: string;
  /**
   * Parses the text, as for a setting. Without it the value is the text, or an array of texts if there may be
   * several.
   */
  readonly parse?: (text: string) => Value | undefined;
}

/** Reports wrong usage, which ends the program with exit code 2. */
export type RefuseUsage = (message: string) => never;

/** A setting that differs from its default. */
export interface ChangedSetting {
  readonly key: string;
  /**
   * The option as it would be typed, such as `--port 9000`; a store has no value here, since it may hold a
   * password.
   */
  readonly text: string;
  /** Source of the value: `command line`, or the name of a variable. */
  readonly source: string;
}

/** The parts of a command. */
interface CommandParts<Table extends SettingsTable, Value> {
  readonly summary: string;
  readonly settings: Table;
  readonly argument?: Argument<Value>;
  /** @throws AppError for what fails, with exit code 1. */
  readonly run: (
    options: OptionsOf<Table>,
    argument: Value,
    refuse: RefuseUsage,
    changed: readonly ChangedSetting[],
  ) => Promise<void>;
}

/** A command, to be added to the program under a name. */
export interface ProgramCommand {
  readonly summary: string;
  readonly argumentName: string | undefined;
  readonly settings: SettingsTable;
  readonly addTo: (parent: Command, name: string) => void;
}

/** Makes a command with an option for each of its settings. */
export function command<Table extends SettingsTable, Value = undefined>({
  summary,
  settings,
  argument,
  run,
}: CommandParts<Table, Value>): ProgramCommand {
  return {
    summary,
    argumentName: argument?.name,
    settings,
    addTo(parent, name) {
      const made = parent.command(name).description(summary).allowExcessArguments(false);
      const typed = new Map<string, string>();
      const options = Object.entries(settings).map(([key, setting]) => {
        const option = optionOf(made, key, setting, typed);
        made.addOption(option);
        return { key, setting, attribute: option.attributeName(), initial: option.defaultValue };
      });
      if (argument !== undefined) addArgument(made, argument);
      made.action(async () => {
        for (const { key, setting, attribute } of options) {
          // Commander would accept any value of the variable of a flag as true.
          if (setting.placeholder === undefined && made.getOptionValueSource(attribute) === 'env')
            made.setOptionValueWithSource(
              attribute,
              parseSetting(made, key, setting, process.env[variableOf(key)]),
              'env',
            );
        }
        const values = Object.fromEntries(
          options.map(({ key, attribute }) => [key, made.getOptionValue(attribute)]),
        );
        const refuse: RefuseUsage = (message) => made.error(`error: ${message}`);
        const changed = options.flatMap(({ key, attribute, initial }) => {
          const value = made.getOptionValue(attribute);
          const source = made.getOptionValueSource(attribute) === 'env' ? variableOf(key) : 'command line';
          const isChanged =
            key === 'store'
              ? made.getOptionValueSource(attribute) !== 'default'
              : value !== undefined && String(value) !== String(initial ?? '');
          const text = value === true || key === 'store' ? '' : ` ${typed.get(key) ?? value}`;
          return isChanged ? [{ key, text: `--${optionName(key)}${text}`, source }] : [];
        });
        await run(values as OptionsOf<Table>, made.processedArgs[0] as Value, refuse, changed);
      });
    },
  };
}

/** @param typed gets the text of an option that is not repeatable. */
function optionOf(made: Command, key: string, setting: Setting, typed: Map<string, string>): Option {
  const option = new Option(optionText(key, setting), setting.help)
    .makeOptionMandatory(setting.isRequired === true)
    .argParser((text: string | undefined, before: unknown) => {
      const value = parseSetting(made, key, setting, text);
      if (setting.isRepeatable) return [before ?? [], value].flat();
      if (text !== undefined) typed.set(key, text);
      return value;
    });
  const variable = environmentName(key, setting);
  if (variable !== undefined) option.env(variable);
  return setting.default === undefined
    ? option
    : option.default(setting.parse(setting.default), setting.default);
}

/** @param text undefined for a flag, which comes without text. */
function parseSetting(made: Command, key: string, setting: Setting, text = 'true'): unknown {
  const variable = environmentName(key, setting);
  const suffix = variable === undefined ? '' : ` (${variable})`;
  return parseOrRefuse(made, `--${optionName(key)}${suffix}`, setting, text);
}

function addArgument<Value>(made: Command, argument: Argument<Value>): void {
  const name = argument.name.replaceAll(/[<>[\].]/g, '');
  const { parse } = argument;
  if (parse === undefined) made.argument(argument.name, argument.help);
  else
    made.argument<Value | undefined>(argument.name, argument.help, (text) =>
      parseOrRefuse(made, name, { ...argument, parse }, text),
    );
}

/** Parses a text of the command line, or reports wrong usage. */
function parseOrRefuse<Value>(
  made: Command,
  name: string,
  {
    parse,
    allowed,
    hint,
    isSecret,
  }: Pick<Parameter<Value>, 'parse' | 'hint'> & Pick<Setting, 'allowed' | 'isSecret'>,
  text: string,
): Value {
  let rule = `it must be ${allowed}`;
  try {
    const value = parse(text);
    if (value !== undefined) return value;
  } catch (error) {
    throwUnexpected(error);
    rule = error.message;
  }
  const got = isSecret ? '' : `, got ${[`"${text}"`, hint?.(text)].filter(Boolean).join(', ')}`;
  return made.error(`error: ${name}: ${rule}${got}`);
}

/** The name of an option without its dashes: `max-age` for the key `maxAge`. */
export function optionName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The option as `--help` shows it. */
export function optionText(key: string, { placeholder }: Setting): string {
  return `--${optionName(key)}${placeholder === undefined ? '' : ` <${placeholder}>`}`;
}

const prefix = 'PLUGIN_METRICS_';

/** The name of a setting in the environment; undefined for one that is never taken from there. */
export function environmentName(key: string, { isOptionOnly }: Setting): string | undefined {
  return isOptionOnly ? undefined : variableOf(key);
}

function variableOf(key: string): string {
  return `${prefix}${optionName(key).toUpperCase().replaceAll('-', '_')}`;
}

/** A prefix that may be a mistyped one. */
const nearPrefix = /^plugin[_-]?metrics?[_-]/i;

/**
 * Removes empty and unknown variables of this program from the environment, so that child processes do not
 * report them again, and reports the unknown ones on standard error, because they may be mistyped. Variables
 * that begin with `PLUGIN_METRICS_TEST_` are for tests.
 */
export function tidyEnvironment(commands: readonly ProgramCommand[]): void {
  const known = new Set(
    commands.flatMap(({ settings }) =>
      Object.entries(settings).map(([key, setting]) => environmentName(key, setting)),
    ),
  );
  for (const [name, value] of Object.entries(process.env)) {
    if (!nearPrefix.test(name) || name.startsWith(`${prefix}TEST_`)) continue;
    if (value !== '' && known.has(name)) continue;
    if (value !== '') printMessage(`no option has the variable ${mayHoldPassword(name) ? '…' : name}`);
    delete process.env[name];
  }
}

/** Hides what may hold a password in an error, which repeats arguments and variables as they were typed. */
export function withoutPasswords(text: string, argv: readonly string[]): string {
  const values = argv.map((one) => one.replace(/^--?[\w-]+=/, ''));
  return [...argv, ...values, process.env[variableOf('store')] ?? '']
    .filter(mayHoldPassword)
    .sort((one, other) => other.length - one.length)
    .reduce((shown, one) => shown.replaceAll(one, '…'), text);
}

/**
 * Finds text that may hold a password: `USER:PASSWORD@HOST`, or `KEYWORD=VALUE` at the start or after white
 * space, `?`, `&` or `;`. The colon of `postgres://USER@HOST` is none before a password.
 */
export function mayHoldPassword(text: string): boolean {
  return /:.*@|(?:^|[\s?&;])[a-z_]\w*\s*=/is.test(text.replace(/^\s*postgres(?:ql)?:\/\//i, ''));
}
