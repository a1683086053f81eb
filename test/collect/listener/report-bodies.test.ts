// Bodies of reports, read from real connections: their limit, and the memory that they share.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReportBodies } from '../../../src/collect/listener/report-bodies.ts';

const bodies = new ReportBodies({ memory: 4000, body: 800 });
const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => void server.close());

/** A client that has sent a part of its body, and what becomes of that. */
interface Sender extends Disposable {
  readonly socket: Socket;
  /** The number of bytes, or the kind of the error. */
  readonly outcome: Promise<number | string>;
  /** The number of bytes that it has sent. */
  readonly byteCount: number;
}

const lastChunk = '\r\n0\r\n\r\n';

/** Sends the beginning of a body of one chunk, so that no header says how large it is. */
async function sendPart(byteCount: number, wholeBytes: number, client: string): Promise<Sender> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${wholeBytes.toString(16)}\r\n`,
  );
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const outcome = bodies.read(request, response, client).then(
    (bytes) => bytes.length,
    (error) => String(error.kind),
  );
  let receivedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
  });
  socket.write(Buffer.alloc(byteCount));
  if (byteCount === wholeBytes) socket.write(lastChunk);
  while (receivedBytes < byteCount) await sleep(1);
  void outcome.then(() => response.end());
  return { socket, outcome, byteCount, [Symbol.dispose]: () => socket.destroy() };
}

test('a body is given up that is larger than its limit, or whose client goes away', async () => {
  using large = await sendPart(801, 802, 'one');
  assert.equal(await large.outcome, 'body-too-large');
  using torn = await sendPart(10, 20, 'one');
  torn.socket.destroy();
  assert.equal(await torn.outcome, 'malformed-request');
});

test('where the bodies of a client take too much memory its largest is given up, not the one that comes', async () => {
  using other = await sendPart(700, 701, 'other');
  using held = await sendPart(600, 601, 'one');
  using smaller = await sendPart(300, 301, 'one');
  using small = await sendPart(200, 200, 'one');
  assert.equal(await small.outcome, 200);
  assert.equal(await held.outcome, 'overloaded');
  for (const sender of [other, smaller]) sender.socket.write(`x${lastChunk}`);
  assert.deepEqual([await other.outcome, await smaller.outcome], [701, 301]);
  // All of the memory is free again.
  using whole = await sendPart(800, 800, 'one');
  assert.equal(await whole.outcome, 800);
});

test('where all bodies take too much memory the client that holds the most gives one up', async () => {
  const held: Sender[] = [];
  const clients = ['one', 'two', 'three', 'four'];
  for (const client of clients) {
    held.push(await sendPart(500, 501, client));
    held.push(await sendPart(client === 'four' ? 440 : 450, 501, client));
  }
  using honest = await sendPart(790, 790, 'honest');
  assert.equal(await honest.outcome, 790);
  const outcomes = [];
  for (const { socket, byteCount, outcome } of held) {
    socket.write(Buffer.concat([Buffer.alloc(501 - byteCount), Buffer.from(lastChunk)]));
    outcomes.push(await outcome);
    socket.destroy();
  }
  assert.deepEqual(outcomes, ['overloaded', 501, 'overloaded', 501, 501, 501, 501, 501]);
});
