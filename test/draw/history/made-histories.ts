// Generated histories: drifting counts, and anything that a store can hold.
import {
  type HistoryShare,
  type HistoryToDraw,
  maxHistoryShares,
} from '../../../src/draw/history/history-to-draw.ts';
import { timeStep } from '../../../src/draw/time-step.ts';
import { type DataWindow, maxTimestamp } from '../../../src/model/window.ts';
import { fc } from '../../support/seed.ts';
import { anyName } from '../line/made-lines.ts';

/** An hour in milliseconds. */
const hourMs = 3_600_000;

interface MadeHistory {
  /** Each hour from 0 on unless given. */
  readonly hours?: readonly number[];
  readonly shares: Readonly<Record<string, readonly number[]>>;
  readonly other?: readonly number[];
}

/** A history of some hours with the given values. */
export function madeHistory({ hours, shares, other }: MadeHistory): HistoryToDraw {
  const named = Object.entries(shares).map(([name, values], colour) => ({
    name,
    colour,
    ...shareOf(values),
  }));
  const times = Float64Array.from(hours ?? named[0]?.values.keys() ?? [], (hour) => hour * hourMs);
  return {
    title: 'Server Software',
    pluginName: 'X',
    isDefault: true,
    window: windowOf(times),
    newest: times.at(-1) ?? 0,
    times,
    step: timeStep('1h'),
    shares: named,
    other: other && { ...shareOf(other), shareCount: 7 },
  };
}

/** A month of hours with this number of shares, whose counts drift, and others. */
export function driftingHistory(shareCount: number): HistoryToDraw {
  const counts = (rank: number) =>
    Array.from({ length: 240 }, (_, hour) =>
      Math.round(
        (600 / (rank + 1)) * (1.2 + 0.2 * Math.sin(hour / 4 + rank) + ((rank % 3) - 1) * (hour / 600)),
      ),
    );
  const names = Array.from({ length: shareCount }, (_, rank) => `Software ${rank}`);
  const history = madeHistory({
    hours: Array.from({ length: 240 }, (_, index) => 494_000 + 3 * index),
    shares: Object.fromEntries(names.map((name, rank) => [name, counts(rank)])),
    other: counts(20),
  });
  return { ...history, step: timeStep('6h') };
}

function windowOf(times: Float64Array): DataWindow {
  return { from: times[0] ?? 0, to: (times.at(-1) ?? 0) + 1 };
}

function shareOf(values: readonly number[]): Omit<HistoryShare, 'name' | 'colour'> {
  return { values: Float64Array.from(values), last: values.at(-1) ?? 0 };
}

const time = fc.oneof(
  { weight: 3, arbitrary: fc.nat(40).map((hour) => hour * hourMs) },
  fc.integer({ min: 0, max: maxTimestamp }),
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.nat(100) },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -1, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
);

/** Any history that a store can hold, as it is loaded for a picture: at least one time. */
export const anyHistory: fc.Arbitrary<HistoryToDraw> = fc
  .record({
    times: fc.uniqueArray(time, { minLength: 1, maxLength: 30 }),
    names: fc.array(anyName, { maxLength: maxHistoryShares }),
    hasOther: fc.boolean(),
    title: anyName,
  })
  .chain(({ times, names, hasOther, title }) => {
    const column = fc.array(value, { minLength: times.length, maxLength: times.length });
    const ascending = Float64Array.from(times).sort();
    return fc.tuple(fc.array(column, { minLength: names.length, maxLength: names.length }), column).map(
      ([columns, others]): HistoryToDraw => ({
        title,
        window: windowOf(ascending),
        newest: ascending.at(-1) ?? 0,
        times: ascending,
        step: timeStep('1h'),
        shares: names.map((name, rank) => ({ name, colour: rank, ...shareOf(columns[rank] ?? []) })),
        other: hasOther ? { ...shareOf(others), shareCount: 3 } : undefined,
      }),
    );
  });
