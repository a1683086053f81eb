/**
 * A store behind HAProxy, as docs/postgresql.md sets it up: the primary dies, and its standby takes over. Run by `npm run test:failover`; needs an
 * installed PostgreSQL and HAProxy.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordChecker } from '../../src/archive/check-record.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { AppError } from '../../src/model/app-error.ts';
import { readDocument } from '../doc-tables.ts';
import { findProgram } from '../ops/proxy.ts';
import { startServing } from '../serve/support/serving.ts';
import { exportFrom, importInto } from '../store-contract.ts';
import { freePort } from '../support/free-port.ts';
import { openServerHall, type Server } from './servers.ts';
import { catalogue, tick, watchAnswers } from './watch-answers.ts';

const hall = await openServerHall();
after(() => hall[Symbol.asyncDispose]());

const nameOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres?connect_timeout=2`;

const isUnavailable = (error: unknown) => error instanceof AppError && error.kind === 'store-unavailable';

async function until(isTrue: () => Promise<boolean> | boolean, what: string, deadlineMs: number) {
  for (const startedAt = performance.now(); !(await isTrue()); await sleep(10))
    assert.ok(performance.now() - startedAt < deadlineMs, `${what} took longer than ${deadlineMs} ms`);
}

test('when the primary dies and its standby takes over, serve goes on, and no response is older or mixed', async (t) => {
  const [primary, standby] = await startTwo();
  const proxy = await startHaproxy(primary, standby);
  t.after(() => proxy.stop());
  const store = parseStoreName(nameOf(proxy.port));
  const node = await startServing(['--store', nameOf(proxy.port)]);
  const seen = watchAnswers(`${node.url}/api/v1/plugins/7/charts`);
  let time = 1;
  let isOver = false;
  const importing = (async () => {
    while (!isOver) {
      try {
        await importInto(store, tick(time + 1));
        time++;
      } catch (error) {
        assert.ok(isUnavailable(error), String(error));
        // The import may or may not have been stored; repeating it does no harm.
        await sleep(50);
      }
    }
  })();
  t.after(() => {
    isOver = true;
    void seen.stop();
    node.signal('SIGKILL');
  });
  await until(() => seen.answered > 50 && time > 2, 'answering while imports come', 20_000);
  const diedAt = performance.now();
  await primary.stop();
  const answeredBefore = seen.answered;
  // Responses cached for the last import are never refused.
  await until(() => seen.refused > 0 || seen.stale > 0, 'noticing', 5000);
  await until(() => seen.answered > answeredBefore + 100, 'reading from the standby', 15_000);
  t.diagnostic(`reads go on ${Math.round(performance.now() - diedAt)} ms after the primary died`);
  const importedBefore = time;
  await standby.run('select pg_promote()');
  await until(() => time > importedBefore + 3, 'importing into the heir', 15_000);
  isOver = true;
  await importing;
  await until(() => seen.latest === time, 'serving the last import', 5000);
  await seen.stop();
  t.diagnostic(`${seen.answered} answers, ${seen.refused} refused with 503, none went back`);
  assert.deepEqual(seen.faults, []);
  node.signal('SIGTERM');
  assert.equal((await node.ended).code, 0);
  assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
  const lines = (await exportFrom(store)).split('\n').filter((line) => line.startsWith('{"record":"data"'));
  assert.equal(
    new Set(lines.map((line) => line.slice(line.indexOf('"data":[')))).size,
    1,
    'every import is in every chart',
  );
});

/** A primary whose commits wait until its standby shows them, so that no node sees what a failover loses. */
async function startTwo(): Promise<[Server, Server]> {
  const primary = await hall.startPrimary();
  const store = parseStoreName(nameOf(primary.port));
  await importInto(store, catalogue);
  await importInto(store, tick(1));
  const standby = await hall.startStandby(primary);
  // After the copy, because the heir has no standby to wait for.
  await primary.run(`alter system set synchronous_standby_names = '*'`);
  await primary.run('alter system set synchronous_commit = remote_apply');
  await primary.run('select pg_reload_conf()');
  return [primary, standby];
}

/** Starts HAProxy with the configuration of the documentation in front of two servers. */
async function startHaproxy(primary: Server, standby: Server) {
  const port = await freePort();
  const [, documented = ''] = /```haproxy\n([\s\S]*?)```/.exec(readDocument('docs/postgresql.md')) ?? [];
  const config = documented
    .replace('127.0.0.1:5432', `127.0.0.1:${port}`)
    .replace('db1.example.org:5432', `127.0.0.1:${primary.port}`)
    .replace('db2.example.org:5432', `127.0.0.1:${standby.port}`);
  const file = join(hall.directory, 'haproxy.cfg');
  writeFileSync(file, config);
  const child = spawn(findProgram('haproxy'), ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  const store = parseStoreName(nameOf(port));
  await until(
    () => {
      assert.equal(child.exitCode, null, log);
      return exportFrom(store).then(Boolean, () => false);
    },
    'starting HAProxy',
    10_000,
  );
  return {
    port,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
