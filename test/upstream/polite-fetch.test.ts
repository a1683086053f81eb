// The request rate, the pauses that a source asks for, and the address of a source.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { politeFetch } from '../../src/upstream/connection/polite-fetch.ts';
import { parseRequestHeader } from '../../src/upstream/connection/request-header.ts';
import { openTemporaryFile } from '../../src/upstream/connection/temporary-file.ts';
import { serveRoutes } from './dialect-server.ts';
import { fastClock } from './mirror-into.ts';

const request = { headers: {}, signal: null };

test('requests pass at the rate', async () => {
  const clock = fastClock(0);
  await using server = await serveRoutes({});
  const { fetch, requestCount } = politeFetch({ rate: 2, userAgent: 'test', clock });
  const starts: number[] = [];
  for (let count = 0; count < 5; count++) {
    await fetch(server.url, request);
    starts.push(clock.now());
  }
  assert.deepEqual(starts, [0, 500, 1000, 1500, 2000]);
  assert.equal(requestCount(), 5);
});

test('no request passes while the source asks for a pause, at most for five minutes', async () => {
  const clock = fastClock(0);
  let seconds = 30;
  await using server = await serveRoutes({
    '/software': () => ({ status: 503, headers: { 'Retry-After': `${seconds}` } }),
  });
  const { fetch } = politeFetch({ rate: 100, userAgent: 'test', clock });
  const ask = () => fetch(`${server.url}/api/v1/software`, request);
  await ask();
  await ask();
  assert.equal(clock.now(), 30_000);
  seconds = 1000;
  await ask();
  await ask();
  assert.equal(clock.now(), 60_000 + 300_000);
});

test('a header is one line of ASCII that neither HTTP nor the program sets, and no message repeats it', () => {
  assert.deepEqual(parseRequestHeader('X-Key:  a: "b",\tc= '), { name: 'X-Key', value: 'a: "b",\tc=' });
  for (const text of [
    ...[
      '',
      'secret',
      'secret:',
      ': secret',
      'X Key: secret',
      '__proto__: secret',
      'X: secret\n',
      'X: a\rY: secret',
    ],
    ...['X: a\r\nsecret: b', 'X: a\0secret', 'X: sécret', 'X: 秘密secret', 'X: a\u2028secret', 'Ä: secret'],
    ...['Host: secret', 'user-agent: secret', 'Content-Length: 1secret', 'ACCEPT: secret'],
  ])
    assert.throws(
      () => parseRequestHeader(text),
      { code: 'invalid', message: /^(?!.*secret)it must / },
      text,
    );
});

test('headers go to the source with every request, and nowhere else', async () => {
  await using other = await serveRoutes({});
  await using server = await serveRoutes({ '/moved': { status: 302, headers: { Location: other.url } } });
  const headers = [parseRequestHeader('Authorization: Bearer secret')];
  const { fetch, fetchInto } = politeFetch({ rate: 1000, userAgent: 'test', headers });
  await fetch(`${server.url}/api/v1/software`, request);
  await using file = await openTemporaryFile();
  await fetchInto(file)(`${server.url}/api/v2/plugins/7/archive`, request);
  await assert.rejects(fetch(`${server.url}/api/v1/moved`, request), /it has moved to/);
  assert.deepEqual(
    server.requests.map(({ headers }) => [headers.authorization, headers['user-agent'], headers.accept]),
    ['application/json', 'application/x-ndjson', 'application/json'].map((type) => [
      'Bearer secret',
      'test',
      type,
    ]),
  );
  assert.equal(other.requests.length, 0);
});

test('a request that is aborted while it waits for its turn ends', async () => {
  const { fetch } = politeFetch({ rate: 0.001, userAgent: 'test', clock: fastClock(0) });
  const signal = AbortSignal.abort(new Error('stop'));
  await assert.rejects(fetch('http://127.0.0.1:9', { headers: {}, signal }));
});
