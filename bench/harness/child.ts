/** Programs started by a run: pinned to cores, bounded in time, ended with the run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Bench } from '../question.ts';
import { programPath } from './machine.ts';
import { processUse } from './processes.ts';

/** A program to start. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Cores to run on; all by default. */
  readonly cores?: string;
  /** Runs at the lowest priority on its cores. */
  readonly isYielding?: boolean;
  /** Text for its standard input. */
  readonly input?: Iterable<string>;
}

/** A running program; disposing of it stops it. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Its exit code; undefined while it runs. */
  readonly exitCode: () => number | undefined;
  readonly exited: Promise<unknown>;
  /** Its standard output so far. */
  readonly output: () => string;
  readonly errors: () => string;
}

/** A program that ran to its end; the figures miss its last few milliseconds. */
export interface ChildResult {
  readonly output: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Its peak memory. */
  readonly peakBytes: number;
}

const runTimeoutMs = 15 * 60_000;
const stopTimeoutMs = 15_000;
const lookMs = 25;
const endedBySignal = -1;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program. */
export function startChild(bench: Bench, options: ChildOptions): Child {
  const { cores = bench.cores.all, isYielding = false, input } = options;
  // Both replace themselves with the next program, so the process id is that of the last one.
  const pinned = [programPath('taskset'), '-c', cores, options.command, ...options.args];
  const [command = '', ...args] = isYielding ? ['nice', '-n', '19', ...pinned] : pinned;
  const child = spawn(command, args);
  running.add(child);
  let exitCode: number | undefined;
  const exited = once(child, 'close').then(([code]: (number | null)[]) => {
    running.delete(child);
    exitCode = code ?? endedBySignal;
  });
  // A child that ends early closes the pipe; its exit code gives the reason.
  pipeline(Readable.from(input ?? []), child.stdin).catch(() => {});
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  return {
    pid: child.pid ?? 0,
    exitCode: () => exitCode,
    exited,
    output: collect(child.stdout),
    errors: collect(child.stderr),
    [Symbol.asyncDispose]: stop,
  };
}

/** Runs a program to its end. Rejects if it fails or takes longer than a quarter of an hour. */
export async function runChild(bench: Bench, options: ChildOptions): Promise<ChildResult> {
  const startedAt = performance.now();
  await using child = startChild(bench, options);
  let [peakBytes, cpuSeconds] = [0, 0];
  const watch = setInterval(() => {
    const use = processUse(child.pid);
    peakBytes = Math.max(peakBytes, use.peakBytes);
    cpuSeconds = Math.max(cpuSeconds, use.cpuSeconds);
    if (performance.now() - startedAt > runTimeoutMs) void child[Symbol.asyncDispose]();
  }, lookMs);
  await child.exited;
  clearInterval(watch);
  if (child.exitCode() === 0) {
    return {
      output: child.output(),
      seconds: (performance.now() - startedAt) / 1000,
      cpuSeconds,
      peakBytes,
    };
  }
  const text = [options.command, ...options.args].join(' ').slice(0, 200);
  throw new Error(`${text} failed (${child.exitCode()}): ${child.errors().trim()}`);
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}
