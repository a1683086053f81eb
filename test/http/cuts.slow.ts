// The status of a response does not depend on how TCP splits the request.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSite } from '../../src/site/site.ts';
import { fc } from '../support/seed.ts';
import { RawConnection } from './support/raw-connection.ts';
import { makeSampleStore, serveStore } from './support/test-server.ts';

const turns = Number(process.env['PLUGIN_METRICS_TEST_TURNS'] ?? 500);

const store = await makeSampleStore();
const site = createSite({ maxPngsAtOnce: 1 });
const server = await serveStore(store, { loadMore: async () => site });
after(() => server[Symbol.asyncDispose]());

const target = '/api/v1/software';
const close = 'Connection: close\r\n\r\n';

/** Requests after which the connection is closed, with the status of each response. */
type Exchange = readonly [text: string, ...statuses: readonly number[]];

const short: readonly Exchange[] = [
  [`GET ${target} HTTP/1.1\r\n${close}`, 200],
  [`GET ${target} HTTP/1.0\r\n\r\n`, 200],
  [`\r\n\r\nGET ${target} HTTP/1.1\r\nHost: a\r\n${close}`, 200],
  [`POST ${target} HTTP/1.1\r\nContent-Length: 3\r\n${close}abc`, 405],
  [`DELETE /none HTTP/1.1\r\n${close}`, 404],
  [`FOO ${target} HTTP/1.1\r\n\r\n`, 405],
  [`FOO /none HTTP/1.1\r\n\r\n`, 404],
  ['FOO /plugin/1 HTTP/1.1\r\n\r\n', 405],
  [`GETX ${target} HTTP/1.0\r\n\r\n`, 405],
  [`get ${target} HTTP/1.1\r\n\r\n`, 405],
  [`\r\nFOO ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, 405],
  [`DESCRIBE ${target} HTTP/1.1\r\n\r\n`, 405],
  ['DESCRIBE /none HTTP/1.1\r\n\r\n', 404],
  [`FOO ${target} HTTP/1.1\rX`, 400],
  [`FOO ${target} HTTP/1.2\r\n\r\n`, 400],
  [`FOO ${target} HTTP/2.0\r\n\r\n`, 400],
  [`FOO ${target} a HTTP/1.1\r\n\r\n`, 400],
  [`FOO  ${target} HTTP/1.1\r\n\r\n`, 400],
  [`FOO ${target}\r\n\r\n`, 400],
  [`FOO ${target} HTTP/1.1\n`, 400],
  [`F\x01 ${target} HTTP/1.1\r\n\r\n`, 400],
  ['nonsense\r\n\r\n', 400],
  ['GET /\x00 HTTP/1.1\r\n\r\n', 400],
  [`GET ${target} HTTP/9.9\r\n\r\n`, 400],
  [`GET ${target} HTTP/1.1\r\nBad Name: a\r\n\r\n`, 400],
  [`GET ${target} HTTP/2.0\r\n\r\n`, 400],
  [`GET ${target} HTTP/0.9\r\n\r\n`, 400],
  [`GET ${target}\r\n\r\n`, 400],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  [`GET ${target} HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  [`GET ${target} HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n`, 400],
  ['CONNECT a.example:443 HTTP/1.1\r\n\r\n', 405],
  ['CONNECT a.example:443 HTTP/2.0\r\n\r\n', 400],
];

const long: readonly Exchange[] = [
  [`GET /${'a'.repeat(9000)} HTTP/1.1\r\n${close}`, 414],
  [`FOO /${'a'.repeat(9000)} HTTP/1.1\r\n\r\n`, 414],
  [`FOO /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`, 414],
  [`FOO /${'a'.repeat(40_000)}`, 414],
  [`${'F'.repeat(40_000)} / HTTP/1.1\r\n\r\n`, 414],
  [`GET /${'a'.repeat(32_760)} HTTP/1.1\r\nHost: a.example\r\n\r\n`, 414],
  [`GET /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`, 414],
  [`\r\n\r\nGET /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`, 414],
  // Malformed too, but beyond the limit.
  [`GET /${'a'.repeat(9300)}\x00`, 414],
  [`GET ${'a'.repeat(33_000)} HTTP/1.1\r\n\r\n`, 414],
  [`GET ${target} HTTP/1.1\r\nX-A: ${'a'.repeat(33_000)}\x00`, 431],
  [`GET ${target} HTTP/1.1\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
  [`GET ${target} HTTP/1.1\r\nX-A:${'a'.repeat(40_000)}\r\n\r\n`, 431],
  [`GET ${target} HTTP/1.1\r\nX-A: POST ${'a'.repeat(40_000)}\r\n\r\n`, 431],
  [`GET ${target} HTTP/1.1\r\n${'a'.repeat(40_000)}: a\r\n\r\n`, 431],
  [`GET ${target} HTTP/1.1\r\n${'X-A: a\r\n'.repeat(9000)}\r\n`, 431],
  [`GET ${target}?${'a'.repeat(8000)} HTTP/1.1\r\n${'X-A: a\r\n'.repeat(9000)}\r\n`, 431],
  [`GET ${target}?${'a'.repeat(20_000)} HTTP/1.1\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 414],
];

/** Requests that precede another one on the same connection. */
const before: readonly Exchange[] = [
  [''],
  [`GET ${target} HTTP/1.1\r\n\r\n`, 200],
  [`GET ${target} HTTP/1.1\r\n\r\n\r\nGET /none HTTP/1.1\r\nHost: a\r\n\r\n`, 200, 404],
  // Not cached, so that its response is pending when the next request is read.
  ['GET /api/v1/plugins/1337/charts/players/data?maxElements={new} HTTP/1.1\r\n\r\n', 200],
  [`POST ${target} HTTP/1.1\r\nContent-Length: 6\r\n\r\n{"a": `, 405],
  [`POST ${target} HTTP/1.1\r\nContent-Length: 12\r\n\r\nab\r\n\r\nGET /\r`, 405],
  [`POST ${target} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n`, 405],
];

test('the first request to a server is refused like every later one', async () => {
  for (const [text, status] of short.filter(([, status]) => status !== 200)) {
    await using fresh = await serveStore(store, { loadMore: async () => site });
    assert.deepEqual(await statusesOf([text], fresh.url), [status], JSON.stringify(text));
  }
});

describe('a request split at every byte has the same status', { concurrency: 4 }, () => {
  for (const [text, ...statuses] of short) {
    test(JSON.stringify(text), async () => {
      for (let at = 0; at < text.length; at++)
        assert.deepEqual(await statusesOf([text.slice(0, at), text.slice(at)]), statuses, `cut at ${at}`);
    });
  }

  test('even a long one, at its first bytes and around the limits', async () => {
    for (const [text, ...statuses] of long) {
      const edges = [8192, 9216, 32_768, text.length - 20].flatMap((edge) =>
        Array.from({ length: 8 }, (_, index) => edge - 4 + index * 3),
      );
      for (const at of [...Array.from({ length: 60 }, (_, index) => index), ...edges]) {
        const pieces = [text.slice(0, at), text.slice(at)];
        const what = `${JSON.stringify(text.slice(0, 40))} cut at ${at}`;
        assert.deepEqual(await statusesOf(pieces), statuses, what);
      }
    }
  });

  test('even byte by byte', async () => {
    for (const [text, ...statuses] of short)
      assert.deepEqual(await statusesOf([...text]), statuses, JSON.stringify(text));
  });
});

test('pipelined requests have the same status however the bytes are split', async () => {
  let fresh = 1;
  const cuts = fc.array(fc.nat({ max: 60_000 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...before),
      fc.constantFrom(...short, ...long),
      cuts,
      fc.boolean(),
      async (first, last, places, isHalfClosed) => {
        const text = `${first[0].replace('{new}', String(fresh++))}${last[0]}`;
        const statuses = [...first.slice(1), ...last.slice(1)];
        const pieces = [...cut(text, places), ...(isHalfClosed ? [undefined] : [])];
        assert.deepEqual(await statusesOf(pieces), statuses);
      },
    ),
    { numRuns: turns },
  );
});

test('random bytes have the same statuses split and whole', async () => {
  const lines = [
    `GET ${target} HTTP/1.1`,
    'GET ',
    'POST ',
    'FOO ',
    'DESCRIBE ',
    'PRI * ',
    'CONNECT a:1',
    'HEAD ',
  ];
  const versions = [' HTTP/1.1', ' HTTP/1.0', ' HTTP/2.0'];
  const headers = [
    ...[
      'Host: a',
      'Content-Length: 5',
      'Content-Length: 20',
      'Transfer-Encoding: chunked',
      'Connection: close',
    ],
    ...['Expect: 100-continue', 'Connection: upgrade\r\nUpgrade: h2c', 'X: y\r\n'],
  ];
  const requests = [
    `GET ${target} HTTP/1.1\r\n\r\n`,
    `POST ${target} HTTP/1.1\r\nContent-Length: 7\r\n\r\n`,
    `POST ${target} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n`,
  ];
  const bodies = ['5\r\nabcde\r\n', '0\r\n\r\n', '0', '5'];
  const others = [target, '/', '?', '%', '*', ':', ' ', '\r\n', '\r\n\r\n', '\n', '\r', '\x00', '\xff'];
  const long = ['a'.repeat(9000), 'b'.repeat(33_000)];
  const part = fc.constantFrom(...lines, ...versions, ...headers, ...requests, ...bodies, ...others, ...long);
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 14 }),
      fc.array(fc.nat({ max: 200_000 }), { maxLength: 5 }),
      async (parts, places) => {
        const text = parts.join('');
        const whole = await statusesOf([text, undefined]);
        assert.deepEqual(await statusesOf([...cut(text, places), undefined]), whole);
      },
    ),
    { numRuns: turns },
  );
});

