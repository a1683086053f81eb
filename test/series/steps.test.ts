// Steps of a line in a window, compared with plain sums over plain lists.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pointsOf } from '../../src/model/points.ts';
import { stepStart } from '../../src/model/window.ts';
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
