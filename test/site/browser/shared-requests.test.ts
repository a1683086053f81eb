// Several charts in a page, one request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestFailure, shareRequests } from '../../../src/site/browser/shared-requests.ts';

test('equal requests share one answer, for a minute', async () => {
  const server = fakeServer();
  const { signal } = new AbortController();
  const [one, other] = await Promise.all([server.get('/a', signal), server.get('/a', signal)]);
  assert.deepEqual(one, { asked: 1 });
  assert.equal(one, other);
  server.passMs(59_000);
  await server.get('/a', signal);
  await server.get('/b', signal);
  assert.deepEqual(server.asked, ['/a', '/b']);
  server.passMs(2000);
  await server.get('/a', signal);
  assert.deepEqual(server.asked, ['/a', '/b', '/a']);
});

test('what failed is asked for again', async () => {
  const server = fakeServer();
  const { signal } = new AbortController();
  server.answerWith(503);
  await assert.rejects(
    server.get('/a', signal),
    (error: unknown) => error instanceof RequestFailure && error.status === 503,
  );
  server.answerWith(200);
  assert.deepEqual(await server.get('/a', signal), { asked: 2 });
});

test('one that gives up leaves the request to the others; the last one ends it', async () => {
  const server = fakeServer();
  const [first, second] = [new AbortController(), new AbortController()];
  server.hold();
  const one = server.get('/a', first.signal);
  const other = server.get('/a', second.signal);
  first.abort();
  await assert.rejects(one, { name: 'AbortError' });
  assert.equal(server.endedCount, 0);
  second.abort();
  await assert.rejects(other, { name: 'AbortError' });
  assert.equal(server.endedCount, 1);
});

test('few answers are kept', async () => {
  const server = fakeServer();
  const { signal } = new AbortController();
  for (let index = 0; index < 100; index++) await server.get(`/${index}`, signal);
  await server.get('/99', signal);
  await server.get('/0', signal);
  assert.equal(server.asked.length, 101);
});

/** The `fetch` of a page, and its clock. */
function fakeServer() {
  let now = 0;
  let status = 200;
  let isHeld = false;
  let endedCount = 0;
  const asked: string[] = [];
  const get = shareRequests(
    (url, { signal }) => {
      asked.push(url);
      if (!isHeld) return Promise.resolve(Response.json({ asked: asked.length }, { status }));
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          endedCount++;
          reject(signal.reason);
        });
      });
    },
    () => now,
  );
  return {
    get,
    asked,
    passMs: (ms: number) => {
      now += ms;
    },
    answerWith: (next: number) => {
      status = next;
    },
    hold: () => {
      isHeld = true;
    },
    get endedCount() {
      return endedCount;
    },
  };
}
