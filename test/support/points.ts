/** Generated points for property tests, and a simple model of a line. */

import { type Columns, pointsOf, valuesOf } from '../../src/model/columns.ts';
import { maxTimestamp } from '../../src/model/window.ts';
import { fc } from './seed.ts';

/** A point in JSON. */
export type Entry = readonly [timestamp: number, value: number];

/**
 * Any value that JSON can represent: integers of all sizes, decimals, and doubles up to both ends of the
 * range.
 */
export const anyValue: fc.Arbitrary<number> = fc
  .oneof(
    fc.integer({ min: -20, max: 1000 }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc
      .tuple(fc.integer({ min: -1e7, max: 1e7 }), fc.constantFrom(10, 100, 1000, 10_000))
      .map(([n, d]) => n / d),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(2 ** 50, 2 ** 50 + 1, 2 ** 53, -(2 ** 53), 1e15, 1e16, 1e21, 5e-324, 1e308, -1e308, 0.1),
    fc.constantFrom(9999, 10_000, 99_999_999, 100_000_000, 999_999_999_999_999, 1_000_000_000_000_000),
  )
  .map((value) => value + 0); // -0 becomes 0, as when an archive is read

/** Any timestamp. */
export const anyTimestamp: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 50 }),
  fc.integer({ min: 0, max: 2000 }).map((slot) => 1_479_799_800_000 + slot * 1_800_000),
  fc.integer({ min: 0, max: maxTimestamp }),
  fc.constantFrom(0, maxTimestamp),
);

/** Points in any order; some timestamps repeat. */
export const anyEntries: fc.Arbitrary<Entry[]> = fc.array(fc.tuple(anyTimestamp, anyValue), {
  maxLength: 40,
});

const valueKinds = ['constant', 'steps', 'walk', 'decimals', 'doubles', 'huge', 'mixed'] as const;

/** The recipe for a run of up to some thousand points, short enough to print when a test fails. */
export interface Run {
  readonly slot: number;
  readonly count: number;
  readonly gapPermille: number;
  readonly jitterMs: number;
  readonly kind: (typeof valueKinds)[number];
  readonly base: number;
  readonly places: number;
  readonly seed: number;
}

/** Runs on the half-hourly grid, with gaps and jitter; the values of a run are of one kind. */
export const anyRun: fc.Arbitrary<Run> = fc.record({
  slot: fc.integer({ min: 0, max: 3000 }),
  count: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: 2, arbitrary: fc.integer({ min: 500, max: 1100 }) },
    { weight: 1, arbitrary: fc.integer({ min: 8100, max: 9000 }) },
  ),
  gapPermille: fc.constantFrom(0, 0, 3, 300),
  jitterMs: fc.constantFrom(0, 0, 0, 1000),
  kind: fc.constantFrom(...valueKinds),
  base: fc.oneof(fc.constantFrom(0, 1, 1000), fc.integer({ min: -1e6, max: 1e6 })),
  places: fc.integer({ min: 1, max: 4 }),
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
});

/** Makes the points of a batch in their given order. */
export function entriesIn(batch: Run | readonly Entry[]): readonly Entry[] {
  if (!('seed' in batch)) return batch;
  const random = randomFrom(batch.seed);
  const entries: Entry[] = [];
  let slot = batch.slot;
  let walked = batch.base;
  for (let index = 0; index < batch.count; index++) {
    slot += random() * 1000 < batch.gapPermille ? 2 + Math.floor(random() * 5) : 1;
    walked += Math.round((random() - 0.5) * 2 * Math.sqrt(Math.abs(batch.base) + 1));
    const timestamp = 1_479_799_800_000 + slot * 1_800_000 + Math.floor(random() * batch.jitterMs);
    entries.push([timestamp, valueFor(batch.kind, { ...batch, index, walked, random }) + 0]);
  }
  return entries;
}

function valueFor(
  kind: (typeof valueKinds)[number],
  of: {
    readonly base: number;
    readonly places: number;
    readonly index: number;
    readonly walked: number;
    readonly random: () => number;
  },
): number {
  switch (kind) {
    case 'constant':
      return of.base;
    case 'steps':
      return of.base + Math.floor(of.index / 600);
    case 'walk':
      return of.walked;
    case 'decimals':
      return Number((of.walked + of.random()).toFixed(of.places));
    case 'doubles':
      return of.random() * of.base + 0;
    case 'huge':
      return (of.random() - 0.5) * 10 ** Math.floor(of.random() * 308);
    case 'mixed': {
      const kinds = valueKinds.slice(0, -1);
      return valueFor(kinds[Math.floor(of.random() ** 8 * kinds.length)] ?? 'walk', of);
    }
  }
}

/** Makes a generator of numbers from 0 up to 1, which are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Merges entries as a line does: the last value of each timestamp, in ascending order. */
export function expectedEntries(...batches: ReadonlyArray<readonly Entry[]>): Entry[] {
  const byTime = new Map(batches.flat());
  return [...byTime].sort(([a], [b]) => a - b);
}

/** Converts columns to entries. */
export function entriesOf(points: Columns): Entry[] {
  return Array.from(points.times, (time, index): Entry => [time, valuesOf(points)[index] ?? Number.NaN]);
}

/** Converts entries to points in strictly ascending order of time. */
export function orderedPoints(entries: readonly Entry[]): Columns {
  return pointsOf(expectedEntries(entries));
}
