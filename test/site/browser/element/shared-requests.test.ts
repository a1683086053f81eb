// Requests shared by several charts in a page.
import assert from 'node:assert/strict';
import { type mock, test } from 'node:test';
import { getJson, RequestFailure } from '../../../../src/site/browser/element/shared-requests.ts';

test('equal requests share one response, for a minute', async (context) => {
  const asked = answerWith(context, 200);
  const [one, other] = await Promise.all([getJson('/a'), getJson('/a')]);
  assert.deepEqual(one, { asked: 1 });
  assert.equal(one, other);
  context.mock.timers.tick(59_000);
  await getJson('/a');
  await getJson('/b');
  assert.deepEqual(asked, ['/a', '/b']);
  context.mock.timers.tick(2000);
  await getJson('/a');
  assert.deepEqual(asked, ['/a', '/b', '/a']);
});

test('a failed request is repeated', async (context) => {
  answerWith(context, 503);
  await assert.rejects(
    getJson('/failed'),
    (error: unknown) => error instanceof RequestFailure && error.status === 503,
  );
  context.mock.reset();
  answerWith(context, 200);
  assert.deepEqual(await getJson('/failed'), { asked: 1 });
});

/** Answers every request; the result has their addresses. */
function answerWith({ mock: mocked }: { readonly mock: typeof mock }, status: number): string[] {
  const asked: string[] = [];
  mocked.timers.enable({ apis: ['setTimeout'] });
  mocked.method(globalThis, 'fetch', (url: string) => {
    asked.push(url);
    return Promise.resolve(Response.json({ asked: asked.length }, { status }));
  });
  return asked;
}
