/** The program run under strace, whose system calls fail or kill it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { findProgram } from '../../ops/proxy.ts';
import { endOf, mainPath, type Run } from '../../support/run-program.ts';

/** Options of strace. */
export interface Trace {
  /** The system calls to trace, such as `pwrite64,fsync`. */
  readonly calls: string;
  /** The fault to inject, in the words of `-e inject=`. */
  readonly inject?: string;
  /** Only calls that touch one of these files. */
  readonly paths?: readonly string[];
  /** The file for its log. */
  readonly logFile?: string;
}

/** Runs the program to its end under strace. Throws an Error that says how to install strace. */
export function runTraced(trace: Trace, argv: readonly string[]): Promise<Run> {
  const child = startTraced(trace, argv);
  child.stdin.end();
  return endOf(child);
}

/** Starts the program under strace. */
export function startTraced(trace: Trace, argv: readonly string[]): ChildProcessWithoutNullStreams {
  const { calls, inject, paths = [], logFile = '/dev/null' } = trace;
  // With -D the process is that of the program, which receives signals and whose end is seen.
  const flags = ['-D', '-f', '-qq', '-o', logFile, '-e', 'signal=none', '-e', `trace=${calls}`];
  // It is much faster this way, but does not send signals.
  if (inject?.includes('signal') !== true) flags.push('--seccomp-bpf');
  if (inject !== undefined) flags.push('-e', `inject=${inject}`);
  const program = [...paths.flatMap((path) => ['-P', path]), process.execPath, mainPath, ...argv];
  return spawn(findProgram('strace'), [...flags, ...program], { env: { PATH: process.env['PATH'] } });
}
