/** Points of random lines, each of a shape that a store or a drawing could get wrong. */
import { type Point, slotMs } from './lines.ts';
import type { Random } from './random.ts';

/** A point with its value as it is written into the archive. */
export type OddPoint = Point<string>;

/** A day in milliseconds. */
export const dayMs = 86_400_000;

/** The end of nearly all random data: no clock that runs this is before it. */
export const newestTime = Date.UTC(2026, 5, 30, 23, 30);

/** Shapes by name. */
export const lineShapes: Readonly<Record<string, (random: Random) => readonly OddPoint[]>> = {
  month: (random) => walk(random, 1500),
  'longer than a year': (random) => walk(random, 20_000),
  'hours of three years': (random) => walk(random, 26_000, { stepMs: 2 * slotMs }),
  'days of eight years': (random) => walk(random, 2900, { stepMs: dayMs }),
  gaps: (random) => {
    const gapStart = random.below(2000);
    return walk(random, 4000).filter(
      (_, index) => random.next() > 0.2 && (index < gapStart || index > gapStart + 900),
    );
  },
  fractions: (random) =>
    walk(random, 2000, { write: (value) => (value / (1 + random.below(12))).toFixed(random.below(6)) }),
  negatives: (random) => walk(random, 2000, { write: (value) => String(value - 120) }),
  'huge values': (random) =>
    walk(random, 1600, { write: (value) => String(value * 10 ** random.below(300)) }),
  'tiny values': (random) =>
    walk(random, 1600, { write: (value) => String(value * 10 ** -random.below(300)) }),
  'whole numbers beyond 2^53': (random) =>
    walk(random, 800, { write: (value) => `${value + 1}00000000000000000${random.below(9)}` }),
  'numbers in any notation': (random) =>
    walk(random, 300, {
      write: (value) =>
        [`${value}.0`, `${value}e0`, `${value}.50`, `-0`, `0.${value}E+2`, `${value}E-3`][random.below(6)] ??
        '0',
    }),
  constant: (random) => walk(random, 3000, { write: () => '42' }),
  'constant but for one': (random) => {
    const at = random.below(1600);
    return walk(random, 1600).map(([time], index) => [time, index === at ? '7000000' : '7']);
  },
  zeros: (random) => walk(random, 1500, { write: () => '0' }),
  'one point': (random) => walk(random, 1),
  'two points': (random) => walk(random, 2),
  'odd times': (random) => {
    let time = newestTime - 40 * dayMs;
    return Array.from({ length: 1800 }, (): OddPoint => {
      time += 1 + random.below(3_600_000);
      return [time, String(random.below(500))];
    });
  },
  'the first times': (random) =>
    Array.from({ length: 50 }, (_, index): OddPoint => [index * index, String(random.below(9))]),
  'an end long ago': (random) => walk(random, 1400, { end: Date.UTC(2019, 1, 28, 12) }),
  'a week and a half with outliers': (random) =>
    walk(random, 520, { write: (value) => String(random.next() < 0.01 ? value * 1000 : value) }),
  'growth from nothing': (random) =>
    walk(random, 5000).map(([time, value], index) => [
      time,
      String(Math.floor((Number(value) * index) / 5000)),
    ]),
  'a gap before the end': (random) => {
    const points = walk(random, 18_000);
    return [...points.slice(0, -700), ...points.slice(-1)];
  },
  ones: (random) => walk(random, 500, { write: () => '1' }),
  'tiny changes of large values': (random) =>
    walk(random, 900, { write: (value) => String(123_456_789_012 + value / 1000) }),
  'changes of the clocks': (random) => walk(random, 400, { end: Date.UTC(2026, 3, 2) }),
};

interface Walk {
  readonly stepMs?: number;
  readonly end?: number;
  readonly write?: (value: number) => string;
}

/** A random walk around 100 that never gets below 0, as values of servers do. */
function walk(
  random: Random,
  count: number,
  { stepMs = slotMs, end = newestTime, write = String }: Walk = {},
): OddPoint[] {
  let value = 20 + random.below(200);
  return Array.from({ length: count }, (_, index): OddPoint => {
    value = Math.max(0, value + random.below(11) - 5);
    return [end - (count - 1 - index) * stepMs, write(value)];
  });
}
