/** PgBouncer in front of a server, configured as docs/postgresql.md says. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../doc-tables.ts';
import { findProgram } from '../ops/proxy.ts';
import { type ServerProcess, type ServerUser, serverProcess } from '../postgres/server-process.ts';
import { freePort } from '../support/free-port.ts';

/** A running PgBouncer. */
export interface Bouncer extends ServerProcess {
  readonly port: number;
}

/** Settings of a PgBouncer to start. */
export interface BouncerSettings {
  readonly directory: string;
  /** Like PostgreSQL, it refuses to run as root. */
  readonly user: ServerUser;
  /** The port of the server, which has any number of databases. */
  readonly serverPort: number;
  readonly mode: 'transaction' | 'session';
  readonly poolSize: number;
}

/** True if the installed PgBouncer can prepare statements in transaction mode. */
export function canPrepare(): boolean {
  const version = execFileSync(findProgram('pgbouncer'), ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(version) ?? assert.fail(version);
  return Number(major) > 1 || Number(minor) >= 21;
}

/** Starts one. */
export async function startBouncer({
  directory,
  user,
  serverPort,
  mode,
  poolSize,
}: BouncerSettings): Promise<Bouncer> {
  const port = await freePort();
  const file = join(directory, `${port}.ini`);
  const users = join(directory, 'users.txt');
  writeFileSync(users, '"postgres" ""\n');
  const [, documented = ''] =
    /```ini\n(\[databases\][\s\S]*?)```/.exec(readDocument('docs/postgresql.md')) ?? [];
  const settings = [
    // An older one does not know the setting.
    (canPrepare() ? documented : documented.replace(/^max_prepared_statements.*\n/m, ''))
      .replace('metrics = host=db1.example.org', `* = host=127.0.0.1 port=${serverPort}`)
      .replace('pool_mode = transaction', `pool_mode = ${mode}`),
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    // Every test has its own database, and so its own pool.
    'server_idle_timeout = 1',
    // Messages come in pieces, and other connections are served in between.
    'pkt_buf = 512',
    'sbuf_loopcnt = 1',
    `default_pool_size = ${poolSize}`,
  ];
  writeFileSync(file, `${settings.join('\n')}\n`);
  const owned = serverProcess({
    postgres: findProgram('pgbouncer'),
    flags: ['--quiet', file],
    user,
    directory,
    uri: `postgres://postgres@127.0.0.1:${port}/postgres`,
  });
  await owned.start();
  return { ...owned, port };
}
