/** The program as its users run it: a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The file that is run. */
export const mainPath = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** How a run ended and what it said. */
export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run differs from one in the directory of the tests, without input. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Arguments for Node, before the program. */
  readonly nodeArgv?: readonly string[];
  /** The user and the group that it runs as; only root may choose. */
  readonly uid?: number | undefined;
}

/** Starts the program with the environment of the tests, less what would set options. */
export function startProgram(
  argv: readonly string[],
  options: RunOptions = {},
): ChildProcessWithoutNullStreams {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PLUGIN_METRICS_|NODE_TEST_|NODE_OPTIONS|PG)/.test(name),
  );
  return spawn(process.execPath, [...(options.nodeArgv ?? []), mainPath, ...argv], {
    cwd: options.cwd,
    env: { ...Object.fromEntries(inherited), ...options.env },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
}

/** Runs the program to its end. */
export function runProgram(argv: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = startProgram(argv, options);
  // A program that stops reading early is no fault of the one who writes.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input);
  return endOf(child);
}

/** Waits for a process to end. */
export function endOf(child: ChildProcessWithoutNullStreams): Promise<Run> {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...output }));
  });
}
