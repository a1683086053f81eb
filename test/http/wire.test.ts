// Bytes that no HTTP client sends. The conformance cases have more of them, `cases/raw.json`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../support/seed.ts';
import { assertProblem } from './support/assertions.ts';
import { RawConnection, sendRaw } from './support/raw-connection.ts';
import { makeSampleStore, serveSample, serveStore } from './support/test-server.ts';
import { get } from './support/validated-client.ts';

const server = await serveSample();
const { url } = server;
const host = new URL(url).host;
const target = '/api/v1/software';
const asked = { method: 'GET', target };
const plain = await get(url, target);
const rest = `Host: ${host}\r\n\r\n`;

const answered: readonly (readonly [string, string])[] = [
  ['an empty Host', `GET ${target} HTTP/1.1\r\nHost:\r\n\r\n`],
  ['an empty line before the request', `\r\nGET ${target} HTTP/1.1\r\n${rest}`],
  ['a header of bytes beyond ASCII', `GET ${target} HTTP/1.1\r\nX-A: \xc3\xa4\xff\r\n${rest}`],
  [
    'headers named like members of objects',
    `GET ${target} HTTP/1.1\r\n__proto__: a\r\nconstructor: b\r\n${rest}`,
  ],
  [
    'two Accept-Encoding headers',
    `GET ${target} HTTP/1.1\r\nAccept-Encoding: identity\r\nAccept-Encoding: foo\r\n${rest}`,
  ],
];

test('an unusual request is answered', async () => {
  for (const [what, text] of answered) {
    const answer = await sendRaw(url, text, asked);
    assert.equal(answer.status, 200, what);
    assert.ok(answer.bytes.equals(plain.bytes), what);
    assert.equal(answer.headers.get('transfer-encoding'), undefined, what);
  }
});

const malformed: readonly (readonly [string, string])[] = [
  ['no version at all', `GET ${target}\r\n\r\n`],
  ['HTTP/1.0 and chunks', `GET ${target} HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['no target', 'GET  HTTP/1.1\r\n\r\n'],
  ['a bare CR in a header', `GET ${target} HTTP/1.1\r\nX-A: a\rb\r\n\r\n`],
  ['a space before the colon', `GET ${target} HTTP/1.1\r\nContent-Length : 2\r\n\r\n{}`],
  ['two Hosts', `GET ${target} HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n`],
  ['two Hosts for CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
];

test('a malformed request is refused with 400 and the connection is closed', async () => {
  const refused = async ([what, text]: readonly [string, string]) => {
    using connection = await RawConnection.open(url);
    connection.write(text);
    const answer = (await connection.read()) ?? assert.fail(what);
    assertProblem(answer, { status: 400, kind: 'malformed-request' });
    assert.equal(answer.headers.get('connection'), 'close', what);
    assert.equal(await connection.rest(), '', what);
  };
  await Promise.all(malformed.map(refused));
});

test('a request beyond the limits of its head is refused', async () => {
  for (const [text, status] of [
    [`POST /${'a'.repeat(17_000)} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`, 414],
    [`GET /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`, 431],
    [`GET ${target} HTTP/1.1\r\n${'a'.repeat(40_000)}: a\r\n\r\n`, 431],
  ] as const)
    assertProblem(await sendRaw(url, text), {
      status,
      kind: status === 414 ? 'uri-too-long' : 'headers-too-large',
    });
});

test('CONNECT is refused, since this is not a proxy', async () => {
  using connection = await RawConnection.open(url);
  connection.write(`CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n`);
  const answer = await connection.read();
  assert.ok(answer !== undefined);
  assertProblem(answer, { status: 405, kind: 'method-not-offered', detail: /CONNECT/ });
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
  assert.equal(await connection.rest(), '');
});

test('random bytes get only valid responses', async () => {
  const piece = fc.constantFrom(
    ...[
      'GET ',
      'POST ',
      'HEAD ',
      target,
      '/',
      '?',
      '%',
      '%00',
      '*',
      ' HTTP/1.1',
      ' HTTP/1.0',
      '\r\n',
      '\n',
      '\r',
    ],
    ...[
      'Host: a',
      'Content-Length: ',
      'Transfer-Encoding: chunked',
      '0',
      '5',
      ':',
      ' ',
      '\x00',
      '\xff',
      'Expect: ',
      'a',
    ],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      using connection = await RawConnection.open(url);
      connection.write(pieces.join(''));
      connection.socket.end();
      const text = await connection.rest();
      assert.match(text, /^(?:HTTP\/1\.1 (?:[2345]\d\d) [\s\S]*)?$/);
    }),
    { numRuns: 200 },
  );
  assert.deepEqual(server.logLines, []);
});

test('an incomplete request answers 408 after a timeout, also after a complete one, and before its first byte', async () => {
  const store = await makeSampleStore();
  const timeOut = async (text: string, timeouts: { headersMs?: number; requestMs?: number }) => {
    await using hasty = await serveStore(store, { timeouts });
    using connection = await RawConnection.open(hasty.url);
    connection.write(text);
    if (text.includes(rest)) assert.equal((await connection.read(asked))?.status, 200);
    const answer = (await connection.read()) ?? assert.fail();
    assertProblem(answer, { status: 408, kind: 'request-timeout' });
    assert.equal(await connection.rest(), '');
  };
  await Promise.all([
    timeOut('', { headersMs: 90 }),
    timeOut(`GET ${target} HTTP/1.1\r\nHo`, { requestMs: 90 }),
    // A busy machine may take longer to read the complete one.
    timeOut(`GET ${target} HTTP/1.1\r\n${rest}GET ${target} HTTP/1.1\r\nHo`, { requestMs: 4000 }),
  ]);
});
