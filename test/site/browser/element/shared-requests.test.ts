// Requests shared by several charts in a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestFailure, shareRequests } from '../../../../src/site/browser/element/shared-requests.ts';

test('equal requests share one response, for a minute', async () => {
  const server = fakeServer();
  const [one, other] = await Promise.all([server.get('/a'), server.get('/a')]);
  assert.deepEqual(one, { asked: 1 });
  assert.equal(one, other);
  server.passMs(59_000);
  await server.get('/a');
  await server.get('/b');
  assert.deepEqual(server.asked, ['/a', '/b']);
  server.passMs(2000);
  await server.get('/a');
  assert.deepEqual(server.asked, ['/a', '/b', '/a']);
});

test('a failed request is repeated', async () => {
  const server = fakeServer();
  server.answerWith(503);
  await assert.rejects(
    server.get('/a'),
    (error: unknown) => error instanceof RequestFailure && error.status === 503,
  );
  server.answerWith(200);
  assert.deepEqual(await server.get('/a'), { asked: 2 });
});

test('only a few responses are kept', async () => {
  const server = fakeServer();
  for (let index = 0; index < 100; index++) await server.get(`/${index}`);
  await server.get('/99');
  await server.get('/0');
  assert.equal(server.asked.length, 101);
});

/** The `fetch` of a page, and its clock. */
function fakeServer() {
  let now = 0;
  let status = 200;
  const asked: string[] = [];
  const get = shareRequests(
    (url) => {
      asked.push(url);
      return Promise.resolve(Response.json({ asked: asked.length }, { status }));
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
  };
}
