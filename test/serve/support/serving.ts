/** `serve` or `collect` in a process of its own. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { endOf, type ProcessOptions, type Run, startProgram } from '../../support/run-program.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** A process that serves; disposing of it stops it. */
export interface Serving extends AsyncDisposable {
  readonly url: string;
  /** Empty without `--admin-port`. */
  readonly adminUrl: string;
  readonly pid: number;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Run>;
  /** Its standard error so far. */
  readonly stderr: () => string;
  /** Waits until standard error matches. */
  readonly said: (pattern: RegExp) => Promise<void>;
}

/** Options of a process that serves. */
export interface ServingOptions extends ProcessOptions {
  /** `serve` unless given. */
  readonly command?: 'collect';
  /** Replaces the way in which the program is started. */
  readonly start?: (argv: readonly string[], options: ProcessOptions) => ChildProcessWithoutNullStreams;
}

/** Starts `serve` on a free port, unless a port is given, and waits until it listens. */
export async function startServing(argv: readonly string[], options: ServingOptions = {}): Promise<Serving> {
  const { start = startProgram, command = 'serve' } = options;
  const port = options.env?.['PLUGIN_METRICS_PORT'] === undefined ? ['--port', '0'] : [];
  const child = start([command, ...port, ...argv], options);
  const ended = endOf(child).then((run) => ({ ...run, stderr: withoutStart(run.stderr) }));
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (text: string) => {
    stderr += text;
  });
  const lines =
    argv.includes('--admin-port') || options.env?.['PLUGIN_METRICS_ADMIN_PORT'] !== undefined ? 2 : 1;
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: string) => {
      stdout += text;
      if (stdout.split('\n').length > lines) resolve();
    });
    ended.then((run) => reject(new Error(run.stderr)), reject);
  });
  return {
    url: /^listening on (\S+)$/m.exec(stdout)?.[1] ?? '',
    adminUrl: /^admin on (\S+)$/m.exec(stdout)?.[1] ?? '',
    pid: child.pid ?? 0,
    signal: (signal) => child.kill(signal),
    ended,
    stderr: () => withoutStart(stderr),
    said: (pattern) =>
      waitUntil(
        () => pattern.test(stderr),
        () => `it said only: ${stderr}`,
      ),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Standard error without the line that says what starts. */
function withoutStart(text: string): string {
  return text.replace(/^\{"level":"info",.*"message":"plugin-metrics \d.*\n/m, '');
}
