/** Commands declared from tables of settings: an option and a variable for each setting. */
import { type Command, Option } from 'commander';
import { AppError } from '../model/app-error.ts';
import type { Store } from '../model/store.ts';
import { refuseSameFile } from './same-file.ts';
import {
  environmentName,
  type OptionsOf,
  optionName,
  optionText,
  type Setting,
  type SettingsTable,
} from './setting.ts';

/** The argument of a command; no command has two. */
export interface Argument<Value> {
  /** As `--help` shows it: `<FILE>`, `<FILE...>` where there may be several, `[FILE]` where it may be left out. */
  readonly name: string;
  readonly help: string;
  /** Text to value; throws AppError `invalid`. Of several, `before` is the value of those before this one. */
  readonly parse: (text: string, before?: Value) => Value;
  /** The value of an argument that is left out. */
  readonly default?: Value;
}

/** A command in words, and what it does. */
export interface Declaration<Table extends SettingsTable, Value> {
  readonly summary: string;
  readonly settings: Table;
  readonly argument?: Argument<Value>;
  /** @param made the command, for errors of usage that concern several options. */
  readonly run: (options: OptionsOf<Table>, argument: Value, made: Command) => Promise<void>;
}

/** Adds a command with an option for each of its settings. */
export function declareCommand<Table extends SettingsTable, Value = undefined>(
  root: Command,
  name: string,
  { summary, settings, argument, run }: Declaration<Table, Value>,
): void {
  const made = root.command(name).description(summary).allowExcessArguments(false);
  const options = Object.entries(settings).map(([key, setting]) => ({
    key,
    setting,
    option: optionOf(key, setting, made),
  }));
  for (const { option } of options) made.addOption(option);
  if (argument !== undefined) addArgument(made, argument);
  made.action(async () => {
    for (const one of options) if (one.setting.placeholder === undefined) parseFlagVariable(made, one);
    const values = Object.fromEntries(
      options.map(({ key, option }) => [key, made.getOptionValue(option.attributeName())]),
    ) as OptionsOf<Table>;
    if ('store' in values) refuseSameFile(made, values['store'] as Store);
    await run(values, made.processedArgs[0] as Value, made);
  });
}

/** Parses a value of the command line. Commander's own message would repeat the value. */
export function orWrongUsage<Value>(command: Command, name: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return command.error(`error: ${name}: ${error.message}`);
  }
}

function addArgument<Value>(made: Command, argument: Argument<Value>): void {
  const shownName = argument.name.replaceAll(/[<>[\].]/g, '');
  made.argument<Value | undefined>(
    argument.name,
    argument.help,
    (text, before) => orWrongUsage(made, shownName, () => argument.parse(text, before)),
    argument.default,
  );
}

/** An option of commander, and the setting that it stands for. */
interface SettingOption {
  readonly key: string;
  readonly setting: Setting;
  readonly option: Option;
}

/** Parses the variable of a flag: commander takes any value of it for a yes. */
function parseFlagVariable(made: Command, { key, setting, option }: SettingOption): void {
  const attribute = option.attributeName();
  if (made.getOptionValueSource(attribute) !== 'env') return;
  const text = process.env[environmentName(key)] ?? '';
  made.setOptionValue(
    attribute,
    parseValue(made, key, () => setting.parse(text)),
  );
}

function parseValue<Value>(made: Command, key: string, parse: () => Value): Value {
  return orWrongUsage(made, `--${optionName(key)} (${environmentName(key)})`, parse);
}

function optionOf(key: string, setting: Setting, made: Command): Option {
  const option = new Option(optionText(key, setting), setting.help)
    .env(environmentName(key))
    // A flag has no text.
    .argParser((text: string | undefined, before: unknown) => {
      const value = parseValue(made, key, () => setting.parse(text ?? 'true'));
      return setting.isRepeatable ? [before ?? [], value].flat() : value;
    });
  return setting.default === undefined
    ? option
    : option.default(setting.parse(setting.default), setting.default);
}
