// The largest shares of a history, beside a plain model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Columns, compareShares, type ShareName, shareKey } from '../../src/model/columns.ts';
import { ShareSums } from '../../src/series/share-steps.ts';
import { fc } from '../support/seed.ts';

/** Finds the largest as the program does, and by sorting all. */
async function largestOf(
  parts: readonly Columns[],
  { from, to, top }: { from: number; to: number; top: number },
) {
  using sums = new ShareSums({ from, to });
  for (const part of parts) {
    await sums.makeRoom(part);
    sums.add(part);
  }
  for (const part of parts) sums.look(part, top);
  const found = new Map<string, { share: ShareName; sum: number }>();
  for (const { times, series } of parts)
    for (const { values, ...share } of series)
      for (const [at, time] of times.entries()) {
        const value = values[at] ?? 0;
        if (value === 0 || time < from || time >= to) continue;
        const known = found.get(shareKey(share));
        found.set(shareKey(share), { share, sum: (known?.sum ?? 0) + value });
      }
  const sorted = [...found.values()].sort((a, b) => b.sum - a.sum || compareShares(a.share, b.share));
  const shares = sorted.slice(0, top).map(({ share }) => share);
  return [sums.largest, { shares, otherCount: sorted.length - shares.length }];
}

const anyPart = (isGrouped: boolean, at: number) => {
  const name = fc.constantFrom('a', 'b', 'ab', '', '__proto__', '\ud83d\ude00', '\uffee');
  const share = fc
    .tuple(isGrouped ? name : fc.constant(null), name)
    .map(([group, one]) => ({ group, name: one }));
  const value = fc.constantFrom(0, 0, 1, 2, -1, 0.5);
  return fc
    .uniqueArray(fc.tuple(share, fc.tuple(value, value)), {
      selector: ([one]) => shareKey(one),
      maxLength: 9,
    })
    .map((columns) => ({
      times: Float64Array.of(2 * at, 2 * at + 1),
      series: columns.map(([one, values]) => ({ ...one, values: Float64Array.from(values) })),
    }));
};

test('the largest shares are found whatever their sums, ties and names', async () => {
  const parts = fc
    .boolean()
    .chain((isGrouped) => fc.tuple(...[0, 1, 2, 3].map((at) => anyPart(isGrouped, at))));
  await fc.assert(
    fc.asyncProperty(
      parts,
      fc.nat(8),
      fc.nat(8),
      fc.integer({ min: 1, max: 9 }),
      async (all, from, to, top) => {
        const [found, expected] = await largestOf(all, { from, to, top });
        assert.deepEqual(found, expected);
      },
    ),
  );
});

test('a hundred thousand names, most of them once, are told apart', async () => {
  const parts = Array.from({ length: 50 }, (_, at) => ({
    times: Float64Array.of(at),
    series: Array.from({ length: 2000 }, (_, rank) => ({
      group: null,
      name: `${(at * 1999 + rank) % 99_000}`,
      values: Float64Array.of(1 + (rank % 3)),
    })),
  }));
  const [found, expected] = await largestOf(parts, { from: 0, to: 50, top: 100 });
  assert.deepEqual(found, expected);
});
