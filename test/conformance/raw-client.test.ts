import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sendRaw } from '../../conformance/raw-client.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const ONE = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1';
const TWO = 'HTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\n2';

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n1;x=y\r\n]\r\n0\r\n\r\n';
const HEAD = REQUEST.replace('GET', 'HEAD');

/**
 * Bytes from a server, the number of responses that are expected, the responses or an error, and another
 * request.
 */
const exchanges: readonly (readonly [string | undefined, number, readonly string[] | RegExp, string?])[] = [
  [ONE, 1, ['200 1']],
  [CHUNKED, 1, ['200 [1]']],
  ['HTTP/1.0 200 OK\r\n\r\n[1,2]', 1, ['200 [1,2]']],
  [`HTTP/1.1 100 Continue\r\n\r\n${ONE}${TWO}`, 2, ['200 1', '404 2'], REQUEST + REQUEST],
  ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n', 1, ['200 '], HEAD],
  [ONE, 1, /more came/, HEAD],
  ['HTTP/1.1 204 No\r\n\r\nx', 1, /more came/],
  [ONE + TWO, 1, /more came/],
  [ONE, 2, /1 of 2/],
  ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n1', 1, /0 of 1/],
  [undefined, 1, /within 300 ms/],
];

test('responses to raw requests are read and counted, whatever a server sends', async () => {
  for (const [answer, count, expected, request] of exchanges) {
    const read = exchange(answer, count, request);
    if (expected instanceof RegExp) await assert.rejects(read, expected);
    else assert.deepEqual(await read, expected);
  }
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
