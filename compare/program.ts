/** One of the two programs: its commands and its server, in a folder of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import type { Build } from '../build/commit-build.ts';
import type { Target } from './http-outcome.ts';
import { normalNames, normalOutput } from './normal-text.ts';
import { type Outcome, textOf } from './outcome.ts';

/** Input and environment of a command. */
export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** A running server. */
export interface Server extends Target {
  readonly adminPort: number | undefined;
  /**
   * Its name for a path in which `HASH` stands for a hash of the content; undefined if there is none, or more
   * than one.
   */
  readonly ownTarget: (target: string) => string | undefined;
  /** Ends the server and returns its outcome: exit code and output. */
  readonly stop: () => Promise<Outcome>;
}

const commandTimeoutMs = 120_000;
const startTimeoutMs = 60_000;

/** A build with the folder in which its commands run. */
export class Program {
  /** Both programs have the same relative paths, so that messages with a path are the same. */
  readonly folder: string;
  readonly #build: Build;
  readonly #children = new Set<ChildProcessWithoutNullStreams>();

  constructor(build: Build, folder: string) {
    this.#build = build;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Runs a command to its end. */
  async run(argv: readonly string[], { input, env = {} }: RunOptions = {}): Promise<Outcome> {
    const child = this.#start(argv, env);
    // The program may stop reading its input early.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const timer = setTimeout(() => child.kill('SIGKILL'), commandTimeoutMs);
    const outcome = await this.#outcomeOf(child);
    clearTimeout(timer);
    return outcome;
  }

  /** Starts `serve` on a free port, and waits until it listens. */
  async serve(argv: readonly string[], command = 'serve'): Promise<Server> {
    const child = this.#start([command, '--port', '0', ...argv], {});
    child.stdin.end();
    const outcome = this.#outcomeOf(child);
    let output = '';
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      const port = portIn(output, 'listening');
      const isReady = !argv.includes('--admin-port') || portIn(output, 'admin') !== undefined;
      if (port !== undefined && isReady) resolve(port);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    const fail = () => reject(new Error(`${this.#build.name}: ${command} does not listen: ${output}`));
    child.on('close', fail);
    const timer = setTimeout(fail, startTimeoutMs);
    const port = await promise;
    clearTimeout(timer);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
    return {
      port,
      adminPort: portIn(output, 'admin'),
      agent,
      ownTarget: (target) => this.#ownTarget(target),
      stop: async () => {
        agent.destroy();
        child.kill('SIGTERM');
        return outcome;
      },
    };
  }

  /** Ends whatever still runs. */
  kill(): void {
    for (const child of this.#children) child.kill('SIGTERM');
  }

  #ownTarget(target: string): string | undefined {
    if (!target.includes('-HASH.')) return target;
    const files = readdirSync(join(this.#build.folder, 'dist/browser')).map((file) => `/${file}`);
    const [file, other] = files.filter((one) => normalNames(one) === target);
    return other === undefined ? file : undefined;
  }

  /** Messages with whole paths have those of the folder of the program. */
  async #outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
    const outcome = await outcomeOf(child);
    const texts = [...outcome].map(
      ([name, text]) => [name, textOf(text).replaceAll(this.folder, 'FOLDER')] as const,
    );
    return new Map(texts);
  }

  #start(argv: readonly string[], env: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(PLUGIN_METRICS_|NODE_|PG|npm_)/.test(name),
    );
    const child = spawn(this.#build.node, [this.#build.main, ...argv], {
      cwd: this.folder,
      env: { ...Object.fromEntries(inherited), ...env },
    });
    this.#children.add(child);
    child.on('close', () => this.#children.delete(child));
    return child;
  }
}

/** The port in the line that says that a listener is ready. */
function portIn(output: string, listener: 'listening' | 'admin'): number | undefined {
  const [, port] = new RegExp(`^${listener} on http://[^\\n]*:(\\d+)\\n`, 'm').exec(output) ?? [];
  return port === undefined ? undefined : Number(port);
}

function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => chunks[name].push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const outputs = (['stdout', 'stderr'] as const).map((name): [string, string] => [
        name,
        normalOutput(textOf(Buffer.concat(chunks[name]))),
      ]);
      resolve(new Map([['exit code', String(code ?? signal)], ...outputs]));
    });
  });
}
