// Limits for clients: connections, requests, and queued work.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { RateLimiter, Shares } from '../../src/http/clients.ts';
import { importText } from '../support/stores.ts';
import { waitUntil } from '../support/wait-until.ts';
import { assertProblem } from './support/assertions.ts';
import { askSlowly, largeArchive, largeArchivePath } from './support/large-plugin.ts';
import { RawConnection, sendRaw } from './support/raw-connection.ts';
import { chartPath, museumChart } from './support/sample.ts';
import {
  makeDirectory,
  makeSampleStore,
  serveHeld,
  serveStore,
  type TestServer,
} from './support/test-server.ts';
import { get } from './support/validated-client.ts';

const store = await makeSampleStore();
const dataPath = `${chartPath(museumChart('servers'))}/data`;

/** Loopback counts like any other address if the trusted proxies are elsewhere. */
const elsewhere = ['192.0.2.1/32'];

describe('connections', () => {
  test('beyond the limit per address are closed, until one of the others has been', async () => {
    const limits = { maxConnectionsPerAddress: 3 };
    await using server = await serveStore(store, { trustedProxies: elsewhere, limits });
    const open = await Promise.all([1, 2, 3].map(() => RawConnection.open(server.url)));
    await assertClosed(server);
    assert.equal(await server.count('connections_dropped_total', { reason: 'too_many_of_address' }), 1);
    open[0]?.socket.destroy();
    await waitUntil(() =>
      assertAnswered(server).then(
        () => true,
        () => false,
      ),
    );
    for (const connection of open) connection[Symbol.dispose]();
  });

  test('beyond the limit of the server are closed, and the open ones still work', async () => {
    await using server = await serveStore(store, { limits: { maxConnections: 2 } });
    using first = await RawConnection.open(server.url);
    using second = await RawConnection.open(server.url);
    await assertClosed(server);
    assert.equal(await server.count('connections_dropped_total', { reason: 'too_many' }), 1);
    for (const connection of [first, second]) {
      connection.write(`GET ${dataPath} HTTP/1.1\r\n\r\n`);
      assert.equal((await connection.read({ method: 'GET', target: dataPath }))?.status, 200);
    }
  });

  test('from loopback are not limited by address, since they may come from a proxy', async () => {
    await using server = await serveStore(store, { limits: { maxConnectionsPerAddress: 1 } });
    using _first = await RawConnection.open(server.url);
    await assertAnswered(server);
  });
});

describe('the rate limit', () => {
  test('resets after at most ten seconds, however the clock rounds', () => {
    // (now + 10,000) - now is more than 10,000.
    const nowMs = 7175.128803591395;
    const [first, second] = takeAll(new RateLimiter(0.1, () => nowMs));
    assert.deepEqual([first, second?.retryAfterSeconds], [undefined, 10]);
  });

  const takeAll = (limiter: RateLimiter) => [limiter.take('a'), limiter.take('a')];
  const limits = { requestsPerSecond: 0.3 };

  test('answers 429 with Retry-After beyond it, and neither counts nor refuses OPTIONS', async () => {
    await using server = await serveStore(store, { trustedProxies: elsewhere, limits });
    using connection = await RawConnection.open(server.url);
    for (const [method, status] of [
      ['OPTIONS', 204],
      ['GET', 200],
      ['HEAD', 200],
      ['OPTIONS', 204],
      ['GET', 200],
      ['GET', 429],
      ['OPTIONS', 204],
    ] as const) {
      connection.write(`${method} ${dataPath} HTTP/1.1\r\n\r\n`);
      const answer = await connection.read({ method, target: dataPath });
      assert.equal(answer?.status, status);
      if (status !== 429) continue;
      const detail = /^a client may send 3 requests within 10 seconds; this one may continue in \d+ s$/;
      assertProblem(answer, { status: 429, kind: 'too-many-requests', detail });
      assert.match(answer.headers.get('retry-after') ?? '', /^([1-9]|10)$/);
    }
    assert.equal(await server.count('requests_refused_total', { reason: 'rate_limit' }), 1);
  });

  test('applies to the client named by a trusted proxy, whatever entries are further left', async () => {
    await using server = await serveStore(store, { trustedProxies: ['127.0.0.1/32', '10.0.0.0/8'], limits });
    const statusesOf = async (...forwarded: readonly string[]) => {
      const statuses: number[] = [];
      for (const value of forwarded)
        statuses.push(
          (await sendRaw(server.url, `GET /x HTTP/1.1\r\nX-Forwarded-For: ${value}\r\n\r\n`)).status,
        );
      return statuses;
    };
    const same = ['198.51.100.7', '1.1.1.1, 198.51.100.7', '2.2.2.2,198.51.100.7, 10.1.2.3'];
    assert.deepEqual(await statusesOf(...same, '3.3.3.3, 198.51.100.7:4711'), [404, 404, 404, 429]);
    assert.deepEqual(await statusesOf('198.51.100.8'), [404]);
  });
});

