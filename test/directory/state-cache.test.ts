// Values computed once and cached until the store changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StateCache } from '../../src/directory/state-cache.ts';

/** Computes numbers, each when told to. */
function startedByHand() {
  const cache = new StateCache<number>();
  const pending: PromiseWithResolvers<void>[] = [];
  let madeCount = 0;
  const make = async () => {
    const gate = Promise.withResolvers<void>();
    pending.push(gate);
    await gate.promise;
    return ++madeCount;
  };
  const get = (generation: number) => cache.get({ generation, make });
  /** Finishes the oldest pending computation. */
  const finish = async (error?: Error) => {
    const gate = pending.shift();
    assert.ok(gate !== undefined, 'nothing is being made');
    if (error === undefined) gate.resolve();
    else gate.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { get, finish, pending };
}

test('requests for one generation share a value', async () => {
  const { get, finish, pending } = startedByHand();
  const asked = [get(1), get(1)];
  await finish();
  assert.deepEqual(await Promise.all([...asked, get(1)]), [1, 1, 1]);
  assert.equal(pending.length, 0);
});

test('a request for another generation gets a value of that one', async () => {
  const { get, finish, pending } = startedByHand();
  const before = get(1);
  const behind = [get(2), get(2)];
  assert.equal(pending.length, 2);
  await finish();
  await finish();
  assert.equal(await before, 1);
  assert.deepEqual(await Promise.all(behind), [2, 2]);
  assert.equal(await get(2), 2, 'the newer one is kept');
  const old = get(1);
  await finish();
  assert.equal(await old, 3, 'an older state is made anew');
  assert.equal(await get(2), 2, 'and does not take the place of the newer one');
});

test('the value of an unknown generation is not cached', async () => {
  const { get, finish } = startedByHand();
  for (const expected of [1, 2]) {
    const asked = get(Number.NaN);
    await finish();
    assert.equal(await asked, expected);
  }
});

test('the value of an unknown or older generation does not evict the shared one', async () => {
  const { get, finish, pending } = startedByHand();
  const known = get(2);
  const strangers = [get(Number.NaN), get(1)];
  const shared = get(2);
  assert.equal(pending.length, 3, 'the second who asks for 2 waits for what is being made');
  for (let count = 0; count < 3; count++) await finish();
  assert.deepEqual(await Promise.all([known, shared, ...strangers]), [1, 1, 2, 3]);
  const unknown = get(Number.NaN);
  await finish();
  assert.equal(await unknown, 4);
  assert.equal(await get(2), 1, 'what was kept is still there');
});

test('a failure goes to those who waited for it, and the next request tries again', async () => {
  const { get, finish } = startedByHand();
  const failing = [get(1), get(1)].map((asked) => assert.rejects(asked, /lost/));
  await finish(new Error('lost'));
  await Promise.all(failing);
  const good = get(1);
  await finish();
  assert.equal(await good, 1);
});
