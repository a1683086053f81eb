// Bodies of reports, read from real connections: their limit, and the memory that they share.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { receiveBody } from '../../../src/collect/listener/report-bodies.ts';
import { ReportBudget } from '../../../src/collect/listener/report-budget.ts';

const budget = new ReportBudget(1_000_000);
const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => void server.close());

/** A client that has sent a part of its body, and what becomes of that. */
interface Sender extends Disposable {
  readonly socket: Socket;
  /** The number of bytes, or the kind of the error. */
  readonly outcome: Promise<number | string>;
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
  const outcome = receiveBody(request, response, budget, client).then(
    (bytes) => bytes.length,
    (error) => String(error.kind),
  );
  let isGivenUp = false;
  void outcome.then(() => {
    isGivenUp = true;
  });
  let receivedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
  });
  socket.write(Buffer.alloc(byteCount));
  if (byteCount === wholeBytes) socket.write(lastChunk);
  while (receivedBytes < byteCount && !isGivenUp) await sleep(1);
  void outcome.then(() => response.end());
  return { socket, outcome, [Symbol.dispose]: () => socket.destroy() };
}

test('a client that holds bodies back leaves room for others, and what it gives up is free again', async () => {
  using held = await sendPart(250_000, 250_001, 'one');
  using second = await sendPart(200_000, 200_001, 'one');
  assert.equal(await second.outcome, 'overloaded');
  using other = await sendPart(250_000, 250_000, 'other');
  assert.equal(await other.outcome, 250_000);
  held.socket.write(`x${lastChunk}`);
  assert.equal(await held.outcome, 250_001);
  using free = await sendPart(250_000, 250_000, 'one');
  assert.equal(await free.outcome, 250_000);
});
