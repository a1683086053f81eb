// Connections with several requests, and connections that break or stall.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { RawConnection } from './support/raw-connection.ts';
import { chartPath, museumChart } from './support/sample.ts';
import { makeSampleStore, replaceMethods, serveSample, serveStore } from './support/test-server.ts';
import { type Answer, get } from './support/validated-client.ts';

const server = await serveSample();
const { url } = server;
const host = new URL(url).host;
const target = '/api/v1/software';
const asked = { method: 'GET', target };
const plain = await get(url, target);
const rest = `Host: ${host}\r\n\r\n`;
const large = `${chartPath(museumChart('servers'))}/data?maxElements=999999`;
const largeText = museumChart('servers').data;

test('pipelined requests get one response each, in order', async () => {
  using connection = await RawConnection.open(url);
  const requests: readonly (readonly [string, string, number])[] = [
    ['GET', large, 200],
    ['GET', target, 200],
    ['HEAD', target, 200],
    ['GET', '/api/v1/nothing', 404],
    ['POST', target, 405],
    ['GET', '/api/v1/plugins/x', 400],
    ['OPTIONS', target, 204],
    ['GET', '/api/v1/plugins', 200],
    ['GET', target, 200],
  ];
  for (let round = 0; round < 3; round++) {
    connection.write(
      requests.map(([method, path]) => `${method} ${path} HTTP/1.1\r\nContent-Length: 0\r\n${rest}`).join(''),
    );
    const got: Answer[] = [];
    for (const [method, path, status] of requests) {
      const answer = await connection.read({ method, target: path });
      assert.equal(answer?.status, status, `${method} ${path}`);
      if (answer !== undefined) got.push(answer);
    }
    assert.equal(got[0]?.bytes.toString(), largeText);
    for (const index of [1, 8]) assert.ok(got[index]?.bytes.equals(plain.bytes));
  }
  connection.write(`GET ${target} HTTP/1.1\r\nConnection: close\r\n${rest}`);
  assert.equal((await connection.read(asked))?.headers.get('connection'), 'close');
  assert.equal(await connection.rest(), '');
});

test('a connection with more requests ahead than may wait is closed', async () => {
  await using slow = await serveStore(await makeSampleStore(), {
    wrap: (reader) => replaceMethods(reader, () => ({ listSoftware: () => new Promise(() => {}) })),
  });
  using connection = await RawConnection.open(slow.url);
  connection.write(`GET ${target} HTTP/1.1\r\n${rest}`.repeat(33));
  assert.equal(await connection.rest(), '');
  assert.equal(await slow.count('connections_dropped_total', { reason: 'pipelining' }), 1);
});

test('a connection that is not read gets its responses when it is', async () => {
  using connection = await RawConnection.open(url);
  connection.socket.pause();
  for (let count = 0; count < 30; count++) {
    connection.write(`GET ${count % 2 === 0 ? large : target} HTTP/1.1\r\n${rest}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  connection.socket.resume();
  for (let count = 0; count < 30; count++) {
    const answer = await connection.read({ method: 'GET', target: count % 2 === 0 ? large : target });
    assert.equal(answer?.bytes.toString() === (count % 2 === 0 ? largeText : plain.bytes.toString()), true);
  }
});

test('garbage after a request closes the connection once that request has been answered', async () => {
  for (const first of [target, large, '/api/v1/plugins/1/charts/servers/data?maxElements=77', large]) {
    using connection = await RawConnection.open(url);
    connection.write(`GET ${first} HTTP/1.1\r\n${rest}nonsense\r\n\r\n`);
    assert.equal((await connection.read({ method: 'GET', target: first }))?.status, 200);
    assert.match(await connection.rest(), /^(HTTP\/1\.1 400 |$)/);
  }
});

test('a client that half-closes after a body gets its response, however long the body is', async () => {
  const body = 'x'.repeat(5_000_000);
  for (const head of ['HTTP/1.1\r\nConnection: close', 'HTTP/1.0']) {
    for (let count = 0; count < 4; count++) {
      using connection = await RawConnection.open(url);
      connection.socket.pause();
      connection.write(`POST ${target} ${head}\r\nContent-Length: ${body.length}\r\n${rest}`);
      connection.write(body);
      await new Promise((resolve) => setTimeout(resolve, 50));
      connection.socket.resume();
      assert.equal((await connection.read({ method: 'POST', target }))?.status, 405);
      assert.equal(await connection.rest(), '');
    }
  }
});

test('nothing lingers after a request without a body: its connection is closed with the response', async (t) => {
  // A lingering connection would wait for this timer.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const method of ['GET', 'HEAD', 'POST'])
    for (const path of [target, large, '/api/v1/nothing'])
      for (const head of ['HTTP/1.1\r\nConnection: close', 'HTTP/1.1\r\nUpgrade: h2c', 'HTTP/1.0'])
        for (const length of ['', '\r\nContent-Length: 0']) {
          using connection = await RawConnection.open(url);
          connection.write(`${method} ${path} ${head}${length}\r\n${rest}`);
          assert.match(await connection.rest(), /^HTTP\/1\.1 (200|404|405) /);
        }
});

test('a client that keeps sending a refused request is read from, so that a reset does not overtake the response', async () => {
  const { hostname, port } = new URL(url);
  for (const [start, status] of [
    ['nonsense\r\n', 400],
    [`GET ${target} HTTP/1.1\r\nX-A: `, 431],
    [`GET /`, 431],
  ] as const) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(start + 'a'.repeat(3_000_000));
    // Rejects if the connection is reset.
    const received = Buffer.concat(await socket.toArray()).toString('latin1');
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `));
  }
});
