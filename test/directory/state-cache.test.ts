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
  assert.equal(await get(2), 2, 'the one that was asked for last is kept');
  assert.equal(pending.length, 0);
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
