/** Programs that a run starts: pinned to cores, bounded in time, and gone when the run is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../question.ts';
import { memoryPeakBytes, processorSeconds } from './process-figures.ts';
import { getProgram } from './programs.ts';

/** What to start. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Cores as `taskset` takes them; left out: all. */
  readonly cores?: string;
  /** Gives way to whatever else runs on its cores. */
  readonly isYielding?: boolean;
  /** Who runs it; left out: whoever runs this. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** What ends it; left out: SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** Written to its standard input, as fast as it takes it. */
  readonly input?: Iterable<Uint8Array>;
}

/** A running program; disposing of it stops it. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Its exit code; undefined when a signal ended it. */
  readonly exited: Promise<number | undefined>;
  /** What it has written so far. */
  readonly output: () => string;
  readonly errors: () => string;
}

/** What a program that ran to its end left behind. */
export interface ChildResult {
  readonly output: string;
  readonly errors: string;
  readonly seconds: number;
  /** What it took of the processor; the last few milliseconds are not in it. */
  readonly cpuSeconds: number;
  /** The most memory that it held at one time; the last few milliseconds are not in it. */
  readonly memoryPeakBytes: number;
}

const stopTimeoutMs = 15_000;
const lookMs = 25;
const maxOutputCharacters = 1_000_000;

const running = new Set<ChildProcess>();

// The last resort: whatever is left when this process goes.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program. */
export async function startChild(bench: Bench, options: ChildOptions): Promise<Child> {
  bench.signal.throwIfAborted();
  const [command = '', ...args] = pinned(options);
  const child = spawn(command, args, {
    ...options.user,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  const exited = exitOf(child);
  await Promise.race([once(child, 'spawn'), exited]);
  const output = collect(child.stdout);
  const errors = collect(child.stderr);
  if (options.input !== undefined) void feed(child, options.input);
  return {
    pid: child.pid ?? 0,
    exited,
    output,
    errors,
    [Symbol.asyncDispose]: () => stop(child, exited, options.stopSignal),
  };
}

/** Runs a program to its end. Rejects where it fails, takes longer than `timeoutMs`, or the run is ended. */
export async function runChild(
  bench: Bench,
  options: ChildOptions & { readonly timeoutMs: number },
): Promise<ChildResult> {
  const startedAt = performance.now();
  await using child = await startChild(bench, options);
  let peakBytes = 0;
  let cpuSeconds = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, memoryPeakBytes(child.pid));
    cpuSeconds = Math.max(cpuSeconds, processorSeconds(child.pid));
  }, lookMs);
  try {
    const code = await ended(bench, child, options);
    const seconds = (performance.now() - startedAt) / 1000;
    if (code !== 0) {
      throw new Error(`${commandText(options)} ended with ${code ?? 'a signal'}: ${child.errors().trim()}`);
    }
    return {
      output: child.output(),
      errors: child.errors(),
      seconds,
      cpuSeconds,
      memoryPeakBytes: peakBytes,
    };
  } finally {
    clearInterval(watch);
  }
}

/** Rejects when the run is ended before `work` is. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}

async function ended(
  bench: Bench,
  child: Child,
  options: ChildOptions & { readonly timeoutMs: number },
): Promise<number | undefined> {
  const timer = new AbortController();
  const late = sleep(options.timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${commandText(options)} took longer than ${options.timeoutMs / 1000} s`);
  });
  late.catch(() => {});
  try {
    return await unlessAborted(bench.signal, Promise.race([child.exited, late]));
  } finally {
    timer.abort();
  }
}

function pinned({ command, args, cores, isYielding = false }: ChildOptions): string[] {
  const nice = isYielding ? [getProgram('nice'), '-n', '19'] : [];
  const taskset = cores === undefined ? [] : [getProgram('taskset'), '-c', cores];
  return [...nice, ...taskset, command, ...args];
}

function commandText({ command, args }: ChildOptions): string {
  return [command, ...args].join(' ').slice(0, 300);
}

function exitOf(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      running.delete(child);
      reject(error);
    });
    child.once('close', (code) => {
      running.delete(child);
      resolve(code ?? undefined);
    });
  });
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (part: string) => {
    if (text.length < maxOutputCharacters) text += part;
  });
  return () => text;
}

async function feed(child: ChildProcess, input: Iterable<Uint8Array>): Promise<void> {
  if (child.stdin === null) return;
  try {
    await pipeline(Readable.from(input), child.stdin);
  } catch (error) {
    // A child that ends early closes the pipe; its exit code tells why.
    if (!(error instanceof Error && 'code' in error && isClosedPipe(error.code))) throw error;
  }
}

function isClosedPipe(code: unknown): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET';
}

async function stop(
  child: ChildProcess,
  exited: Promise<unknown>,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await exited;
  clearTimeout(timer);
}
