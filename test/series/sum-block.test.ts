// Sums of a line as blocks: exact, for ranges that begin on Mondays, and refused where a byte is wrong.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pointsOf, slicePoints } from '../../src/model/points.ts';
import { withChecksum } from '../../src/series/checksum.ts';
import { stepAt } from '../../src/series/steps.ts';
import { decodeSums, encodeSums, readBlockSums, sumRangeAt, sumRangeMs } from '../../src/series/sum-block.ts';
import { sumRange } from '../../src/series/sum-range.ts';
import { type Entry, expectedEntries } from '../support/points.ts';
import { fc } from '../support/seed.ts';

const dayMs = 24 * 60 * 60 * 1000;
const weekMs = 7 * dayMs;
const start = sumRangeAt(70, Date.UTC(2026, 0, 1));

const inRange = fc.nat(sumRangeMs - 1).map((offset) => start + offset);
const entries = fc
  .array(fc.tuple(inRange, fc.oneof(fc.nat(50), fc.integer())), { minLength: 1, maxLength: 300 })
  .map((some) => expectedEntries(some));

/** Sums up entries by step in the plainest way: beginning, count, sum, lowest, highest. */
function summedUp(some: readonly Entry[], step: number): number[][] {
  const bySteps = Map.groupBy(some, ([time]) => stepAt(time, step));
  return Array.from(bySteps, ([begin, points]) => {
    const values = points.map(([, value]) => value);
    const sum = values.reduce((total, value) => total + value, 0);
    return [begin, values.length, sum, Math.min(...values), Math.max(...values)];
  });
}

function blockOf(some: readonly Entry[]) {
  const sums = sumRange(start, [pointsOf(some)]);
  assert.ok(sums !== undefined);
  return encodeSums(sums);
}

describe('blocks of sums', () => {
  test('read back by day and by week, however the runs are cut', () => {
    fc.assert(
      fc.property(entries, fc.nat(300), inRange, inRange, (some, cut, one, other) => {
        const points = pointsOf([[start - 1, 5], ...some, [start + sumRangeMs, 5]]);
        const sums = sumRange(start, [slicePoints(points, 0, cut), slicePoints(points, cut)]);
        assert.ok(sums !== undefined);
        const block = encodeSums(sums);
        assert.deepEqual(decodeSums(block), sums);
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const isInside = ([begin = 0]: readonly number[]) => begin >= from && begin < to;
        const days = readBlockSums(block, 'day', { from: from, to: to });
        const weeks = readBlockSums(block, 'week', { from: from, to: to });
        assert.deepEqual(
          Array.from(days.times, (day, index) => [day, days.counts[index], days.sums[index]]),
          summedUp(some, dayMs)
            .filter(isInside)
            .map((day) => day.slice(0, 3)),
        );
        assert.deepEqual(
          Array.from(weeks.times, (week, index) => [
            ...[week, weeks.counts[index], weeks.sums[index]],
            ...[weeks.extremes?.lowest[index], weeks.extremes?.highest[index]],
          ]),
          summedUp(some, weekMs).filter(isInside),
        );
      }),
    );
  });

  test('are of ranges that begin on Mondays, another week for each chart', () => {
    const begins = Array.from({ length: 60 }, (_, uid) => sumRangeAt(uid, Date.UTC(2026, 0, 1)));
    assert.equal(new Set(begins).size, 52);
    for (const [uid, begin] of begins.entries()) {
      assert.equal(begin, stepAt(begin, weekMs));
      assert.ok(begin <= Date.UTC(2026, 0, 1) && Date.UTC(2026, 0, 1) < begin + sumRangeMs);
      assert.equal(sumRangeAt(uid, begin - 1), begin - sumRangeMs);
      assert.equal(sumRangeAt(uid, begin + sumRangeMs - 1), begin);
    }
    assert.ok(sumRangeAt(2 ** 53 - 1, 0) <= 0);
  });

  test('are not made of numbers whose sums depend on the order', () => {
    const sumsOf = (...values: number[]) =>
      sumRange(start, [pointsOf(values.map((value, index) => [start + index, value]))]);
    assert.equal(sumsOf(1, 0.5), undefined);
    assert.equal(sumsOf(2 ** 53, 1), undefined);
    assert.equal(sumsOf(-(2 ** 52), 2 ** 52), undefined);
    assert.deepEqual([...(sumsOf(2 ** 51, 1)?.sums ?? [])], [2 ** 51 + 1]);
    assert.deepEqual([...(sumRange(start, [])?.days ?? [1])], []);
  });

  test('are refused where a byte is wrong, also with a right checksum', () => {
    const block = blockOf(
      Array.from({ length: 400 }, (_, index): Entry => [start + index * 8e7, index % 17]),
    );
    const length = block.bytes.length - 4;
    for (let at = 0; at < length; at++) {
      const bytes = new Uint8Array(block.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      assert.throws(() => decodeSums({ ...block, bytes }), /the sums from \d+ on are damaged: its checksum/);
      assert.throws(() => readBlockSums({ ...block, bytes }, 'day', { from: 0, to: 9e15 }), {
        code: 'unavailable',
      });
      const forged = { ...block, bytes: withChecksum(bytes, length, start) };
      // Other sums may be as good; anything else is an error that says so.
      try {
        decodeSums(forged);
      } catch (error) {
        assert.match(String(error), /the sums from \d+ on are damaged/);
      }
    }
    for (const length of [0, 1, 4, 5, 20])
      assert.throws(() => decodeSums({ ...block, bytes: block.bytes.slice(0, length) }), {
        code: 'unavailable',
      });
  });
});
