/** Commands declared from the table of settings: an option and a variable for each. */
import { type Command, Option } from 'commander';
import { AppError } from '../model/app-error.ts';
import type { Store } from '../model/store.ts';
import { refuseSameFile } from './same-file.ts';
import { environmentName, optionText, type Setting } from './setting.ts';

/** A command with an option for each of its settings. */
export function command(
  root: Command,
  name: string,
  about: { readonly summary: string; readonly settings: readonly Setting[] },
): Command {
  const made = root.command(name).description(about.summary).allowExcessArguments(false);
  for (const setting of about.settings) made.addOption(optionOf(setting, made));
  return made.hook('preAction', () => {
    for (const setting of about.settings) if (setting.placeholder === undefined) readFlag(made, setting);
    const { store } = made.opts<{ readonly store?: Store }>();
    if (store !== undefined) refuseSameFile(made, store);
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

/** Commander takes any value of a flag's variable for a yes. */
function readFlag(command: Command, setting: Setting): void {
  const option = optionOf(setting, command);
  if (command.getOptionValueSource(option.attributeName()) !== 'env') return;
  const text = process.env[environmentName(setting)] ?? '';
  command.setOptionValue(option.attributeName(), optionValue(option, parseValue(setting, command, text)));
}

function parseValue(setting: Setting, command: Command, text: string): unknown {
  return orWrongUsage(command, `--${setting.name} (${environmentName(setting)})`, () => setting.parse(text));
}

function optionOf(setting: Setting, command: Command): Option {
  const option = new Option(optionText(setting), setting.help)
    .env(environmentName(setting))
    // Of a flag there is no text.
    .argParser((text: string | undefined, before: unknown) => {
      const value = optionValue(option, parseValue(setting, command, text ?? 'true'));
      return setting.isRepeatable ? [before ?? [], value].flat() : value;
    });
  return setting.default === undefined
    ? option
    : option.default(optionValue(option, setting.parse(setting.default)), setting.default);
}

/** `--no-site` sets `site` to false. */
function optionValue(option: Option, value: unknown): unknown {
  return option.negate ? value === false : value;
}
