/**
 * A store on several servers: a primary and two standbys, some of which fall behind, hang, crash and are promoted. Run by
 * `npm run test:failover`; needs an installed PostgreSQL, and root for the test of a full disk.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordChecker } from '../../src/archive/check-record.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { AppError } from '../../src/model/app-error.ts';
import type { MetricsReader } from '../../src/model/metrics-reader.ts';
import type { Store } from '../../src/model/store.ts';
import { batchOptions, connect } from '../../src/postgres/connection/connect.ts';
import { parsePostgresName } from '../../src/postgres/connection/connection-settings.ts';
import { postgresFault } from '../../src/postgres/connection/postgres-fault.ts';
import { startServing } from '../serve/support/serving.ts';
import { exportFrom, importInto } from '../store-contract.ts';
import { archiveText, dataLine } from '../support/archive-text.ts';
import { entriesOf } from '../support/points.ts';
import { withReads } from '../support/reads.ts';
import { mountSmallDisk, openServerHall, type Server } from './servers.ts';
import { catalogue, tick, watchAnswers } from './watch-answers.ts';

const hall = await openServerHall();
after(() => hall[Symbol.asyncDispose]());

function storeOn(servers: readonly Server[], parameters = ''): Store {
  const hosts = servers.map((server) => `127.0.0.1:${server.port}`).join(',');
  return parseStoreName(`postgres://postgres@${hosts}/postgres?connect_timeout=2${parameters}`);
}

async function latest(reader: MetricsReader, chartId = 'a'): Promise<number> {
  const data = await reader.readChartData(7, chartId, 1);
  assert.ok(data.storage === 'series');
  return Array.from(data.runs, entriesOf).flat()[0]?.[0] ?? 0;
}

async function until(
  condition: () => Promise<boolean> | boolean,
  what: string,
  deadlineMs: number,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    assert.ok(performance.now() - startedAt < deadlineMs, `${what} took longer than ${deadlineMs} ms`);
    await sleep(10);
  }
  return Math.round(performance.now() - startedAt);
}

const isUnavailable = (error: unknown) => error instanceof AppError && error.kind === 'store-unavailable';

/** A primary whose commits wait for one of its two standbys, so that confirmed commits survive it. */
async function startThree(): Promise<[Server, Server, Server]> {
  const primary = await hall.startPrimary();
  await importInto(storeOn([primary]), catalogue);
  await importInto(storeOn([primary]), tick(1));
  const standbys = [await hall.startStandby(primary), await hall.startStandby(primary)] as const;
  await primary.run(`alter system set synchronous_standby_names = 'ANY 1 (*)'`);
  await primary.run('select pg_reload_conf()');
  return [primary, ...standbys];
}

test('a finished import is visible on every node within a second, whichever server it reads', async (t) => {
  const [primary, one, two] = await startThree();
  const nodes = await Promise.all([
    storeOn([primary]).openReader(),
    storeOn([one]).openReader(),
    storeOn([primary, two, one], '&target_session_attrs=prefer-standby').openReader(),
  ]);
  try {
    for (let time = 2; time < 7; time++) {
      const before = nodes.map((node) => node.generation('data'));
      await importInto(storeOn([one, two, primary]), tick(time));
      const tookMs = await until(
        () => nodes.every((node, index) => node.generation('data') !== before[index]),
        'seeing it',
        1000,
      );
      t.diagnostic(`import ${time} is known on all nodes after ${tookMs} ms`);
      for (const node of nodes) assert.equal(await latest(node), time);
    }
  } finally {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    for (const server of [one, two, primary]) await server.stop();
  }
});

test('a standby that is behind never serves an older state than was served before', async () => {
  const [primary, slow, quick] = await startThree();
  await slow.run('select pg_wal_replay_pause()');
  // The fast standby is tried first; it shows commits that the slow one does not have.
  await using standbys = await storeOn([quick, slow], '&target_session_attrs=standby').openReader();
  await using all = await storeOn(
    [quick, slow, primary],
    '&target_session_attrs=prefer-standby',
  ).openReader();
  await importInto(storeOn([primary]), tick(2));
  for (const reader of [standbys, all])
    await until(async () => (await latest(reader)) === 2, 'seeing it', 2000);
  await using alone = await storeOn([slow]).openReader();
  assert.equal(await latest(alone), 1, 'who has not seen more is told what the slow one knows');
  await quick.stop();
  await until(
    () => standbys.unreachableMs() === 0 && all.unreachableMs() === 0,
    'finding the slow one',
    5000,
  );
  await assert.rejects(latest(standbys), isUnavailable);
  assert.equal(await latest(all), 2, 'the primary was asked');
  await slow.run('select pg_wal_replay_resume()');
  await until(async () => (await latest(standbys).catch(() => 0)) === 2, 'catching up', 5000);
  await slow.stop();
  await primary.stop();
});

