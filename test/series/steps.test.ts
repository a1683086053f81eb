// Steps of a window, compared with plain sums over plain lists.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mergeHistories } from '../../src/model/merge-histories.ts';
import { pointsOf } from '../../src/model/points.ts';
import { historyAt, type ShareName } from '../../src/model/share-history.ts';
import { stepStart } from '../../src/model/window.ts';
import { outerShares, ShareSteps, ShareSums } from '../../src/series/share-steps.ts';
import { type Aggregate, StepTimes, StepValues, type Window } from '../../src/series/steps.ts';
import { fc } from '../support/seed.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const time = fc.oneof(
  fc.nat(30 * dayMs),
  fc.nat(60).map((hour) => hour * hourMs),
  fc.nat(8.64e15),
);
const value = fc.oneof(
  fc.nat(20),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
);
const window = fc
  .record({
    from: time,
    length: fc.oneof(fc.nat(40 * dayMs), fc.constant(8.64e15)),
    step: fc.constantFrom(null, hourMs / 2, hourMs, 6 * hourMs, dayMs, 7 * dayMs),
    aggregate: fc.constantFrom<Aggregate>('mean', 'min', 'max', 'last', 'count'),
  })
  .map(({ from, length, ...others }): Window => ({ from, to: from + length, ...others }));

/** Aggregates values by step, in the plainest way. */
function expectedSteps(
  entries: readonly (readonly [number, number])[],
  { from, to, step, aggregate }: Window,
): [number, number][] {
  const inside = entries.filter(([at]) => at >= from && at < to);
  const steps = new Map<number, number[]>();
  for (const [at, number] of inside) {
    const begin = step === null ? at : stepStart(at, step);
    steps.set(begin, [...(steps.get(begin) ?? []), number]);
  }
  return Array.from(steps, ([begin, values]) => {
    const sum = values.reduce((total, number) => total + number, 0);
    const results = {
      mean: sum / values.length,
      min: Math.min(...values),
      max: Math.max(...values),
      last: values.at(-1) ?? 0,
      count: values.length,
    };
    return [begin, results[aggregate] + 0];
  });
}

const entriesOf = (times: Float64Array, values: Float64Array): [number, number][] =>
  Array.from(times, (at, index) => [at, (values[index] ?? Number.NaN) + 0]);

describe('steps of a line', () => {
  test('are those of the values in the window, however the runs are cut', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(time, value), { selector: ([at]) => at, maxLength: 60 }),
        window,
        fc.nat(60),
        (unsorted, asked, cut) => {
          const entries = unsorted.toSorted(([a], [b]) => a - b);
          const [found, column] = [new StepTimes(asked), new StepValues(asked)];
          for (const part of [entries.slice(0, cut), entries.slice(cut)]) {
            const { timestamps, values } = pointsOf(part);
            column.add(found.add(timestamps), values);
          }
          const values = column.finish(found);
          assert.deepEqual(entriesOf(found.times.take(), values), expectedSteps(entries, asked));
        },
      ),
    );
  });

  test('begin at midnight UTC, and weeks on Monday', () => {
    const at = (text: string, step: number) => new Date(stepStart(Date.parse(text), step)).toISOString();
    assert.equal(at('2026-11-22T17:00:00Z', dayMs), '2026-11-22T00:00:00.000Z');
    assert.equal(at('2026-11-22T23:59:59Z', 7 * dayMs), '2026-11-16T00:00:00.000Z');
    assert.equal(at('2026-11-23T00:00:00Z', 7 * dayMs), '2026-11-23T00:00:00.000Z');
    assert.equal(at('1970-01-01T00:00:00Z', 7 * dayMs), '1969-12-29T00:00:00.000Z');
    assert.equal(at('2026-11-22T17:45:00Z', 6 * hourMs), '2026-11-22T12:00:00.000Z');
  });
});

describe('steps of shares', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const moment = fc.tuple(time, fc.array(fc.nat(30), { minLength: names.length, maxLength: names.length }));

  test('are those of each share, the largest first, with the sum of the others', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(moment, { selector: ([at]) => at, maxLength: 40 }),
        window,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 10 }),
        (unsorted, asked, top, maxTimes) => {
          const moments = unsorted.toSorted(([a], [b]) => a - b);
          const histories = moments.map(([at, values]) =>
            historyAt(
              at,
              values.map((number, rank) => [{ group: null, name: names[rank] ?? '' }, number]),
            ),
          );
          const parts = [
            ...mergeHistories(histories, {
              maxTimes,
              maxShares: 10,
              maxCells: 1000,
            }),
          ];
          const sums = new ShareSums(asked);
          for (const part of parts) sums.add(part);
          const largest = sums.finish(top);
          const inside = moments.filter(([at]) => at >= asked.from && at < asked.to);
          const totals = names
            .map((name, rank) => ({
              name,
              rank,
              sum: inside.reduce((sum, [, values]) => sum + (values[rank] ?? 0), 0),
            }))
            .filter(({ sum }) => sum > 0)
            .sort((a, b) => b.sum - a.sum || (a.name < b.name ? -1 : 1));
          assert.deepEqual(
            largest.shares.map(({ name }) => name),
            totals.slice(0, top).map(({ name }) => name),
          );
          assert.equal(largest.otherCount, Math.max(0, totals.length - top));
          const steps = new ShareSteps(asked, largest);
          for (const part of parts) steps.add(part);
          const { times, series } = steps.finish();
          const rests = totals.slice(top).map(({ rank }) => rank);
          for (const [index, { name, isOther, values }] of series.entries()) {
            const rank = totals[index]?.rank ?? -1;
            const entries = moments.map(
              ([at, given]) =>
                [
                  at,
                  isOther === true
                    ? rests.reduce((sum, one) => sum + (given[one] ?? 0), 0)
                    : (given[rank] ?? 0),
                ] as const,
            );
            assert.deepEqual(entriesOf(times, values), expectedSteps(entries, asked), name);
          }
          assert.deepEqual(
            series.flatMap(({ isOther, otherCount }) => (isOther === true ? otherCount : [])),
            largest.otherCount > 0 ? [largest.otherCount] : [],
          );
          assert.deepEqual(
            [...times],
            expectedSteps(
              moments.map(([at]) => [at, 0]),
              asked,
            ).map(([at]) => at),
          );
        },
      ),
    );
  });

  test('of a drilldown pie may be those of its outer shares', () => {
    const share = (group: string, name: string): ShareName => ({ group, name });
    const history = historyAt(0, [
      [share('Windows', '11'), 3],
      [share('Linux', 'Debian'), 2],
      [share('Windows', '10'), 1],
    ]);
    const { shares, columns } = outerShares(history);
    assert.deepEqual(
      shares.map(({ name }, rank) => [name, columns[rank]?.[0]]),
      [
        ['Linux', 2],
        ['Windows', 4],
      ],
    );
  });
});
