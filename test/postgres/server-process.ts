/** A PostgreSQL server as a child process of the tests: its user, its start and its end. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import pg from 'pg';

/** The user that runs the server; undefined for the user that runs the tests. */
export type ServerUser = { readonly uid: number; readonly gid: number } | undefined;

/** A server that can be started and stopped repeatedly. */
export interface ServerProcess {
  readonly start: () => Promise<void>;
  /** Kills the server, as in a crash. */
  readonly stop: () => Promise<void>;
  /** Gets the id of the server's parent process. */
  readonly processId: () => number;
}

/** Settings of a server to start. */
export interface ServerCommand {
  readonly postgres: string;
  readonly flags: readonly string[];
  readonly user: ServerUser;
  readonly directory: string;
  /** The address to poll until the server is ready. */
  readonly uri: string;
}

const running = new Set<ChildProcess>();
// Stops the server if the test run is interrupted.
process.once('exit', () => {
  for (const child of running) child.kill('SIGQUIT');
});

/** Prepares a server without starting it. */
export function serverProcess(command: ServerCommand): ServerProcess {
  let child: ChildProcess | undefined;
  let stopped: Promise<void> = Promise.resolve();
  return {
    start: async () => {
      const started = spawn(command.postgres, command.flags, {
        ...serverOptions(command.user, command.directory),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let log = '';
      started.stderr?.on('data', (text) => {
        log += text;
      });
      running.add(started);
      stopped = new Promise((resolve) => {
        started.once('exit', () => {
          running.delete(started);
          resolve();
        });
      });
      child = started;
      await untilReady(command.uri, () => {
        const end = started.exitCode ?? started.signalCode;
        return end === null ? undefined : `${end} ${log}`;
      });
    },
    stop: async () => {
      child?.kill('SIGQUIT');
      await stopped;
    },
    processId: () => child?.pid ?? 0,
  };
}

/** Makes the options for a process of the server. */
export function serverOptions(user: ServerUser, directory: string) {
  return { ...user, cwd: directory, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
}

/** Finds a user to run the server, which refuses to run as root. */
export async function findServerUser(): Promise<ServerUser> {
  if (userInfo().uid !== 0) return undefined;
  const run = promisify(execFile);
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (flag) => (await run('id', [flag, name])).stdout),
      );
      return { uid: Number(uid), gid: Number(gid) };
    } catch {
      // The next user may exist.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it');
}

/** Waits until the server answers. @param findEnd finds how the server has ended, and its output. */
async function untilReady(uri: string, findEnd: () => string | undefined): Promise<void> {
  for (const deadline = Date.now() + 120_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    try {
      await runOn(uri, 'select 1');
      return;
    } catch (error) {
      const end = findEnd();
      if (end !== undefined) throw new Error(`the PostgreSQL server did not start: ${end}`);
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Runs SQL on a connection of its own. */
export async function runOn(
  uri: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: uri, ssl: false });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
