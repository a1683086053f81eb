/** Waiting until a server that has been started answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../question.ts';
import type { Child } from './child.ts';

/** A server that answers; disposing of it stops it. */
export interface Listening extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** What it has complained about. */
  readonly errors: () => string;
}

const lookMs = 2;

/** Waits until the child prints its address, the first group of the pattern. Stops the child where it does not. */
export async function waitForLine(
  bench: Bench,
  child: Child,
  options: { readonly pattern: RegExp; readonly timeoutMs: number },
): Promise<Listening> {
  return waitFor(bench, child, {
    timeoutMs: options.timeoutMs,
    findUrl: async () => options.pattern.exec(child.output())?.[1],
  });
}

/** Waits until `findUrl` finds an address. Stops the child where it does not. */
export async function waitFor(
  bench: Bench,
  child: Child,
  options: { readonly findUrl: () => Promise<string | undefined>; readonly timeoutMs: number },
): Promise<Listening> {
  let hasExited = false;
  const exited = child.exited.then(() => {
    hasExited = true;
  });
  try {
    for (const startedAt = performance.now(); performance.now() - startedAt < options.timeoutMs; ) {
      const url = await options.findUrl();
      if (url !== undefined) {
        const { pid, errors } = child;
        return { url, pid, errors, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
      }
      if (hasExited) throw new Error(`a server did not start: ${child.errors().trim()}`);
      await Promise.race([sleep(lookMs, undefined, { signal: bench.signal }), exited]);
    }
    throw new Error(`a server did not answer within ${options.timeoutMs / 1000} s: ${child.errors().trim()}`);
  } catch (error) {
    await child[Symbol.asyncDispose]();
    throw error;
  }
}
