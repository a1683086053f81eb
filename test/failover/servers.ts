/** Primaries and standbys on loopback, with the PostgreSQL that is installed on this machine. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import {
  findServerUser,
  runOn,
  type ServerProcess,
  type ServerUser,
  serverOptions,
  serverProcess,
} from '../postgres/server-process.ts';
import { freePort } from '../support/free-port.ts';

/** One server. */
export interface Server extends ServerProcess {
  readonly port: number;
  /** Its directory. */
  readonly data: string;
  readonly run: (sql: string, database?: string) => Promise<Record<string, unknown>[]>;
}

/** Servers in one directory; disposing of it stops and removes them all. */
export interface ServerHall extends AsyncDisposable {
  readonly directory: string;
  readonly user: ServerUser;
  readonly startPrimary: (settings?: readonly string[]) => Promise<Server>;
  /** A standby that streams from another server. */
  readonly startStandby: (source: Server, settings?: readonly string[]) => Promise<Server>;
}

const run = promisify(execFile);
const tools = ['postgres', 'initdb', 'pg_basebackup'] as const;

/**
 * Prepares a directory for servers; throws an Error that names the packages to install if the tools are
 * missing.
 */
export async function openServerHall(): Promise<ServerHall> {
  const bin = findTools();
  const user = await findServerUser();
  const directory = mkdtempSync(join(tmpdir(), 'plugin-metrics-failover-'));
  chmodSync(directory, 0o755);
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const servers: Server[] = [];
  const start = async (data: string, port: number, settings: readonly string[]) => {
    const all = [
      'listen_addresses=127.0.0.1',
      'fsync=off',
      'shared_buffers=32MB',
      'wal_receiver_timeout=2s',
      'wal_retrieve_retry_interval=200ms',
      ...settings,
    ];
    const flags = ['-D', data, '-p', String(port), '-k', directory, ...all.flatMap((one) => ['-c', one])];
    const uri = `postgres://postgres@127.0.0.1:${port}`;
    const owned = serverProcess({
      postgres: join(bin, 'postgres'),
      flags,
      user,
      directory,
      uri: `${uri}/postgres`,
    });
    await owned.start();
    const server = {
      ...owned,
      port,
      data,
      run: (sql: string, database = 'postgres') => runOn(`${uri}/${database}`, sql),
    };
    servers.push(server);
    return server;
  };
  return {
    directory,
    user,
    startPrimary: async (settings = []) => {
      const data = join(directory, `primary-${servers.length}`);
      const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
      await run(join(bin, 'initdb'), flags, serverOptions(user, directory));
      return start(data, await freePort(), settings);
    },
    startStandby: async (source, settings = []) => {
      const data = join(directory, `standby-${servers.length}`);
      const from = ['-h', '127.0.0.1', '-p', String(source.port), '-U', 'postgres'];
      const flags = [...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
      await run(join(bin, 'pg_basebackup'), flags, serverOptions(user, directory));
      return start(data, await freePort(), settings);
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The directory that has all tools: one on the path, or Debian's newest version. */
export function findTools(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found = candidates.find((directory) => tools.every((tool) => existsSync(join(directory, tool))));
  if (found !== undefined) return found;
  throw new Error(
    `the failover tests need ${tools.join(', ')} of one PostgreSQL (13 or newer): "apt-get install postgresql" has them`,
  );
}
