/**
 * The work of the containers in ops/compose.postgres.yaml, done here: the roles are created, the standby copies the primary,
 * and the program writes and reads with the names of the file. Run by `npm run test:failover`; needs an installed
 * PostgreSQL.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { readDocument } from '../doc-tables.ts';
import { serverOptions, serverProcess } from '../postgres/server-process.ts';
import { exportFrom, importInto } from '../store-contract.ts';
import { freePort } from '../support/free-port.ts';
import { findTools, openServerHall, type Server } from './servers.ts';
import { catalogue, tick } from './watch-answers.ts';

const { services, configs } = parse(readDocument('ops/compose.postgres.yaml'), { merge: true });
const hall = await openServerHall();
after(() => hall[Symbol.asyncDispose]());
const password = 'of-all-three';
const tools = join(hall.directory, 'tools');

test('the roles have exactly the rights they need, and the standby follows', async (t) => {
  const primary = await hall.startPrimary(['password_encryption=scram-sha-256']);
  await primary.run('create database metrics');
  await primary.run(`alter role postgres password '${password}'`);
  // As the official image sets it up.
  const rules = 'local all all trust\nhost all all all scram-sha-256\n';
  writeFileSync(join(primary.data, 'pg_hba.conf'), rules);
  const local = { PGDATA: primary.data, PGHOST: hall.directory, PGPORT: `${primary.port}` };
  await runScript(configs.prepare.content, { ...local, POSTGRES_PASSWORD: password });
  await promisify(execFile)('psql', ['-U', 'postgres', '-c', 'select pg_reload_conf()'], {
    env: { ...process.env, ...local },
  });

  const standby = await startStandby(primary);
  t.after(() => standby.process.stop());
  const names = { primary: `127.0.0.1:${primary.port}`, standby: `127.0.0.1:${standby.port}` };
  const writer = storeOf(services.import, names);
  const reader = storeOf(services.serve, names);
  await importInto(writer, catalogue);
  await importInto(writer, tick(1));
  const expected = await exportFrom(writer);
  await untilEqual(() => exportFrom(reader), expected);
  const asReader = storeOf(services.serve, { ...names, standby: names.primary });
  await assert.rejects(importInto(asReader, tick(2)), /permission denied/);

  await standby.process.stop();
  await standby.process.start();
  await importInto(writer, tick(3));
  await untilEqual(() => exportFrom(reader), await exportFrom(writer));
  await primary.stop();
  assert.match(await exportFrom(reader), /\[3,3\]/, 'the standby is read');
});

/** The store of a service, with the hosts replaced by the servers of this test. */
function storeOf(
  { environment }: { readonly environment: { readonly PLUGIN_METRICS_STORE: string } },
  names: { readonly primary: string; readonly standby: string },
) {
  const [, scheme = '', user = '', hosts = '', rest = ''] =
    /^(postgres:\/\/)(\w+)@([\w,]+)(\/.*)$/.exec(environment.PLUGIN_METRICS_STORE) ?? [];
  const servers = hosts.replace('primary', names.primary).replace('standby', names.standby);
  return parseStoreName(`${scheme}${user}:${password}@${servers}${rest}`);
}

/** Runs the entrypoint of the standby, with replacements for what only the image has. */
async function startStandby(primary: Server) {
  const port = await freePort();
  const bin = findTools();
  const flags = `-p ${port} -k '${hall.directory}' -c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=32MB`;
  mkdirSync(tools);
  writeTool('install', 'for last; do :; done; mkdir -p -m 700 "$last"');
  writeTool('gosu', 'shift; exec "$@"');
  writeTool('docker-entrypoint.sh', `shift; exec '${bin}/postgres' -D "$PGDATA" ${flags}`);
  const [, ...argv] = services.standby.entrypoint.map(unescaped);
  const variables = {
    PATH: `${tools}:${bin}:${process.env['PATH']}`,
    PGDATA: join(hall.directory, 'standby'),
    PGPASSWORD: password,
    // The name of the host is that of a container.
    PGHOSTADDR: '127.0.0.1',
    PGPORT: `${primary.port}`,
  };
  const owned = serverProcess({
    postgres: '/usr/bin/env',
    flags: [...Object.entries(variables).map(([name, value]) => `${name}=${value}`), 'bash', ...argv],
    user: hall.user,
    directory: hall.directory,
    uri: `postgres://postgres:${password}@127.0.0.1:${port}/metrics`,
  });
  await owned.start();
  return { process: owned, port };
}

function writeTool(name: string, script: string): void {
  writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools, name), 0o755);
}

async function runScript(script: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const options = serverOptions(hall.user, hall.directory);
  const env = { ...options.env, ...variables };
  await promisify(execFile)('sh', ['-euc', unescaped(script)], { ...options, env });
}

/** Compose reads `$$` as `$`. */
function unescaped(text: string): string {
  return text.replaceAll('$$', '$');
}

async function untilEqual(read: () => Promise<string>, expected: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; (await read().catch(String)) !== expected; await sleep(50))
    assert.ok(Date.now() < deadline, await read().catch(String));
}
