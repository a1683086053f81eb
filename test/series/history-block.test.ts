// Histories of shares as blocks: exact, compact, and refused where a byte is wrong.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mergeHistories } from '../../src/model/merge-histories.ts';
import {
  compareText,
  historyAt,
  orderHistory,
  type ShareHistory,
  type ShareName,
} from '../../src/model/share-history.ts';
import { pointCountOf } from '../../src/series/chunk.ts';
import { appendMoment, blockLimits, decodeBlock, encodeBlock } from '../../src/series/history-block.ts';
import { mergeIntoBlocks } from '../../src/series/merge-blocks.ts';
import { randomFrom } from '../support/points.ts';
import { fc } from '../support/seed.ts';

/** The content of a history: the shares that are not 0, by time. */
type Said = Map<number, Map<string, number>>;

function saidBy(histories: Iterable<ShareHistory>): Said {
  const said: Said = new Map();
  for (const { times, shares, columns } of histories) {
    for (const [index, time] of times.entries()) {
      const moment = shares.map(
        (share, rank) => [JSON.stringify(share), columns[rank]?.[index] ?? 0] as const,
      );
      said.set(time, new Map(moment.filter(([, value]) => value !== 0)));
    }
  }
  return new Map([...said].sort(([a], [b]) => a - b));
}

