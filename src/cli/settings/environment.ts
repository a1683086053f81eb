/** Checks the environment variables of options, so that a mistyped one is not ignored silently. */
import type { Command } from 'commander';
import { printMessage } from '../output.ts';
import { shownArgument } from '../password-text.ts';

const prefix = 'PLUGIN_METRICS_';

/** Prefix of variables for tests. */
const testPrefix = `${prefix}TEST_`;

/**
 * Removes empty and unknown variables of this program from the environment, and reports the unknown ones on standard error.
 * Child processes then do not report them again.
 */
export function tidyEnvironment(root: Command): void {
  const known = variablesOf(root);
  for (const [name, value] of Object.entries(process.env)) {
    if (!name.startsWith(prefix) || name.startsWith(testPrefix)) continue;
    if (value !== '' && known.includes(name)) continue;
    if (value !== '') printMessage(`no option has the variable ${shownArgument(name)}`);
    delete process.env[name];
  }
}

function variablesOf(command: Command): string[] {
  const own = command.options.flatMap(({ envVar }) => envVar ?? []);
  return [...own, ...command.commands.flatMap(variablesOf)];
}