describe('large work', () => {
  const target = (number: number) => `${dataPath}?maxElements=${100_000 + number}`;

  test('is begun few at a time, refused with 503 where too many wait, and keeps no small work waiting', async () => {
    await using server = await serveHeld(store);
    const ask = (number: number) =>
      sendRaw(server.url, `GET ${target(number)} HTTP/1.1\r\n\r\n`, { method: 'GET', target: dataPath });
    const asked = Array.from({ length: 130 }, (_, number) => ask(number));
    const refused = await Promise.race(asked);
    assertProblem(refused, { status: 503, kind: 'overloaded' });
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(server.heldCount(), 2);
    assert.equal((await get(server.url, '/api/v1/software')).status, 200);
    server.openGate();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 102);
    assert.equal((await get(server.url, target(1000))).status, 200);
    assert.equal(await server.count('requests_refused_total', { reason: 'overloaded_large' }), 28);
    assert.match(server.logLines.join(''), /"reason":"the server is overloaded/);
  });

  test('is not begun for clients that have gone or closed their side', async () => {
    await using server = await serveHeld(store);
    const waiting = [get(server.url, target(1)), get(server.url, target(2))];
    await waitUntil(() => server.heldCount() === 2);
    for (let number = 3; number < 100; number++) {
      using leaving = await RawConnection.open(server.url);
      leaving.socket.end(`GET ${target(number)} HTTP/1.1\r\n\r\n`);
    }
    const last = get(server.url, target(100));
    await get(server.url, '/nothing');
    server.openGate();
    for (const answer of await Promise.all([...waiting, last])) assert.equal(answer.status, 200);
    assert.equal(server.heldCount(), 3);
  });
});

describe('a network that asks for more than its share', () => {
  const trustedProxies = ['127.0.0.1/32'];
  const flooder = '198.51.100.1';
  const target = (count: number) => `${dataPath}?maxElements=${count}`;

  test('waits behind its own, on a quarter of the places, while others are begun in turn', async () => {
    await using server = await serveHeld(store, { trustedProxies });
    using open = new DisposableStack();
    const isRefused = (count: number) =>
      waitUntil(async () => (await server.count('requests_refused_total')) === count);
    for (const flood of [0, 1, 2]) {
      const connection = open.use(await RawConnection.open(server.url));
      for (let number = 0; number < 30; number++)
        connection.write(
          `HEAD ${target(100_000 + 30 * flood + number)} HTTP/1.1\r\nX-Forwarded-For: ${flooder}\r\n\r\n`,
        );
      await isRefused(30 * (flood + 1) - 1 - 25);
    }
    assert.equal(server.heldCount(), 1);
    const ask = (count: number, client: string) =>
      get(server.url, target(count), { 'X-Forwarded-For': client });
    // The last one of the flood is begun at once for another network that wants it, too.
    const asked = [ask(100_025, '198.51.100.2')];
    await waitUntil(() => server.heldCount() === 2);
    for (const client of [3, 4]) {
      asked.push(ask(300_000 + client, `2001:db8:0:${client}::1`));
      await get(server.url, '/nothing');
    }
    server.openGate();
    for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200);
    assert.equal(server.held[1], 100_025);
    for (const client of [3, 4]) assert.ok(server.held.indexOf(300_000 + client) < 6, String(server.held));
  });

  test('does not keep others waiting by asking for a stream that they want too', async () => {
    const path = join(makeDirectory(), 'large.db');
    await importText(path, largeArchive());
    await using server = await serveStore(path, { trustedProxies });
    using flood = await RawConnection.open(server.url);
    flood.write(`HEAD ${largeArchivePath} HTTP/1.1\r\nX-Forwarded-For: ${flooder}\r\n\r\n`.repeat(20));
    await waitUntil(async () => (await server.count('responses_total', { cache: 'shared' })) === 19);
    using other = await askSlowly(server.url, largeArchivePath, { 'X-Forwarded-For': '198.51.100.2' });
    assert.equal(other.status, 200);
    assert.ok((await server.count('responses_total', { cache: 'miss' })) < 10);
  });
});

test('networks share what there is: one has at most a quarter of what the others leave, and there is room for one more', () => {
  const places = new Shares(100);
  const take = (network: string) => {
    let count = 0;
    for (; places.hasRoomFor(network); count++) places.add(network);
    return count;
  };
  assert.deepEqual(['a', 'b', 'c', 'd', 'a'].map(take), [25, 19, 14, 11, 0]);
  places.add('a', -25);
  assert.equal(take('b'), 0);
  assert.equal(take('e'), 14);
});

describe('what one address holds of the memory for large responses', async () => {
  const path = join(makeDirectory(), 'large.db');
  await importText(path, largeArchive({ pieCount: 12 }));
  // Each is whole, and larger than the buffers between a server and a client that does not read.
  const target = (number: number) => `${largeArchivePath}?since=${10 ** 11 + number}`;
  const limits = { maxSendingBytes: 64 * 1024 * 1024 };
  const trustedProxies = ['127.0.0.1/32'];
  const from = (client: string) => ({ 'X-Forwarded-For': client });

  test('is a quarter of it, so that a client that does not read leaves room to others', async () => {
    await using server = await serveStore(path, { limits, trustedProxies });
    using open = new DisposableStack();
    const statuses: number[] = [];
    for (let number = 1; number <= 8; number++) {
      const answer = await askSlowly(server.url, target(number), from('2001:db8::1'));
      statuses.push(open.use(answer).status);
    }
    assert.deepEqual(statuses, [200, 503, 503, 503, 503, 503, 503, 503]);
    const refused = await get(server.url, target(9), from('2001:db8::2'));
    assertProblem(refused, { status: 503, kind: 'overloaded', detail: /to this address/ });
    for (const number of [1, 10, 11])
      assert.equal((await get(server.url, target(number), from('2001:db8:0:1::1'))).status, 200);
    open[Symbol.dispose]();
    await waitUntil(async () => (await get(server.url, target(12), from('2001:db8::2'))).status === 200);
  });
});

/** Asserts that the server closes a new connection by itself. */
async function assertClosed({ url }: TestServer): Promise<void> {
  using connection = await RawConnection.open(url);
  assert.equal(await connection.rest(), '');
}

/** Asserts that the server keeps a new connection, and answers on it. */
async function assertAnswered({ url }: TestServer): Promise<void> {
  assert.equal((await sendRaw(url, 'GET /unknown HTTP/1.1\r\n\r\n')).status, 404);
}
