// Responses of more than 16 MiB, which are sent as they are made, in step with their readers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { AppError } from '../../src/model/app-error.ts';
import { importText } from '../support/stores.ts';
import { waitUntil } from '../support/wait-until.ts';
import { assertProblem, assertSameText } from './support/assertions.ts';
import {
  askSlowly,
  largeArchive,
  largeArchivePath,
  largeCsvPath,
  type SlowAnswer,
} from './support/large-plugin.ts';
import { decodeBody } from './support/openapi-check.ts';
import { RawConnection } from './support/raw-connection.ts';
import { makeDirectory, replaceMethods, serveStore, type TestServer } from './support/test-server.ts';
import { get, send } from './support/validated-client.ts';

const store = join(makeDirectory(), 'large.db');
const archive = largeArchive();
await importText(store, archive);

const noStore = 'no-store';

describe('a response of more than 16 MiB', () => {
  test('is complete, without an entity tag, and is not cached', async () => {
    await using server = await serveStore(store);
    // Of the first one, the size is not known before.
    for (const coding of ['br', 'gzip', 'identity', 'identity']) await assertStreamed(server, coding);
    assert.equal(await server.count('responses_total', { cache: 'hit' }), 0);
  });

  test('has the same headers for HEAD, and is sent whatever tag a client names', async () => {
    await using server = await serveStore(store);
    // More often than an address may have streams.
    for (let round = 0; round < 5; round++) {
      const head = await send(server.url, { method: 'HEAD', target: largeArchivePath });
      assert.deepEqual([head.status, head.bytes.length], [200, 0]);
      assert.deepEqual([head.headers.get('etag'), head.headers.get('cache-control')], [undefined, noStore]);
      assert.equal(head.headers.get('content-length'), undefined);
    }
    const tagged = await get(server.url, largeArchivePath, { 'If-None-Match': '"a", W/"b"' });
    assert.equal(tagged.bytes.toString() === archive, true);
    // RFC 9110 13.1.2: there is a representation, and the client wants none then.
    const any = await get(server.url, largeArchivePath, { 'If-None-Match': '*' });
    assert.equal(any.status, 304);
    assert.equal(any.headers.get('cache-control'), noStore);
  });

  test('ends with the connection in HTTP/1.0', async () => {
    await using server = await serveStore(store);
    using connection = await RawConnection.open(server.url);
    connection.write(`GET ${largeArchivePath} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`);
    const [head = '', body = ''] = (await connection.rest()).split('\r\n\r\n');
    assert.match(head, /^connection: close$/im);
    assert.doesNotMatch(head, /^(?:transfer-encoding|content-length|etag):/im);
    assertSameText(body, archive, 'the body');
  });

  test('leaves a connection open for the next request', async () => {
    await using server = await serveStore(store);
    using connection = await RawConnection.open(server.url);
    const csv = (await get(server.url, largeCsvPath)).bytes;
    const request = (path: string) => `GET ${path} HTTP/1.1\r\n\r\n`;
    connection.write(`${request(largeCsvPath)}GET /nothing HTTP/1.1\r\nConnection: close\r\n\r\n`);
    const received = await connection.rest();
    assert.ok(received.includes('\r\n0\r\n\r\nHTTP/1.1 404 Not Found\r\n'));
    assert.ok(received.length > csv.length);
    const rows = csv.toString().split('\r\n');
    assert.equal(rows.length, 2 + 20 * 5000);
    assert.match(rows.at(-2) ?? '', /^pie19,,4999 abc.*,,1$/);
  });

  test('has a line in the log of requests when it has ended', async () => {
    const lines: { readonly status: number; readonly bodyBytes: number }[] = [];
    const requestLog = { write: (line: string) => void lines.push(JSON.parse(line)) };
    await using server = await serveStore(store, { requestLog });
    using slow = await askSlowly(server.url, largeArchivePath);
    assert.equal(lines.length, 0);
    await slow.rest();
    await waitUntil(() => lines.length === 1);
    assert.deepEqual([lines[0]?.status, lines[0]?.bodyBytes], [200, archive.length]);
  });
});

describe('the number of them', () => {
  const trustedProxies = ['127.0.0.1/32'];

  const ask = (server: TestServer, client: string, target = largeArchivePath) =>
    askSlowly(server.url, target, { 'X-Forwarded-For': client });

  const assertRefused = async (server: TestServer, client: string) => {
    const answer = await get(server.url, largeArchivePath, { 'X-Forwarded-For': client });
    assertProblem(answer, { status: 503, kind: 'overloaded', detail: /at most 2 .* 8 in all/ });
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
  };

  test('is two for an address, whichever they are, until one has ended', async () => {
    await using server = await serveStore(store, { trustedProxies });
    using first = await ask(server, '198.51.100.1');
    using _second = await ask(server, '198.51.100.1', largeCsvPath);
    await assertRefused(server, '198.51.100.1');
    using other = await ask(server, '198.51.100.2');
    assert.equal(other.status, 200);
    assert.equal((await first.rest()).toString() === archive, true);
    using third = await ask(server, '198.51.100.1');
    assert.equal(third.status, 200);
    third[Symbol.dispose]();
    await waitUntil(async () => {
      using again = await ask(server, '198.51.100.1');
      return again.status === 200;
    });
    assert.ok((await server.count('requests_refused_total', { reason: 'sending' })) >= 1);
  });

  test('is eight in all', async () => {
    await using server = await serveStore(store, { trustedProxies });
    using open = new DisposableStack();
    const clients = [1, 1, 2, 2, 3, 3, 4, 4].map((number) => `198.51.100.${number}`);
    for (const client of clients) assert.equal(open.use(await ask(server, client)).status, 200);
    await assertRefused(server, '198.51.100.5');
    assert.equal((await get(server.url, '/api/v1/software')).status, 200);
    open[Symbol.dispose]();
    await server.isLeft(1);
    using next = await ask(server, '198.51.100.5');
    assert.equal(next.status, 200);
  });
});

