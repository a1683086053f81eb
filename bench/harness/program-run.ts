/** The program's commands that run to their end. */
import type { Bench } from '../question.ts';
import { type ChildResult, runChild } from './child.ts';

const timeoutMs = 15 * 60_000;

/** Runs a command of the program. Rejects where it fails. */
export async function runProgram(
  bench: Bench,
  args: readonly string[],
  options: { readonly cores?: string; readonly isYielding?: boolean } = {},
): Promise<ChildResult> {
  return await runChild(bench, {
    ...options,
    command: process.execPath,
    args: [bench.program, ...args],
    timeoutMs,
  });
}
