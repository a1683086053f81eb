// Hostile clients, and clients that look hostile.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { RawConnection } from './support/raw-connection.ts';
import { makeDirectory, serveStore } from './support/test-server.ts';

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
  let nowMs = 0;
  await using server = await serveStore(longStore, { now: () => nowMs });
  using connection = await RawConnection.open(server.url);
  connection.socket.pause();
  const before = heldBytes();
  const requests = Array.from({ length: 32 }, (_, number) => `GET ${longTarget(number)} HTTP/1.1\r\n\r\n`);
  connection.write(requests.join(''));
  await sleep(1000);
  const grownBytes = heldBytes() - before;
  assert.ok(grownBytes < 120e6, `${grownBytes} bytes`);
  nowMs = 600_000;
  await server.cutOff();
  connection.socket.resume();
  await connection.rest();
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
  await server.isLeft();
  const miss = await server.count('responses_total', { cache: 'miss' });
  const cpu = process.cpuUsage();
  await sleep(1000);
  assert.equal(await server.count('responses_total', { cache: 'miss' }), miss, 'nothing is made any more');
  assert.ok(process.cpuUsage(cpu).user < 300_000);
  assert.ok(heldBytes() - before < 120e6);
  assert.deepEqual(server.logLines, []);
});

test('a client that reads a large response slowly but steadily is not dropped', async () => {
  await using server = await serveStore(longStore);
  const socket = connectTo(server.url);
  socket.write(`GET ${longTarget(0)} HTTP/1.1\r\nConnection: close\r\n\r\n`);
  let receivedBytes = 0;
  for await (const bytes of socket) {
    receivedBytes += bytes.length;
    await sleep(20);
  }
  assert.ok(receivedBytes > 6e6, `${receivedBytes} bytes`);
  assert.equal(await server.countUnread(), 0);
});

/** The resident memory of this process, in bytes. */
function heldBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