describe('a reader that stops reading', () => {
  test('is cut off after a minute, and not before where it took much at first', async () => {
    let nowMs = 0;
    await using server = await serveStore(store, { now: () => nowMs });
    using stalled = await askSlowly(server.url, largeArchivePath);
    nowMs = 59_000;
    await looks();
    assert.equal(await server.countUnread(), 0);
    nowMs = 60_001;
    await server.cutOff();
    await assertCutOff(stalled);
    await server.isLeft();
    assert.deepEqual(server.logLines, []);
  });

  test('is cut off in the middle of the response once it is too slow on average', async () => {
    let nowMs = 0;
    // More than the buffers between the two have room for.
    const path = join(makeDirectory(), 'larger.db');
    await importText(path, largeArchive({ pieCount: 36 }));
    await using server = await serveStore(path, { now: () => nowMs });
    using slow = await askSlowly(server.url, largeArchivePath);
    await slow.some(17_000_000);
    nowMs = 62_000;
    await looks();
    assert.equal(await server.countUnread(), 0);
    nowMs = 300_000;
    await server.cutOff();
    await assertCutOff(slow);
  });

  test('is cut off after half an hour, however fast it was', async () => {
    let nowMs = 0;
    await using server = await serveStore(store, { now: () => nowMs });
    using slow = await askSlowly(server.url, largeArchivePath);
    nowMs = 30 * 60_000 + 1;
    await server.cutOff();
    await assertCutOff(slow);
    using again = await askSlowly(server.url, largeArchivePath);
    assert.equal((await again.rest()).toString() === archive, true);
  });
});

describe('a response that cannot be made to its end', () => {
  /** A server whose store fails at one of the last pies. */
  const serveFailing = () =>
    serveStore(store, {
      wrap: (reader) =>
        replaceMethods(reader, (view) => ({
          readChartData(pluginId, chartId, ...others) {
            if (chartId === 'pie18') throw new AppError('unavailable', 'the disk is gone');
            return view.readChartData(pluginId, chartId, ...others);
          },
        })),
    });

  test('is cut before its last chunk, and logged', async () => {
    await using server = await serveFailing();
    for (const headers of [{}, { 'Accept-Encoding': 'br' }]) {
      using answer = await askSlowly(server.url, largeArchivePath, headers);
      assert.equal(answer.status, 200);
      await assert.rejects(answer.rest());
    }
    await waitUntil(() => server.logLines.length > 0);
    assert.match(
      server.logLines.join(''),
      /"target":"\/api\/v2\/plugins\/7\/archive","reason":"the disk is gone"/,
    );
    assert.equal((await get(server.url, '/api/v1/software')).status, 200);
  });

  test('is reset in HTTP/1.0, where it would look whole', async () => {
    await using server = await serveFailing();
    using connection = await RawConnection.open(server.url);
    connection.write(`GET ${largeArchivePath} HTTP/1.0\r\n\r\n`);
    assert.equal(await resetOf(connection), true);
  });
});

test('a client that goes away in the middle leaves nothing behind, and nothing in the log', async () => {
  await using server = await serveStore(store);
  for (const leave of ['destroy', 'resetAndDestroy'] as const) {
    for (let round = 0; round < 3; round++) {
      using connection = await RawConnection.open(server.url);
      connection.write(`GET ${largeArchivePath} HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n`);
      await new Promise((resolve) => connection.socket.once('data', resolve));
      connection.socket[leave]();
      await server.isLeft();
    }
  }
  assert.equal((await get(server.url, largeArchivePath)).bytes.toString() === archive, true);
  assert.deepEqual(server.logLines, []);
});

async function assertStreamed({ url }: TestServer, coding: string): Promise<void> {
  const answer = await get(url, largeArchivePath, { 'Accept-Encoding': coding });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('etag'), undefined);
  assert.equal(answer.headers.get('cache-control'), noStore);
  assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
  assert.equal(answer.headers.get('transfer-encoding'), 'chunked');
  assert.equal(answer.headers.get('content-encoding'), coding === 'identity' ? undefined : coding);
  assertSameText(decodeBody(answer).toString(), archive, coding);
}

/** Time in which the server looks at its streams. */
async function looks(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 600));
}

/** Asserts that a body ends too early. */
async function assertCutOff(answer: SlowAnswer): Promise<void> {
  await assert.rejects(answer.rest(), { code: /^ECONNRESET$|^ERR_STREAM_PREMATURE_CLOSE$/ });
}

/** Reads to the end of a connection; true if it was reset. */
async function resetOf({ socket }: RawConnection): Promise<boolean> {
  const reset = new Promise<boolean>((resolve) => {
    socket.once('error', (error) => resolve('code' in error && error.code === 'ECONNRESET'));
    socket.once('end', () => resolve(false));
  });
  socket.resume();
  return await reset;
}
