/** Runs the program: in this process, or in a process of its own as users run it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runProgram as runCommand } from '../../src/cli/program.ts';

/** The main file of the program. */
export const mainPath = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The exit code and the output of a run. */
export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run. By default, it runs in the directory of the tests, without input. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Makes standard error look like a terminal to the program. */
  readonly isTerminal?: boolean;
}

/** Options of a process. */
export interface ProcessOptions extends Omit<RunOptions, 'isTerminal'> {
  /** Arguments for Node, before the program. */
  readonly nodeArgv?: readonly string[];
  /** The user and the group of the process; only root may choose. */
  readonly uid?: number | undefined;
}

// Each run may add signal listeners, which stay until the process ends.
process.setMaxListeners(0);

let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs the program in this process, which is twenty times faster than a process of its own. Runs wait for
 * each other, because each uses the streams, the environment and the directory of the process. `serve` needs
 * a process of its own, which it may end.
 */
export function runProgram(argv: readonly string[], options: RunOptions = {}): Promise<Run> {
  const run = lastRun.then(() => runHere(argv, options));
  lastRun = run.catch(() => {});
  return run;
}

async function runHere(argv: readonly string[], options: RunOptions): Promise<Run> {
  const stdout = collectText();
  const stderr = collectText();
  const before = {
    ...Object.getOwnPropertyDescriptors(process),
    directory: process.cwd(),
    code: process.exitCode,
  };
  const replaced = {
    stdin: Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]),
    stdout: stdout.stream,
    stderr: Object.assign(stderr.stream, { isTTY: options.isTerminal ?? false }),
    env: { ...inheritedEnvironment(), ...options.env },
  };
  for (const [name, value] of Object.entries(replaced))
    Object.defineProperty(process, name, { value, configurable: true, writable: true });
  process.exitCode = undefined;
  try {
    process.chdir(options.cwd ?? before.directory);
    const code = await runCommand(argv);
    return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.chdir(before.directory);
    process.exitCode = before.code;
    for (const name of ['stdin', 'stdout', 'stderr', 'env'] as const)
      Object.defineProperty(process, name, before[name]);
  }
}

function collectText(): { readonly stream: Writable; readonly text: () => string } {
  const blocks: Buffer[] = [];
  const stream = new Writable({
    write: (block: Buffer, _, done) => {
      blocks.push(block);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(blocks).toString() };
}

/** Starts the program in the environment of the tests, without the variables that set options. */
export function startProgram(
  argv: readonly string[],
  options: ProcessOptions = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...(options.nodeArgv ?? []), mainPath, ...argv], {
    cwd: options.cwd,
    env: { ...inheritedEnvironment(), ...options.env },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PLUGIN_METRICS_|NODE_TEST_|NODE_OPTIONS|PG)/.test(name),
  );
  return Object.fromEntries(inherited);
}

/** Runs the program to its end, in a process of its own. */
export function runProcess(argv: readonly string[], options: ProcessOptions = {}): Promise<Run> {
  const child = startProgram(argv, options);
  // A program may stop reading its input early; that is not an error of the test.
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

/** Renders log lines as other commands print them, such as `error: …`, without the line about the start. */
export function messagesIn(stderr: string): string {
  const prefixes: Readonly<Record<string, string>> = { error: 'error: ', warn: 'warning: ', info: '' };
  return stderr
    .trimEnd()
    .split('\n')
    .filter((text) => text !== '')
    .map((text): { readonly level: string; readonly message: string } => JSON.parse(text))
    .filter(({ message }) => !/^plugin-metrics \d/.test(message))
    .map(({ level, message }) => `${prefixes[level]}${message}\n`)
    .join('');
}
