/**
 * The work of the containers in ops/compose.postgres.yaml, done here: the roles are created, and the program
 * writes and reads with the names of the file. Run by `npm run test:failover`; needs an installed PostgreSQL.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { exportFrom, importInto } from '../contracts/store-contract.ts';
import { readDocument } from '../doc-tables.ts';
import { serverOptions } from '../postgres/server-process.ts';
import { openServerHall } from './servers.ts';
import { catalogue, tick } from './watch-answers.ts';

const { services, configs } = parse(readDocument('ops/compose.postgres.yaml'), { merge: true });
const hall = await openServerHall();
after(() => hall[Symbol.asyncDispose]());
const password = 'of-all-three';

test('the roles have exactly the rights they need', async () => {
  const server = await hall.startPrimary(['password_encryption=scram-sha-256']);
  await server.run('create database metrics');
  await server.run(`alter role postgres password '${password}'`);
  // As the official image sets it up.
  writeFileSync(join(server.data, 'pg_hba.conf'), 'local all all trust\nhost all all all scram-sha-256\n');
  const options = serverOptions(hall.user, hall.directory);
  const env = { ...options.env, PGHOST: hall.directory, PGPORT: `${server.port}` };
  // Compose reads `$$` as `$`.
  const script = configs.prepare.content.replaceAll('$$', '$');
  await promisify(execFile)('sh', ['-euc', script], {
    ...options,
    env: { ...env, POSTGRES_PASSWORD: password },
  });
  await promisify(execFile)('psql', ['-U', 'postgres', '-c', 'select pg_reload_conf()'], { ...options, env });

  const storeOf = ({ environment }: { readonly environment: { readonly PLUGIN_METRICS_STORE: string } }) =>
    parseStoreName(
      environment.PLUGIN_METRICS_STORE.replace('@database', `:${password}@127.0.0.1:${server.port}`),
    );
  const [writer, reader] = [storeOf(services.import), storeOf(services.serve)];
  await importInto(writer, catalogue);
  await importInto(writer, tick(1));
  assert.equal(await exportFrom(reader), await exportFrom(writer));
  await assert.rejects(importInto(reader, tick(2)), /permission denied/);
  await (await storeOf(services.collect).openReports())[Symbol.asyncDispose]();
});
