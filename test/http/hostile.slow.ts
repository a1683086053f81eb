// Hostile clients, and clients that look hostile.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { waitUntil } from '../support/wait-until.ts';
import { RawConnection } from './support/raw-connection.ts';
import { makeDirectory, makeSampleStore, serveStore } from './support/test-server.ts';
import { get } from './support/validated-client.ts';

// A response larger than the buffers between a server and a client that does not read.
const pointCount = 400_000;
const longStore = join(makeDirectory(), 'long.db');
const points = Array.from({ length: pointCount }, (_, index) => [
  1_700_000_000_000 + index * 1000,
  index % 1000,
]);
await importText(
  longStore,
  archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', JSON.stringify(points))]),
);

/** The target of a long response; each number has a different one. */
function longTarget(number: number): string {
  return `/api/v1/plugins/7/charts/players/data?maxElements=${pointCount - number}`;
}

function connectTo(url: string): net.Socket {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  return socket;
}

test('pipelined requests for long responses that are never read cost no more memory than a few responses', async () => {
  await using server = await serveStore(longStore, { timeouts: { sendMs: 1500 } });
  using connection = await RawConnection.open(server.url);
  connection.socket.pause();
  const before = heldBytes();
  const requests = Array.from({ length: 32 }, (_, number) => `GET ${longTarget(number)} HTTP/1.1\r\n\r\n`);
  connection.write(requests.join(''));
  await sleep(1000);
  const grownBytes = heldBytes() - before;
  assert.ok(grownBytes < 120e6, `${grownBytes} bytes`);
  await waitUntil(
    async () => (await server.count('connections_dropped_total', { reason: 'not_reading' })) === 1,
  );
  connection.socket.resume();
  await connection.rest();
});

test('a connection that pipelines too many requests is closed, and others are served', async () => {
  await using server = await serveStore(await makeSampleStore());
  const block = 'GET / HTTP/1.1\r\n\r\n'.repeat(200_000);
  const sockets = Array.from({ length: 12 }, () => {
    const socket = connectTo(server.url);
    socket.pause();
    socket.write(block);
    return socket;
  });
  await waitUntil(
    async () => (await server.count('connections_dropped_total', { reason: 'pipelining' })) > 0,
  );
  assert.equal((await get(server.url, '/api/v1/software')).status, 200);
  for (const socket of sockets) socket.resetAndDestroy();
});

test('300 clients that ask for long responses and go away leave an idle server', async () => {
  await using server = await serveStore(longStore);
  const before = heldBytes();
  for (let number = 0; number < 300; number++) {
    const socket = connectTo(server.url);
    await once(socket, 'connect');
    socket.write(`GET ${longTarget(number)} HTTP/1.1\r\n\r\n`);
    await sleep(5);
    // All that a process that ends leaves of a connection: it reads nothing more.
    socket.pause();
    if (number % 2 === 0) socket.destroy();
    else socket.end();
  }
  await waitUntil(async () => (await server.count('open_connections')) === 0);
  const miss = await server.count('responses_total', { cache: 'miss' });
  const cpu = process.cpuUsage();
  await sleep(1000);
  assert.equal(await server.count('responses_total', { cache: 'miss' }), miss, 'nothing is made any more');
  assert.ok(process.cpuUsage(cpu).user < 300_000);
  assert.ok(heldBytes() - before < 120e6);
  assert.deepEqual(server.logLines, []);
});

test('a client that does not read its response is dropped, despite keep-alive', async () => {
  await using server = await serveStore(longStore, { timeouts: { sendMs: 300 } });
  const heads = [
    'HTTP/1.1\r\nConnection: close',
    'HTTP/1.0',
    'HTTP/1.1',
    'HTTP/1.0\r\nConnection: keep-alive',
  ];
  const connections = await Promise.all(heads.map(() => RawConnection.open(server.url)));
  for (const [index, connection] of connections.entries()) {
    connection.socket.pause();
    connection.write(`GET ${longTarget(0)} ${heads[index]}\r\n\r\n`);
  }
  await waitUntil(
    async () => (await server.count('connections_dropped_total', { reason: 'not_reading' })) === heads.length,
  );
  for (const connection of connections) connection[Symbol.dispose]();
});

test('a client that reads a large response slowly but steadily is not dropped', async () => {
  await using server = await serveStore(longStore, { timeouts: { sendMs: 1500 } });
  const socket = connectTo(server.url);
  socket.write(`GET ${longTarget(0)} HTTP/1.1\r\nConnection: close\r\n\r\n`);
  let receivedBytes = 0;
  for await (const bytes of socket) {
    receivedBytes += bytes.length;
    await sleep(20);
  }
  assert.ok(receivedBytes > 6e6, `${receivedBytes} bytes`);
  assert.equal(await server.count('connections_dropped_total', { reason: 'not_reading' }), 0);
});

test('a stop during long responses logs nothing', async () => {
  const server = await serveStore(longStore, { timeouts: { sendMs: 200 } });
  const sockets = Array.from({ length: 6 }, (_, number) => {
    const socket = connectTo(server.url);
    socket.pause();
    socket.write(`GET ${longTarget(number)} HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n`.repeat(3));
    return socket;
  });
  await sleep(50);
  const stopped = server[Symbol.asyncDispose]();
  await sleep(50);
  for (const socket of sockets.slice(0, 3)) socket.destroy();
  for (const socket of sockets.slice(3)) socket.resume();
  await stopped;
  assert.deepEqual(server.logLines, []);
});

/** The resident memory of this process, in bytes. */
function heldBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
