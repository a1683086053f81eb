import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sendRaw } from '../../conformance/raw-client.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const ONE = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1';
const TWO = 'HTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\n2';

test('responses are read by length, in chunks, or until the connection ends', async () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n1;x=y\r\n]\r\n0\r\n\r\n';
  const untilEnd = 'HTTP/1.0 200 OK\r\n\r\n[1,2]';
  assert.deepEqual(await exchange(ONE, 1), ['200 1']);
  assert.deepEqual(await exchange(chunked, 1), ['200 [1]']);
  assert.deepEqual(await exchange(untilEnd, 1), ['200 [1,2]']);
});

test('pipelined responses are split in order, and interim ones are skipped', async () => {
  assert.deepEqual(await exchange(`HTTP/1.1 100 Continue\r\n\r\n${ONE}${TWO}`, 2, REQUEST + REQUEST), [
    '200 1',
    '404 2',
  ]);
});

test('a body after 304, 204 or HEAD is detected', async () => {
  const head = REQUEST.replace('GET', 'HEAD');
  assert.deepEqual(await exchange('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n', 1, head), ['200 ']);
  await assert.rejects(exchange(ONE, 1, head), /more came/);
  await assert.rejects(exchange('HTTP/1.1 304 No\r\n\r\nx', 1), /more came/);
  await assert.rejects(exchange('HTTP/1.1 204 No\r\n\r\nx', 1), /more came/);
});

test('an extra response, a missing one and a broken one are detected', async () => {
  await assert.rejects(exchange(ONE + TWO, 1), /more came/);
  await assert.rejects(exchange(ONE, 2), /1 of 2/);
  await assert.rejects(exchange('', 1), /0 of 1/);
  await assert.rejects(exchange('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n1', 1), /0 of 1/);
  await assert.rejects(exchange('nonsense\r\n\r\n', 1), /0 of 1/);
});

test('a silent server times out', async () => {
  await assert.rejects(exchange(undefined, 1), /within 300 ms/);
});

/** Answers any request with the bytes and closes the connection; stays silent if there are none. */
async function exchange(
  answer: string | undefined,
  answerCount: number,
  request = REQUEST,
): Promise<readonly string[]> {
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => (answer === undefined ? undefined : socket.end(answer)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    // Only silence waits for it.
    const timeoutMs = answer === undefined ? 300 : 60_000;
    const target = { url: new URL(`http://127.0.0.1:${port}`), timeoutMs };
    const answers = await sendRaw(target, request, answerCount);
    return answers.map(({ status, body }) => `${status} ${body}`);
  } finally {
    server.close();
  }
}