const value = fc.oneof(
  fc.nat(50),
  fc.constant(0),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const time = fc.oneof(fc.nat(3000), fc.integer({ min: 0, max: 8.64e15 }));

function histories(isGrouped: boolean) {
  const text = fc.oneof(
    fc.constantFrom('a', 'b', 'c', '', '__proto__', '1', '\0'),
    fc.string({ unit: 'binary' }),
  );
  const share = fc.tuple(isGrouped ? text : fc.constant(null), text);
  return fc
    .tuple(
      fc.uniqueArray(share, { maxLength: 6, selector: (one) => JSON.stringify(one) }),
      fc.array(time, { minLength: 1, maxLength: 12 }),
    )
    .chain(([shares, times]) =>
      fc
        .array(fc.array(value, { minLength: times.length, maxLength: times.length }), {
          minLength: shares.length,
          maxLength: shares.length,
        })
        .map(
          (columns): ShareHistory =>
            orderHistory({
              times: Float64Array.from(times),
              shares: shares.map(([group, name]) => ({ group, name })),
              columns: columns.map((column) => Float64Array.from(column)),
            }),
        ),
    );
}

const someHistories = fc
  .boolean()
  .chain((isGrouped) => fc.array(histories(isGrouped), { minLength: 1, maxLength: 5 }));

describe('blocks', () => {
  test('read back as what was encoded, whatever the names, times and values', () => {
    fc.assert(
      fc.property(someHistories, (parts) => {
        const blocks = Array.from(mergeHistories(parts, { ...blockLimits, maxTimes: 5 }), encodeBlock);
        assert.deepEqual(saidBy(blocks.map((block) => decodeBlock(block))), saidBy(parts));
      }),
      { numRuns: 50 },
    );
  });

  test('are the same however a history was divided', () => {
    fc.assert(
      fc.property(someHistories, fc.integer({ min: 1, max: 9 }), (parts, maxTimes) => {
        const limits = { maxTimes, maxShares: 4, maxCells: 12, maxNameLength: 9 };
        const once = [...mergeHistories(parts, limits)];
        assert.deepEqual([...mergeHistories([...mergeHistories(parts, blockLimits)], limits)], once);
        for (const { times, shares } of once) {
          const isWithin =
            times.length <= maxTimes && shares.length <= 4 && times.length * shares.length <= 12;
          assert.ok(times.length === 1 || isWithin);
        }
      }),
    );
  });

  test('have 0 for -0, however a history was divided', () => {
    const shares = [{ group: null, name: 'a' }];
    const parts = [
      historyAt(1, [[{ group: null, name: 'a' }, -0]]),
      { times: Float64Array.of(2, 3), shares, columns: [Float64Array.of(5, -0)] },
    ];
    const [whole] = mergeHistories(parts, blockLimits);
    assert.deepEqual(whole, {
      times: Float64Array.of(1, 2, 3),
      shares,
      columns: [Float64Array.of(0, 5, 0)],
    });
  });

  test('grow by single moments as if they had been encoded together', () => {
    fc.assert(
      fc.property(someHistories, (parts) => {
        const together = Array.from(mergeHistories(parts, blockLimits));
        const moments = together.flatMap((history) => [
          ...mergeHistories([history], { ...blockLimits, maxTimes: 1 }),
        ]);
        const [first, ...others] = moments;
        assert.ok(first !== undefined);
        let block = encodeBlock(first);
        for (const [index, moment] of others.entries()) {
          const extended = appendMoment(block, moment);
          const before = moments.slice(0, index + 1);
          const known = new Set(before.flatMap(({ shares }) => shares.map((share) => JSON.stringify(share))));
          const isNew = moment.shares.some((share) => !known.has(JSON.stringify(share)));
          assert.equal(extended === undefined, isNew, 'only a new share needs another way');
          const all = [...mergeHistories(moments.slice(0, index + 2), blockLimits)];
          block = extended ?? encodeBlock(all[0] ?? moment);
          assert.deepEqual(saidBy([decodeBlock(block)]), saidBy(all));
        }
      }),
    );
  });

  test('with any byte changed or cut are refused', () => {
    const shares: ShareName[] = [
      { group: 'Windows', name: 'Windows 11' },
      { group: 'Linux', name: 'Debian' },
    ];
    const moments = Array.from({ length: 40 }, (_, index) =>
      historyAt(
        1_700_000_000_000 + index * 3_600_000,
        shares.map((share, rank) => [share, 100 * rank + (index % 7)]),
      ),
    );
    const [history] = mergeHistories(moments, blockLimits);
    assert.ok(history !== undefined);
    const block = encodeBlock(history);
    assert.equal(pointCountOf(block), 40);
    for (let at = 0; at < block.bytes.length; at++) {
      const bytes = Uint8Array.from(block.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      assert.throws(() => decodeBlock({ ...block, bytes }), {
        code: 'unavailable',
        message: /^the history from 1700000000000 on is damaged: /,
      });
      const cut = { ...block, bytes: block.bytes.slice(0, at) };
      assert.throws(() => decodeBlock(cut), { code: 'unavailable' });
      assert.throws(() => appendMoment(cut, historyAt(9e15, [])), { code: 'unavailable' });
    }
  });
});

describe('merging into blocks', () => {
  test('keeps what both say, the later of two at the same time', () => {
    fc.assert(
      fc.property(
        fc.array(
          someHistories.map(([one]) => one),
          { minLength: 1, maxLength: 6 },
        ),
        (given) => {
          const isGrouped = given[0]?.shares[0]?.group !== null;
          const parts = given
            .filter((part) => part !== undefined)
            .filter(({ shares }) => shares.every(({ group }) => (group !== null) === isGrouped));
          let rows = new Map<number, Uint8Array>();
          const seen: ShareHistory[] = [];
          for (const part of parts) {
            seen.push(part);
            rows = applied(rows, part);
            const blocks = [...rows]
              .sort(([a], [b]) => a - b)
              .map(([firstTimestamp, bytes]) => decodeBlock({ firstTimestamp, bytes }));
            assert.deepEqual(saidBy(blocks), saidBy(seen));
            assert.ok(
              blocks.every(
                ({ times }, index) =>
                  (times.at(-1) ?? 0) < (blocks[index + 1]?.times[0] ?? Number.POSITIVE_INFINITY),
              ),
            );
          }
        },
      ),
    );
  });

  test('changes nothing when the blocks say so already', () => {
    const random = randomFrom(7);
    const history = hourly(2000, 5, random);
    const rows = applied(new Map(), history);
    const touched = [...rows].map(([firstTimestamp, bytes]) => ({ firstTimestamp, bytes }));
    assert.equal(touched.length, 4);
    assert.deepEqual(mergeIntoBlocks(touched, [history]), { removed: [], written: [] });
  });

  test('divides evenly when times are put between others', () => {
    const random = randomFrom(8);
    const rows = applied(new Map(), hourly(512, 3, random));
    const between = applied(rows, historyAt(1_700_000_000_000 + 1, [[{ group: null, name: 'share 1' }, 3]]));
    const counts = [...between].map(([firstTimestamp, bytes]) => pointCountOf({ firstTimestamp, bytes }));
    assert.deepEqual(counts.toSorted(), [256, 257]);
  });

  test('holds 12,000 names at one time, and other 12,000 at the next', () => {
    const names = (prefix: string) =>
      Array.from(
        { length: 12_000 },
        (_, index) => [{ group: null, name: `${prefix}${index}` }, index + 1] as const,
      );
    const rows = [historyAt(1, names('a')), historyAt(2, names('b')), historyAt(3, names('b'))].reduce(
      applied,
      new Map(),
    );
    assert.equal(rows.size, 2);
    const blocks = [...rows].map(([firstTimestamp, bytes]) => decodeBlock({ firstTimestamp, bytes }));
    assert.deepEqual(
      blocks.map(({ shares }) => shares.length),
      [12_000, 12_000],
    );
  });
});

test('a year of 30 shares by the hour takes at most 0.8 bytes a value', () => {
  const rows = applied(new Map(), hourly(8760, 30, randomFrom(3)));
  const sizeBytes = [...rows.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  assert.ok(sizeBytes / (8760 * 30) <= 0.8, `${sizeBytes / (8760 * 30)} bytes`);
});

test('texts are in the order of their bytes in UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      assert.equal(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

/** Counts that drift, each hour by a little. */
function hourly(timeCount: number, shareCount: number, random: () => number): ShareHistory {
  const columns = Array.from({ length: shareCount }, (_, rank) => {
    let count = 2000 / (rank + 1);
    return Float64Array.from({ length: timeCount }, () => {
      count = Math.max(0, count + (random() - 0.5) * Math.sqrt(count + 1));
      return Math.round(count);
    });
  });
  return {
    times: Float64Array.from({ length: timeCount }, (_, index) => 1_700_000_000_000 + index * 3_600_000),
    shares: columns.map((_, rank) => ({ group: null, name: `share ${rank}` })),
    columns,
  };
}

/** Rows after a merge, with the rows that it touches found as a store does. */
function applied(rows: ReadonlyMap<number, Uint8Array>, history: ShareHistory): Map<number, Uint8Array> {
  const starts = [...rows.keys()].toSorted((a, b) => a - b);
  const [first = 0, last = 0] = [history.times[0], history.times.at(-1)];
  const from = starts.findLast((start) => start <= first) ?? starts[0] ?? 0;
  const touched = starts
    .filter((start) => start >= from && start <= Math.max(from, last))
    .map((start) => ({ firstTimestamp: start, bytes: rows.get(start) ?? new Uint8Array() }));
  const { removed, written } = mergeIntoBlocks(touched, [history]);
  const after = new Map(rows);
  for (const start of removed) assert.ok(after.delete(start));
  for (const { firstTimestamp, bytes } of written) {
    after.set(firstTimestamp, bytes);
  }
  return after;
}
