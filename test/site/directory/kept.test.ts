// What is made once and kept until the store changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Kept } from '../../../src/site/directory/kept.ts';

/** Makes numbers, each when it is told to; the generation is set by hand. */
function startedByHand() {
  const state = { generation: 1, running: 0, mostRunning: 0, made: 0 };
  const pending: PromiseWithResolvers<void>[] = [];
  const kept = new Kept({
    generation: () => state.generation,
    make: async () => {
      state.mostRunning = Math.max(state.mostRunning, ++state.running);
      const gate = Promise.withResolvers<void>();
      pending.push(gate);
      try {
        await gate.promise;
        return ++state.made;
      } finally {
        state.running--;
      }
    },
  });
  /** Ends the one that is being made. */
  const finish = async (error?: Error) => {
    const gate = pending.shift();
    assert.ok(gate !== undefined, 'nothing is being made');
    if (error === undefined) gate.resolve();
    else gate.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { state, kept, finish, pending };
}

test('all who ask for one generation share what is made', async () => {
  const { kept, finish, pending } = startedByHand();
  const asked = [kept.get(), kept.get()];
  await finish();
  assert.deepEqual(await Promise.all([...asked, kept.get()]), [1, 1, 1]);
  assert.equal(pending.length, 0);
});

test('who asks behind a change waits for a value that is made behind it, one at a time', async () => {
  const { state, kept, finish, pending } = startedByHand();
  const before = kept.get();
  state.generation = 2;
  const behind = [kept.get(), kept.get()];
  state.generation = 3;
  const last = kept.get();
  await finish();
  assert.equal(await before, 1);
  assert.equal(pending.length, 1);
  const later = kept.get();
  await finish();
  assert.deepEqual(await Promise.all([...behind, last, later]), [2, 2, 2, 2]);
  assert.equal(await kept.get(), 2);
  assert.equal(state.mostRunning, 1);
});

test('a failure is for those who waited for it, and the next one tries again', async () => {
  const { state, kept, finish } = startedByHand();
  const failing = assert.rejects(kept.get(), /lost/);
  state.generation = 2;
  const behind = kept.get();
  await finish(new Error('lost'));
  await failing;
  const again = assert.rejects(behind, /lost again/);
  await finish(new Error('lost again'));
  await again;
  const good = kept.get();
  await finish();
  assert.equal(await good, 1);
});
