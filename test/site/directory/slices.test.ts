// Slices of all long work take turns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slices } from '../../../src/site/directory/slices.ts';

test('one slice runs in a turn of the event loop, however many wait', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  count();
  const resumed = await Promise.all(
    Array.from({ length: 20 }, async () => {
      await new Slices().pause();
      return turn;
    }),
  );
  isOver = true;
  assert.equal(new Set(resumed).size, resumed.length);
});
