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
    if (value !== '')
      printMessage(`no option has the variable ${shownArgument(name)}${hintFor(name, known)}`);
    delete process.env[name];
  }
}

function variablesOf(command: Command): string[] {
  const own = command.options.flatMap(({ envVar }) => envVar ?? []);
  return [...own, ...command.commands.flatMap(variablesOf)];
}

function hintFor(name: string, known: readonly string[]): string {
  const typed = name.slice(prefix.length).toUpperCase();
  const [nearest] = known
    .map((variable) => ({ variable, distance: distanceBetween(typed, variable.slice(prefix.length)) }))
    .sort((one, other) => one.distance - other.distance);
  const isNear = nearest !== undefined && nearest.distance <= Math.min(2, typed.length / 2);
  return isNear ? `; did you mean ${nearest.variable}?` : '';
}

/** Counts the letters to insert, delete or replace. If one name, of at least four letters, begins the other, the distance is at most 1.5. */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 0; column < other.length; column++) {
      const replaced = (row[column] ?? 0) + (letter === other[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  const isBeginning =
    Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one));
  return Math.min(row[other.length] ?? 0, isBeginning ? 1.5 : Number.POSITIVE_INFINITY);
}
