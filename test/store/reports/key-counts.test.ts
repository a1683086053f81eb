// Counts by keys of 64 bits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyCounts } from '../../../src/store/reports/key-counts.ts';
import { fc } from '../../support/seed.ts';

test('counts are those of a map, also for keys that share a half', () => {
  const half = fc.oneof(fc.nat(3), fc.nat(2 ** 32 - 1), fc.constant(2 ** 32 - 1));
  fc.assert(
    fc.property(fc.array(fc.tuple(half, half), { maxLength: 3000 }), (keys) => {
      const counts = new KeyCounts();
      const expected = new Map<string, number>();
      for (const [low, high] of keys) {
        const key = `${low} ${high}`;
        assert.equal(counts.get(low, high), expected.get(key) ?? 0);
        counts.add(low, high);
        expected.set(key, (expected.get(key) ?? 0) + 1);
      }
      for (const [low, high] of keys) assert.equal(counts.get(low, high), expected.get(`${low} ${high}`));
    }),
  );
});

test('a hundred thousand keys are all there', () => {
  const counts = new KeyCounts();
  const lowOf = (index: number) => Math.imul(index, 0x9e3779b1) >>> 0;
  for (let index = 0; index < 100_000; index++) counts.add(lowOf(index), index);
  for (let index = 0; index < 100_000; index++) assert.equal(counts.get(lowOf(index), index), 1);
  assert.equal(counts.get(lowOf(1), 2), 0);
});