test('an endless request line is refused when its client half-closes', async () => {
  for (const text of ['GE', 'FO', 'FOO /x HTTP/1.1', 'FOO /x HTTP/1.1\r', `GET / HTTP/1.1\r\nX`])
    for (const pieces of [[text], [...text]])
      assert.deepEqual(await statusesOf([...pieces, undefined]), [400], text);
});

test('an endless request line is refused at the header timeout', async () => {
  await using hasty = await serveStore(store, { timeouts: { headerMs: 90 } });
  for (const text of ['GE', 'FO', 'FOO /x HTTP/1.1', 'FOO /x HTTP/1.1\r', `GET / HTTP/1.1\r\nX`])
    assert.deepEqual(await statusesOf([text], hasty.url), [408], text);
});

function cut(text: string, places: readonly number[]): string[] {
  const marks = places.map((place) => place % text.length).sort((a, b) => a - b);
  return [0, ...marks].map((start, index) => text.slice(start, marks[index]));
}

/**
 * Sends each piece after the one before was read; undefined half-closes the connection. Returns the statuses of all
 * responses.
 */
async function statusesOf(
  pieces: readonly (string | undefined)[],
  url = server.url,
): Promise<readonly number[]> {
  using connection = await RawConnection.open(url);
  connection.socket.setNoDelay(true);
  for (const piece of pieces) {
    if (piece === undefined) connection.socket.end();
    else if (piece !== '') connection.write(piece);
    // On loopback, sent bytes arrive at once: the server in this process reads them in its next turn.
    await nextTurn();
    await nextTurn();
  }
  const text = await connection.rest();
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
