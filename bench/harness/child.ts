/** Starts programs: pinned to cores, limited in time, ended with the run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Bench } from '../question.ts';
import { pinned } from './machine.ts';
import { processUse } from './processes.ts';

/** Describes a program to start. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Cores to run on; all by default. */
  readonly cores?: string;
  /** True to run at the lowest priority. */
  readonly isYielding?: boolean;
  /** Environment variables, in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for standard input. */
  readonly input?: Iterable<string>;
}

/** A running program; disposing of it stops the program. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Returns the exit code; undefined while the program runs. */
  readonly exitCode: () => number | undefined;
  /** Returns the standard output so far. */
  readonly output: () => string;
  readonly errors: () => string;
}

/** Result of a finished program. */
export interface ChildResult {
  readonly output: string;
  readonly seconds: number;
  /** CPU time of the program and its children, user and system. */
  readonly cpuSeconds: number;
  /** Bytes written to files and pipes. */
  readonly writtenBytes: number;
}

const runTimeoutMs = 15 * 60_000;
const stopTimeoutMs = 15_000;
const endedBySignal = -1;

/** Functions that kill the running programs. */
const running = new Set<() => void>();
process.on('exit', () => {
  for (const kill of running) kill();
});

/** Starts a program. */
export function startChild(bench: Bench, options: ChildOptions): Child {
  const [command = '', ...args] = commandLine(bench, options);
  const child = spawn(command, args, { env: { ...process.env, ...options.env } });
  const kill = () => void child.kill('SIGKILL');
  const exited = endOf(child, kill);
  let exitCode: number | undefined;
  void exited.then((code) => {
    exitCode = code;
  });
  feed(child, options);
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(kill, stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  return {
    pid: child.pid ?? 0,
    exitCode: () => exitCode,
    output: collect(child.stdout),
    errors: collect(child.stderr),
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * A shell command that runs the program, then waits until its counts have been read. The counts of a process
 * include its finished children, so the shell still has the counts of the program when that has ended.
 */
const lingering = '"$@" 3>&-; echo "$?" >&3; read -r line <&3';

/** Runs a program to its end. Rejects if it fails or takes longer than a quarter of an hour. */
export async function runChild(bench: Bench, options: ChildOptions): Promise<ChildResult> {
  const startedAt = performance.now();
  const args = ['-c', lingering, 'sh', ...commandLine(bench, options)];
  const shell = spawn('sh', args, { detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  const pid = shell.pid ?? 0;
  const kill = () => void process.kill(-pid, 'SIGKILL');
  const exited = endOf(shell, kill);
  feed(shell, options);
  const [output, errors] = [collect(shell.stdout), collect(shell.stderr)];
  const timer = setTimeout(kill, runTimeoutMs);
  const control = shell.stdio[3] as Duplex;
  const [code]: unknown[] = await Promise.race([once(control, 'data'), exited.then(() => [])]);
  clearTimeout(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  const { cpuSeconds, writtenBytes } = processUse(pid);
  control.end('\n');
  await exited;
  if (Number(code) === 0) return { output: output(), seconds, cpuSeconds, writtenBytes };
  const text = [options.command, ...options.args].join(' ').slice(0, 200);
  throw new Error(`${text} failed (${String(code).trim()}): ${errors().trim()}`);
}

/**
 * Builds a command line in which each program replaces itself with the next (exec), so the process id is that
 * of the last.
 */
function commandLine(bench: Bench, options: ChildOptions): string[] {
  const { cores = bench.cores.all, isYielding = false, command, args } = options;
  return [...(isYielding ? ['nice', '-n', '19'] : []), ...pinned(cores), command, ...args];
}

function endOf(child: ChildProcess, kill: () => void): Promise<number> {
  running.add(kill);
  return once(child, 'close').then(([code]: (number | null)[]) => {
    running.delete(kill);
    return code ?? endedBySignal;
  });
}

function feed({ stdin }: ChildProcess, { input }: ChildOptions): void {
  // If a child ends early, its input pipe breaks; the exit code tells the reason.
  if (stdin !== null) pipeline(Readable.from(input ?? []), stdin).catch(() => {});
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}
