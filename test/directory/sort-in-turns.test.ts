// Sorting in turns gives the same result as sorting at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortInTurns } from '../../src/directory/sort-in-turns.ts';
import { fc } from '../support/seed.ts';

test('any number of items is sorted', async () => {
  const values = fc.array(fc.nat({ max: 50 }), { maxLength: 1200, size: 'max' });
  await fc.assert(
    fc.asyncProperty(values, async (keys) => {
      const compare = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b;
      const sorted = await sortInTurns(Uint32Array.from(keys.keys()), compare);
      assert.deepEqual([...sorted], [...keys.keys()].sort(compare));
    }),
    { numRuns: 50 },
  );
});

test('other work runs while many items are sorted', async () => {
  const items = Uint32Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 300_000);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const sorted = await sortInTurns(items, (a, b) => a - b);
  clearInterval(timer);
  assert.ok(sorted.every((item, index) => item === index));
  assert.ok(turns > 5, `${turns} turns`);
});
