/**
 * Nodes that read from a standby: how soon they notice an import, and that they do not go back when they are
 * led to a server that is behind. Run by `npm run test:failover`; needs an installed PostgreSQL.
 */
import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { importInto } from '../contracts/store-contract.ts';
import { startServing } from '../serve/support/serving.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openServerHall, type Server } from './servers.ts';
import { catalogue, tick } from './watch-answers.ts';

const hall = await openServerHall();
after(() => hall[Symbol.asyncDispose]());

const nameOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres?connect_timeout=2`;

test('an import shows within a second after a late standby has replayed it', {
  timeout: 150_000,
}, async (t) => {
  const { store, standby } = await startTwo(['recovery_min_apply_delay=2s']);
  await using node = await startServing(['--store', nameOf(standby.port)]);
  let judgedCount = 0;
  for (let time = 2; judgedCount < 4; time++) {
    assert.ok(time < 30, 'the machine has no second without a pause');
    using pauses = watchPauses();
    const before = await look(standby);
    await importInto(store, tick(time));
    let seen = await look(standby);
    while (seen.data === before.data) seen = await look(standby);
    // By the clock of the standby.
    assert.ok(seen.atMs - before.atMs > 1900, 'the standby is late');
    await waitUntil(async () => (await ask(node.url)).latest === time);
    const shownMs = (await look(standby)).atMs - seen.atMs;
    t.diagnostic(
      `shown ${Math.round(shownMs)} ms after it was replayed, longest pause ${pauses.longestMs()} ms`,
    );
    if (pauses.longestMs() > 100) continue;
    judgedCount++;
    assert.ok(shownMs < 1000, `shown ${shownMs} ms after it was replayed`);
  }
});

test('a node that is led to a server that is behind waits for it, and after 30 seconds goes back to it', {
  timeout: 100_000,
}, async () => {
  const { store, primary, standby } = await startTwo();
  using way = await startWay(primary.port);
  await using node = await startServing(['--store', nameOf(way.port)]);
  /** Imports while the standby replays nothing, and leads the node to the standby. */
  const leadBehind = async (time: number) => {
    await standby.run('select pg_wal_replay_pause()');
    await importInto(store, tick(time));
    await waitUntil(async () => (await ask(node.url)).latest === time);
    way.leadTo(standby.port);
    return performance.now();
  };
  /** Asks until the node answers, which is refused meanwhile. */
  const untilAnswered = async () => {
    for (; ; await sleep(50)) {
      const { status, latest } = await ask(node.url);
      if (status === 200) return latest;
      assert.equal(status, 503);
    }
  };
  const led = await leadBehind(2);
  while (performance.now() - led < 3000) assert.equal((await ask(node.url)).status, 503);
  await standby.run('select pg_wal_replay_resume()');
  assert.equal(await untilAnswered(), 2);

  way.leadTo(primary.port);
  assert.equal(await untilAnswered(), 2);
  const ledAgain = await leadBehind(3);
  assert.equal(await untilAnswered(), 2);
  const waitedMs = performance.now() - ledAgain;
  assert.ok(waitedMs > 29_000 && waitedMs < 40_000, `${waitedMs} ms`);
});

/** Measures how long this process had no processor: the last look comes later by that. */
function watchPauses() {
  let longestMs = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longestMs = Math.max(longestMs, Math.round(now - before - 20));
    before = now;
  }, 20);
  return { longestMs: () => longestMs, [Symbol.dispose]: () => clearInterval(timer) };
}

/** A primary with a store, and its standby. */
async function startTwo(settings: readonly string[] = []) {
  const primary = await hall.startPrimary();
  const store = parseStoreName(nameOf(primary.port));
  await importInto(store, catalogue);
  await importInto(store, tick(1));
  const standby = await hall.startStandby(primary, settings);
  return { store, primary, standby };
}

async function look(standby: Server) {
  const rows = await standby.run(
    'select data, extract(epoch from clock_timestamp())::float8 * 1000 as ms from plugin_metrics.generation',
  );
  return { data: rows[0]?.['data'], atMs: Number(rows[0]?.['ms']) };
}

let turn = 1;

/** Asks for the latest point, in a way that is not cached. */
async function ask(url: string) {
  const response = await fetch(`${url}/api/v1/plugins/7/charts/a/data?maxElements=${++turn}`);
  const text = await response.text();
  return { status: response.status, latest: response.ok ? Number(JSON.parse(text).at(-1)?.[0]) : undefined };
}

/** A way to one server after the other; its connections end when it leads to another. */
async function startWay(firstPort: number) {
  let to = firstPort;
  const sockets = new Set<Socket>();
  const way = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const address = way.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    leadTo: (port: number) => {
      to = port;
      cut();
    },
    [Symbol.dispose]: () => {
      cut();
      way.close();
    },
  };
}
