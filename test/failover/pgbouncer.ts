/**
 * A store behind PgBouncer: it keeps the contract, and recovers when PgBouncer is restarted. In transaction
 * mode if the installed PgBouncer can prepare statements in it, and in session mode otherwise. Run by `npm
 * run test:failover`; needs an installed PgBouncer.
 */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordChecker } from '../../src/archive/check-record.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { isAppError } from '../../src/model/app-error.ts';
import { keepingContract } from '../contracts/keeping-contract.ts';
import { importInto, storeContract } from '../contracts/store-contract.ts';
import { findServerUser } from '../postgres/server-process.ts';
import { startOwnServer } from '../postgres/test-server.ts';
import { startServing } from '../serve/support/serving.ts';
import { canPrepare, startBouncer } from './bouncer.ts';
import { catalogue, tick, watchAnswers } from './watch-answers.ts';

const server = await startOwnServer();
after(() => server[Symbol.asyncDispose]());
const directory = mkdtempSync(join(tmpdir(), 'plugin-metrics-pgbouncer-'));
after(() => rmSync(directory, { recursive: true }));
const user = await findServerUser();
chmodSync(directory, 0o755);
if (user !== undefined) chownSync(directory, user.uid, user.gid);

const mode = canPrepare() ? 'transaction' : 'session';
const bouncer = await startBouncer({
  directory,
  user,
  serverPort: server.port,
  mode,
  // Few, so that connections change hands all the time. In session mode two nodes and an importer keep
  // theirs.
  poolSize: mode === 'transaction' ? 3 : 40,
});
after(() => bouncer.stop());

const makeStore = async () => parseStoreName(await makeDatabase());
storeContract(`PgBouncer in ${mode} mode`, makeStore);
keepingContract(`PgBouncer in ${mode} mode`, makeStore);

test('PgBouncer is restarted under load: no response is wrong, and service continues', async (t) => {
  const name = await makeDatabase();
  const store = parseStoreName(name);
  await importInto(store, catalogue);
  await importInto(store, tick(1));
  const nodes = await Promise.all([name, name].map((store) => startServing(['--store', store])));
  t.after(() => {
    for (const node of nodes) node.signal('SIGKILL');
  });
  const watches = [...nodes, ...nodes].map(({ url }) => watchAnswers(`${url}/api/v1/plugins/7/charts`));
  let time = 1;
  const importNext = () => importInto(store, tick(time + 1)).then(() => time++);
  for (let count = 0; count < 5; count++) await importNext();
  for (let restart = 0; restart < 3; restart++) {
    const answered = watches.map((seen) => seen.answered);
    await bouncer.stop();
    await assert.rejects(importNext(), (error) => isAppError(error, 'unavailable'));
    await sleep(1000);
    await bouncer.start();
    const startedAt = performance.now();
    await importNext();
    while (watches.some((seen, index) => seen.latest < time || seen.answered <= (answered[index] ?? 0))) {
      assert.ok(performance.now() - startedAt < 5000, 'serving the import after the restart took too long');
      await sleep(10);
    }
    t.diagnostic(`everything is current ${Math.round(performance.now() - startedAt)} ms after the restart`);
  }
  await server.stop();
  await sleep(1000);
  await server.start();
  const startedAt = performance.now();
  while (!(await importNext().catch(() => 0))) await sleep(50);
  while (watches.some((seen) => seen.latest < time)) await sleep(10);
  const tookMs = Math.round(performance.now() - startedAt);
  t.diagnostic(`everything is current ${tookMs} ms after a restart of the PostgreSQL server`);
  assert.ok(tookMs < 10_000);
  for (const seen of watches) {
    await seen.stop();
    assert.deepEqual(seen.faults, []);
  }
  const sum = (of: 'answered' | 'refused') => watches.reduce((total, seen) => total + seen[of], 0);
  t.diagnostic(`${sum('answered')} answers, ${sum('refused')} refused with 503`);
  for (const node of nodes) {
    node.signal('SIGTERM');
    assert.equal((await node.ended).code, 0);
  }
  assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
});

let databaseCount = 0;

/** A new database each time: emptying one ends its connections, and PgBouncer would hand them out again. */
async function makeDatabase(): Promise<string> {
  const database = `test_${databaseCount++}`;
  await server.run(uriOn(server.port), `create database ${database} encoding 'UTF8' template template0`);
  return uriOn(bouncer.port, database);
}

function uriOn(port: number, database = 'postgres'): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`;
}