test('when the primary dies and a standby takes over, serve follows, and no response is older or mixed', async (t) => {
  const [primary, one, two] = await startThree();
  const servers = [primary, one, two];
  const name = `postgres://postgres@${servers.map((server) => `127.0.0.1:${server.port}`).join(',')}/postgres?target_session_attrs=read-write&connect_timeout=2`;
  const node = await startServing(['--store', name]);
  const seen = watchAnswers(`${node.url}/api/v1/plugins/7/charts`);
  let time = 1;
  let importedAt = 0;
  const importUntil = async (isOver: () => boolean) => {
    while (!isOver()) {
      try {
        await importInto(storeOn(servers), tick(time + 1));
        importedAt = ++time;
      } catch (error) {
        assert.ok(isUnavailable(error), String(error));
        // The import may or may not have been stored; repeating it does no harm.
        await sleep(50);
      }
    }
  };
  let isOver = false;
  const importing = importUntil(() => isOver);
  t.after(() => {
    isOver = true;
    void seen.stop();
    node.signal('SIGKILL');
  });
  await until(() => seen.answered > 50 && importedAt > 1, 'answering while imports come', 20_000);
  const importedBefore = importedAt;
  const diedAt = performance.now();
  await primary.stop();
  // Responses cached for the last import are never refused.
  await until(() => seen.refused > 0 || seen.stale > 0, 'noticing', 5000);
  const [heir, other] = await newestFirst(one, two);
  await heir.run('select pg_promote()');
  await until(() => importedAt > importedBefore + 3, 'importing into the heir', 15_000);
  t.diagnostic(`imports go on ${Math.round(performance.now() - diedAt)} ms after the primary died`);
  await until(() => seen.latest >= importedAt - 1, 'serving what was imported since', 5000);
  isOver = true;
  await importing;
  await until(() => seen.latest === time, 'serving the last import', 2000);
  await seen.stop();
  t.diagnostic(`${seen.answered} answers, ${seen.refused} refused with 503, none went back`);
  assert.deepEqual(seen.faults, []);
  node.signal('SIGTERM');
  assert.equal((await node.ended).code, 0);
  const store = storeOn([heir]);
  assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
  const lines = (await exportFrom(store)).split('\n').filter((line) => line.startsWith('{"record":"data"'));
  assert.equal(
    new Set(lines.map((line) => line.slice(line.indexOf('"data":[')))).size,
    1,
    'every import is in every chart',
  );
  await other.stop();
  await heir.stop();
});

test('a hanging server is given up within about three seconds, and used again when it recovers', async (t) => {
  const primary = await hall.startPrimary();
  await importInto(storeOn([primary]), catalogue);
  await importInto(storeOn([primary]), tick(1));
  await using reader = withReads(await storeOn([primary]).openReader());
  // This node has no connection for queries yet: they wait for one that is being opened.
  await using fresh = await storeOn([primary]).openReader();
  assert.equal(await latest(reader), 1);
  signalAll(primary, 'STOP');
  const askedAt = performance.now();
  try {
    const queries = [...Array.from({ length: 50 }, () => latest(reader)), latest(fresh), latest(fresh)];
    await Promise.all(queries.map((query) => assert.rejects(query, isUnavailable)));
    const refusedMs = Math.round(performance.now() - askedAt);
    t.diagnostic(`the last of 52 queries was refused after ${refusedMs} ms`);
    assert.ok(refusedMs < 3500, `${refusedMs} ms`);
    await assert.rejects(latest(reader), isUnavailable);
  } finally {
    signalAll(primary, 'CONT');
  }
  await until(() => reader.unreachableMs() === 0, 'recovering', 5000);
  assert.equal(await latest(reader), 1);
  assert.equal(await latest(fresh), 1);
  await primary.stop();
});

test('an import does not wait forever for a hanging server, and reports why it ends', async () => {
  const primary = await hall.startPrimary();
  const settings = parsePostgresName(`postgres://postgres@127.0.0.1:${primary.port}/postgres`, {});
  assert.ok(batchOptions.queryTimeoutMs > 0 && batchOptions.queryTimeoutMs < 600_000);
  const connection = await connect(settings, { ...batchOptions, queryTimeoutMs: 300 });
  signalAll(primary, 'STOP');
  try {
    await assert.rejects(connection.query('select 1'), (error: unknown) => {
      const fault = postgresFault(error, settings.name);
      assert.match(String(fault), /the store postgres:.* cannot be used: it does not answer in time/);
      return isUnavailable(fault);
    });
    assert.ok(connection.isBroken);
  } finally {
    signalAll(primary, 'CONT');
  }
  await connection.end();
  await primary.stop();
});

test('an import that fills the disk of the server leaves the store unchanged', async () => {
  const primary = await hall.startPrimary();
  await using disk = await mountSmallDisk(hall, 8);
  await primary.run(`create tablespace small location '${disk.path}'`);
  await primary.run('create database small tablespace small');
  const store = parseStoreName(`postgres://postgres@127.0.0.1:${primary.port}/small`);
  await importInto(store, catalogue);
  await importInto(store, tick(1));
  const before = await exportFrom(store);
  const values = Array.from({ length: 800_000 }, (_, index) => `[${index * 977},${Math.random()}]`);
  const lines = [values.slice(0, 400_000), values.slice(400_000)].map((some) =>
    dataLine('a', `[${some.join(',')}]`),
  );
  await assert.rejects(importInto(store, archiveText(lines)), (error: unknown) => {
    assert.match(String(error), /No space left on device/);
    return isUnavailable(error);
  });
  assert.equal(await exportFrom(store), before);
  await importInto(store, tick(2));
  assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
  await primary.stop();
});

/** Promotes the standby that has received more; it has every commit that the primary confirmed. */
async function newestFirst(one: Server, two: Server): Promise<[Server, Server]> {
  const received = await Promise.all(
    [one, two].map(async (server) => {
      const [row] = await server.run(`select (pg_last_wal_receive_lsn() - '0/0')::text as received`);
      return BigInt(String(row?.['received']));
    }),
  );
  return (received[0] ?? 0n) >= (received[1] ?? 0n) ? [one, two] : [two, one];
}

/** Sends a signal to every process of a server. */
function signalAll(server: Server, signal: string): void {
  const parent = server.processId();
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' });
  const ids = [parent, ...children.split('\n').map(Number)].filter((id) => id > 0);
  for (const id of ids) {
    try {
      process.kill(id, `SIG${signal}`);
    } catch {
      // The process has ended since.
    }
  }
}
