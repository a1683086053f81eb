/** The program: `serve` as operators run it, other commands, and requests to the server. */
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../question.ts';
import { type Child, type ChildOptions, type ChildResult, runChild, startChild } from './child.ts';

/** A ready server; disposing of it stops it. */
export interface Server extends AsyncDisposable {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly pid: number;
}

/** A response as received, not decoded. */
export interface RawResponse {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

const startTimeoutMs = 60_000;
const requestTimeoutMs = 60_000;
const lookMs = 2;

/** Starts `serve`, by default on the core for servers, and waits until it answers. */
export function startServe(
  bench: Bench,
  store: string,
  options: { readonly serveArgs?: readonly string[] } & Pick<ChildOptions, 'cores'> = {},
): Promise<Server> {
  const { serveArgs = [], ...rest } = options;
  return startListening(bench, ['serve', '--store', store, '--port', '0', ...serveArgs], rest);
}

/** Starts a command of the program that listens, by default on the core for servers. */
export function startListening(
  bench: Bench,
  args: readonly string[],
  options: Pick<ChildOptions, 'cores'> = {},
): Promise<Server> {
  const { node, main } = bench.build;
  const child = {
    ...{ cores: bench.cores.server, env: unitEnvironment(), ...options },
    ...{ command: node, args: [main, ...args] },
  };
  const urlLine = /^listening on (http:\/\/\S+)$/m;
  return startServer(bench, child, async ({ output }) => urlLine.exec(output())?.[1]);
}

/** Reads what the systemd unit sets for Node and glibc, so that servers run as they do for operators. */
function unitEnvironment(): Readonly<Record<string, string>> {
  const unit = readFileSync(new URL('../../ops/systemd/plugin-metrics.service', import.meta.url), 'utf8');
  const [, options, arenas, threshold] =
    /^Environment="NODE_OPTIONS=(.+)" MALLOC_ARENA_MAX=(\d+) MALLOC_MMAP_THRESHOLD_=(\d+)$/m.exec(unit) ?? [];
  if (options === undefined || arenas === undefined || threshold === undefined)
    throw new Error('the unit does not set what it did');
  return { NODE_OPTIONS: options, MALLOC_ARENA_MAX: arenas, MALLOC_MMAP_THRESHOLD_: threshold };
}

/** Starts a server and waits until `findUrl` returns its URL; a rejection means "not yet". */
export async function startServer(
  bench: Bench,
  options: ChildOptions,
  findUrl: (child: Child) => Promise<string | undefined>,
): Promise<Server> {
  const child = startChild(bench, options);
  const stop = () => child[Symbol.asyncDispose]();
  const startedAt = performance.now();
  while (child.exitCode() === undefined && performance.now() - startedAt < startTimeoutMs) {
    const url = await findUrl(child).catch(() => undefined);
    if (url !== undefined) return { url, pid: child.pid, [Symbol.asyncDispose]: stop };
    await sleep(lookMs);
  }
  await stop();
  throw new Error(`${options.command} did not start: ${child.errors().trim()}`);
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

/** Sends one request on a new connection. Rejects if the status is not the expected one. */
export async function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  expectedStatus = 200,
): Promise<RawResponse> {
  const response = await open(url, headers);
  const bytes = Buffer.concat(await response.toArray());
  if (response.statusCode === expectedStatus) return { headers: response.headers, bytes };
  throw new Error(`${url} answered ${response.statusCode}: ${bytes.toString('utf8', 0, 300)}`);
}

/** Requests a body that is too long to keep during a measurement; returns its size and its entity tag. */
export async function askAndDrop(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly sizeBytes: number; readonly etag: string }> {
  const response = await open(url, headers);
  let sizeBytes = 0;
  for await (const part of response) sizeBytes += part.length;
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  return { sizeBytes, etag: response.headers.etag ?? '' };
}

function open(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, timeout: requestTimeoutMs }, resolve);
    request.once('timeout', () => request.destroy(new Error(`${url} did not answer in time`)));
    request.once('error', reject);
  });
}
