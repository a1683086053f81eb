// Bodies of requests, read from real connections: their limit, and the memory that they share.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BodyMemory, IncomingBody } from '../../src/http/wire/incoming-body.ts';

const memory = new BodyMemory(1000);
const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => void server.close());

/** A client that has sent a part of its body, and what becomes of that. */
interface Sender extends Disposable {
  readonly socket: Socket;
  /** The number of bytes, or the kind of the error. */
  readonly outcome: Promise<number | string>;
  readonly body: IncomingBody;
}

const lastChunk = '\r\n0\r\n\r\n';

/** Sends the beginning of a body of one chunk, so that no header says how large it is. */
async function sendPart(byteCount: number, wholeBytes: number): Promise<Sender> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${wholeBytes.toString(16)}\r\n`,
  );
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const body = new IncomingBody(request, { maxBytes: 800, memory });
  const outcome = body.read().then(
    (bytes) => bytes.length,
    (error) => String(error.kind),
  );
  socket.write(Buffer.alloc(byteCount));
  if (byteCount === wholeBytes) socket.write(lastChunk);
  while (body.sizeBytes < byteCount) await sleep(1);
  void outcome.then(() => response.end());
  return { socket, outcome, body, [Symbol.dispose]: () => socket.destroy() };
}

test('a body is given up that is larger than its limit, or whose client goes away', async () => {
  using large = await sendPart(801, 802);
  assert.equal(await large.outcome, 'body-too-large');
  using torn = await sendPart(10, 20);
  torn.socket.destroy();
  assert.equal(await torn.outcome, 'malformed-request');
  assert.equal(torn.body.fail('overloaded', 'again'), false);
});

test('where bodies take too much memory the largest is given up, not the one that comes', async () => {
  using held = await sendPart(600, 601);
  using smaller = await sendPart(300, 301);
  using small = await sendPart(200, 200);
  assert.equal(await small.outcome, 200);
  assert.equal(await held.outcome, 'overloaded');
  smaller.socket.write(`x${lastChunk}`);
  assert.equal(await smaller.outcome, 301);
  // All of the memory is free again.
  using whole = await sendPart(800, 800);
  assert.equal(await whole.outcome, 800);
});
