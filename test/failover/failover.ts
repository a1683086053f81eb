/**
 * A store behind HAProxy, as docs/postgresql.md sets it up: the primary dies, and its standby takes over. Run
 * by `npm run test:failover`; needs an installed PostgreSQL and HAProxy.
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
import { exportFrom, importInto } from '../contracts/store-contract.ts';
import { readDocument } from '../doc-tables.ts';
import { findProgram } from '../ops/proxy.ts';
import { startServing } from '../serve/support/serving.ts';
import { freePort } from '../support/free-port.ts';
import { runProcess } from '../support/run-program.ts';
import { startBouncer } from './bouncer.ts';
import { openServerHall, type Server } from './servers.ts';
import { catalogue, tick, watchAnswers } from './watch-answers.ts';

const hall = await openServerHall();
after(() => hall[Symbol.asyncDispose]());

const nameOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres?connect_timeout=2`;

async function until(isTrue: () => Promise<boolean> | boolean, what: string, deadlineMs: number) {
  for (const startedAt = performance.now(); !(await isTrue()); await sleep(10))
    assert.ok(performance.now() - startedAt < deadlineMs, `${what} took longer than ${deadlineMs} ms`);
}

test('a primary is killed and its standby promoted: no import that ended well is lost, and serve goes on', {
  timeout: 100_000,
}, async (t) => {
  await using ways = await startWays();
  const { primary, standby, names } = ways;
  const nodes = await Promise.all(
    names.map((name) => startServing(['--store', `${name}&application_name=node`])),
  );
  const watches = nodes.map(({ url }) => watchAnswers(`${url}/api/v1/plugins/7/charts`));
  const importers = names.map((name, index) => startImporter(name, { first: 2 + index, step: names.length }));
  t.after(async () => {
    for (const { stop } of [...importers, ...watches]) await stop();
    for (const node of nodes) node.signal('SIGKILL');
  });
  const all = (isTrue: (seen: (typeof watches)[number]) => boolean) => watches.every(isTrue);
  await until(() => all(({ answered }) => answered > 50), 'answering', 20_000);
  await until(() => importers.every(({ stored }) => stored.length > 2), 'importing', 20_000);

  await primary.kill();
  const killedAt = performance.now();
  const nodesOn = `select from pg_stat_activity where application_name = 'node'`;
  await until(
    async () => (await standby.run(nodesOn)).length >= nodes.length,
    'connecting to the standby',
    15_000,
  );
  const answeredBefore = watches.map(({ answered }) => answered);
  await until(
    () => watches.every(({ answered }, index) => answered > (answeredBefore[index] ?? 0) + 100),
    'reading from the standby',
    15_000,
  );
  t.diagnostic(`reads go on ${Math.round(performance.now() - killedAt)} ms after the primary was killed`);
  const storedBefore = importers.map(({ stored }) => stored.length);
  await standby.promote();
  const promotedAt = performance.now();
  await until(
    () => importers.every(({ stored }, index) => stored.length > (storedBefore[index] ?? 0) + 1),
    'importing into the promoted server',
    20_000,
  );
  t.diagnostic(`imports go on ${Math.round(performance.now() - promotedAt)} ms after the promotion`);
  for (const { stop } of importers) await stop();

  const stored = importers.flatMap((importer) => importer.stored);
  const latest = Math.max(...stored);
  await until(() => all((seen) => seen.latest === latest), 'serving the last import', 5000);
  for (const [index, seen] of watches.entries()) {
    await seen.stop();
    t.diagnostic(
      `node ${index + 1}: ${seen.answered} answers, ${seen.refused} refused with 503, none went back`,
    );
    assert.deepEqual(seen.faults, []);
  }
  for (const node of nodes) {
    node.signal('SIGTERM');
    assert.equal((await node.ended).code, 0);
  }
  const store = parseStoreName(nameOf(standby.port));
  assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
  const held = await heldTimes(standby.port);
  assert.deepEqual(
    stored.filter((time) => !held.includes(time)),
    [],
  );
  const failed = importers.reduce((sum, { failures }) => sum + failures.length, 0);
  t.diagnostic(`${stored.length} imports ended with exit code 0, and ${failed} failed`);
});

test('while the standby is away an import waits at its end and reads go on, and it ends when the standby is back', {
  timeout: 60_000,
}, async () => {
  await using ways = await startWays();
  const { primary, standby, names } = ways;
  const [name = ''] = names;
  await using node = await startServing(['--store', name]);
  const latest = async () => {
    const response = await fetch(`${node.url}/api/v1/plugins/7/charts/a/data?maxElements=1`);
    assert.equal(response.status, 200);
    return JSON.parse(await response.text())[0][0];
  };
  await standby.stop();
  const importing = runProcess(['import', '--store', name, '-'], { input: tick(2) });
  const isWaiting = async () =>
    (await primary.run(`select from pg_stat_activity where wait_event = 'SyncRep'`)).length > 0;
  await until(isWaiting, 'waiting for the standby', 20_000);
  await sleep(1000);
  assert.ok(await isWaiting());
  assert.equal(await latest(), 1);
  await standby.start();
  const { code, stderr } = await importing;
  assert.equal(code, 0, stderr);
  await until(async () => (await latest()) === 2, 'serving the import', 5000);
});

/** Imports one point after the other with the program, each until its import ends well. */
function startImporter(name: string, { first, step }: { readonly first: number; readonly step: number }) {
  const importer = { stored: [] as number[], failures: [] as string[], stop: async () => {} };
  let isStopped = false;
  const importing = (async () => {
    for (let time = first; !isStopped; ) {
      const { code, stderr } = await runProcess(['import', '--store', name, '-'], { input: tick(time) });
      if (code === 0) {
        importer.stored.push(time);
        time += step;
        continue;
      }
      assert.equal(code, 1);
      assert.match(stderr, /^error: the store postgres:\/\/\S+ /);
      importer.failures.push(stderr);
    }
  })();
  // Awaited at the end.
  importing.catch(() => {});
  importer.stop = async () => {
    isStopped = true;
    await importing;
  };
  return importer;
}

/** Lists the times that every chart of a store has, which must be the same of each. */
async function heldTimes(port: number): Promise<readonly number[]> {
  const lines = (await exportFrom(parseStoreName(nameOf(port)))).split('\n');
  const series = lines
    .filter((line) => line.startsWith('{"record":"data"'))
    .map((line) => JSON.stringify(JSON.parse(line).data));
  assert.equal(new Set(series).size, 1, 'every import is in every chart');
  return JSON.parse(series[0] ?? '[]').map(([time]: [number]) => time);
}

/**
 * A primary and its standby, and the names of a store on them: behind HAProxy, and behind PgBouncer in front
 * of that.
 */
async function startWays() {
  const [primary, standby] = await startTwo();
  const proxy = await startHaproxy(primary, standby);
  const { directory, user } = hall;
  const settings = { directory, user, serverPort: proxy.port, mode: 'session', poolSize: 40 } as const;
  const bouncer = await startBouncer(settings);
  return {
    primary,
    standby,
    names: [nameOf(proxy.port), nameOf(bouncer.port)],
    [Symbol.asyncDispose]: async () => {
      await bouncer.stop();
      await proxy.stop();
      await standby.stop();
      await primary.stop();
    },
  };
}

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
