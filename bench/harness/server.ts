/** Our side: `serve` as an operator runs it, on cores of its own. */
import type { Bench } from '../question.ts';
import { startChild } from './child.ts';
import { type Listening, waitForLine } from './wait.ts';

/** What `serve` is asked for beside its store. */
export interface ServeOptions {
  readonly store: string;
  /** Left out: the core for servers. */
  readonly cores?: string;
  /** Further options of the command, such as `--cache-mb`. */
  readonly args?: readonly string[];
}

const startTimeoutMs = 60_000;

/** Starts `serve`; it answers when this resolves. */
export async function startServe(bench: Bench, options: ServeOptions): Promise<Listening> {
  const { store, cores = bench.cores.server, args = [] } = options;
  const child = await startChild(bench, {
    command: process.execPath,
    args: [bench.program, 'serve', '--store', store, '--port', '0', ...args],
    cores,
  });
  return waitForLine(bench, child, { pattern: /^listening on (http:\/\/\S+)$/m, timeoutMs: startTimeoutMs });
}
