/** Declares commands from tables of settings, with an option and an environment variable for each setting. */
import { type Command, Option } from 'commander';
import { AppError } from '../../model/app-error.ts';
import type { Store } from '../../model/store.ts';
import { refuseSameFile } from '../same-file.ts';
import {
  environmentName,
  type OptionsOf,
  optionName,
  optionText,
  type Setting,
  type SettingsTable,
} from './setting.ts';

/** The argument of a command; no command has two. */
interface Argument<Value> {
  /** Name in `--help`: `<FILE>`, `<FILE...>` if there may be several, `[FILE]` if it may be left out. */
  readonly name: string;
  readonly help: string;
  /** Parses the text; throws AppError `invalid`. If there are several, `before` is the value of the previous ones. */
  readonly parse: (text: string, before?: Value) => Value;
  /** Value if the argument is left out. */
  readonly default?: Value;
}

/** A command: its help, its settings, its argument and its action. */
interface Declaration<Table extends SettingsTable, Value> {
  readonly summary: string;
  readonly settings: Table;
  readonly argument?: Argument<Value>;
  /** @param made the command, to report wrong usage. */
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

/** Parses a value of the command line, and reports wrong usage itself: commander's message would repeat the value. */
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

/** A setting and its option in commander. */
interface SettingOption {
  readonly key: string;
  readonly setting: Setting;
  readonly option: Option;
}

/** Parses the variable of a flag, of which commander accepts any value as true. */
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
    // A flag comes without text.
    .argParser((text: string | undefined, before: unknown) => {
      const value = parseValue(made, key, () => setting.parse(text ?? 'true'));
      return setting.isRepeatable ? [before ?? [], value].flat() : value;
    });
  return setting.default === undefined
    ? option
    : option.default(setting.parse(setting.default), setting.default);
}
