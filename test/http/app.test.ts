// The application without a socket.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listApiEndpoints } from '../../src/api/routes.ts';
import { App } from '../../src/http/app.ts';
import type { BodySize, Endpoint } from '../../src/http/endpoint.ts';
import { ErrorLog } from '../../src/http/error-log.ts';
import type { Request, RequestHeaders } from '../../src/http/request.ts';
import { openSqliteReader } from '../../src/sqlite/reading/sqlite-reader.ts';
import { makeSampleStore } from './support/test-server.ts';

const reader = openSqliteReader(await makeSampleStore());
after(() => reader[Symbol.asyncDispose]());

const errorLog = new ErrorLog({ write: () => {} });
const endpoints = listApiEndpoints({ hasLiveFields: false });

function makeApp(maxSendingBytes = 1e9, more: readonly Endpoint[] = []): App {
  const about = { reader, cacheBytes: 1e6, maxAgeSeconds: 60, maxSendingBytes, errorLog };
  return new App({ ...about, endpoints: [...endpoints, ...more] });
}

function requestFor(target: string, headers: RequestHeaders = {}, method = 'GET'): Request {
  return {
    ...{ method, target, headers, address: '192.0.2.1', retryAfterSeconds: undefined },
    isWaitingFor: (_size: BodySize) => true,
    whenSent: () => {},
  };
}

const players = '/api/v1/plugins/1337/charts/players/data?maxElements=2';

test('answers with status, headers and body, and from the cache without a promise', async () => {
  const app = makeApp();
  const made = await app.answer(requestFor(players));
  assert.equal(made.status, 200);
  assert.match(Buffer.from(made.body).toString(), /^\[\[\d+,\d+\],\[\d+,\d+\]\]$/);
  const headers = Object.fromEntries(made.headers.map((name, index) => [name, made.headers[index + 1]]));
  assert.equal(headers['Content-Type'], 'application/json; charset=utf-8');
  assert.equal(app.answer(requestFor(players)), made);
  const ifNoneMatch = headers['ETag'];
  assert.equal((await app.answer(requestFor(players, { ifNoneMatch }))).status, 304);
});

test('answers errors', async () => {
  const app = makeApp();
  for (const [target, status] of [
    ['/api/v1/plugins/99', 404],
    ['/api/v1/plugins/x', 400],
    ['/nothing', 404],
    ['/%ff', 400],
    [`/${'a'.repeat(9000)}`, 414],
  ] as const)
    assert.equal((await app.answer(requestFor(target))).status, status, target.slice(0, 40));
  assert.equal((await app.answer(requestFor(players, {}, 'DELETE'))).status, 405);
  assert.equal((await app.answer(requestFor(players, {}, 'OPTIONS'))).status, 204);
  assert.equal((await app.answer({ ...requestFor(players), retryAfterSeconds: 3 })).status, 429);
});

test('has nothing at the target of OPTIONS for the server as a whole', async () => {
  const firstPage = { path: '/', ask: () => assert.fail('it is not the first page') };
  assert.equal((await makeApp(1e9, [firstPage]).answer(requestFor('*'))).status, 404);
});

test('lets one address hold a quarter of the bytes that are being sent, and others the rest', async () => {
  const large = '/api/v1/plugins/1337/charts/players/data?maxElements=9999999';
  const { length } = (await makeApp().answer(requestFor(large))).body;
  assert.ok(length > 64 * 1024, String(length));
  const app = makeApp(length * 6);
  const ends: (() => void)[] = [];
  const askFrom = async (address: string, count: number) => {
    const request = {
      ...requestFor(`${large}${count}`),
      address,
      whenSent: (end: () => void) => ends.push(end),
    };
    return (await app.answer(request)).status;
  };
  assert.equal(await askFrom('192.0.2.1', 1), 200);
  assert.equal(await askFrom('192.0.2.1', 1), 200, 'the same body counts once');
  assert.equal(await askFrom('192.0.2.1', 2), 503);
  assert.equal(await askFrom('2001:db8::1', 2), 200);
  assert.equal(await askFrom('2001:db8::2', 3), 503, 'one network counts as one');
  assert.equal(await askFrom('192.0.2.2', 3), 200);
  for (const end of ends) end();
  assert.equal(await askFrom('192.0.2.1', 4), 200);
});
