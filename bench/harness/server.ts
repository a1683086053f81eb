/** Runs the program: `serve` as operators run it, other commands, and requests to the server. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../question.ts';
import { type ChildOptions, type ChildResult, runChild, startChild } from './child.ts';

/** A ready server; disposing of it stops the server. */
export interface Server extends AsyncDisposable {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly pid: number;
}

/** Options for the smallest cache of `serve`: room for a few dozen months, or a few hundred single points. */
export const smallCache = ['--cache-mb', '1'];

const startTimeoutMs = 60_000;
const requestTimeoutMs = 60_000;
const lookMs = 2;

/** Starts `serve`, by default on the server core, and waits until it responds. */
export function startServe(
  bench: Bench,
  store: string,
  options: { readonly serveArgs?: readonly string[] } & Pick<ChildOptions, 'cores'> = {},
): Promise<Server> {
  const { serveArgs = [], ...rest } = options;
  return startListening(bench, ['serve', '--store', store, '--port', '0', ...serveArgs], rest);
}

/** Starts a listening command of the program, by default on the server core, and waits until it listens. */
export async function startListening(
  bench: Bench,
  args: readonly string[],
  options: Pick<ChildOptions, 'cores'> = {},
): Promise<Server> {
  const { node, main } = bench.build;
  const child = startChild(bench, {
    ...{ cores: bench.cores.server, env: unitEnvironment(), ...options },
    ...{ command: node, args: [main, ...args] },
  });
  const stop = () => child[Symbol.asyncDispose]();
  const startedAt = performance.now();
  while (child.exitCode() === undefined && performance.now() - startedAt < startTimeoutMs) {
    const url = /^listening on (http:\/\/\S+)$/m.exec(child.output())?.[1];
    if (url !== undefined) return { url, pid: child.pid, [Symbol.asyncDispose]: stop };
    await sleep(lookMs);
  }
  await stop();
  throw new Error(`${args[0]} did not start: ${child.errors().trim()}`);
}

/**
 * Reads the settings for Node and glibc from the systemd unit, so that servers run as they do for operators.
 */
function unitEnvironment(): Readonly<Record<string, string>> {
  const unit = readFileSync(new URL('../../ops/systemd/plugin-metrics.service', import.meta.url), 'utf8');
  const [, options, arenas, threshold] =
    /^Environment="NODE_OPTIONS=(.+)" MALLOC_ARENA_MAX=(\d+) MALLOC_MMAP_THRESHOLD_=(\d+)$/m.exec(unit) ?? [];
  if (options === undefined || arenas === undefined || threshold === undefined)
    throw new Error('the unit does not set what it did');
  return { NODE_OPTIONS: options, MALLOC_ARENA_MAX: arenas, MALLOC_MMAP_THRESHOLD_: threshold };
}

/** Runs a command of the program to its end. Rejects if it fails. */
export function runProgram(
  bench: Bench,
  args: readonly string[],
  options: Pick<ChildOptions, 'cores' | 'isYielding' | 'input'> = {},
): Promise<ChildResult> {
  const { node, main } = bench.build;
  return runChild(bench, { ...options, command: node, args: [main, ...args] });
}

/** Sends one request on a new connection; returns the undecoded body. Rejects if the status is not 200. */
export async function ask(url: string): Promise<Buffer> {
  return Buffer.concat(await (await open(url)).toArray());
}

/**
 * Sends one request and discards the body, which may be too long to keep during a measurement. Rejects if the
 * status is not 200.
 */
export async function askAndDrop(url: string, headers?: Readonly<Record<string, string>>): Promise<void> {
  for await (const _ of await open(url, headers));
}

async function open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
  const request = get(url, { headers, agent: false, timeout: requestTimeoutMs });
  request.once('timeout', () => request.destroy(new Error(`${url} did not answer in time`)));
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response?.statusCode === 200) return response;
  throw new Error(`${url} answered ${response?.statusCode}`);
}
