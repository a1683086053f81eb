/** Repeatable random numbers: the same seed gives the same numbers on every machine. */

/** A stream of pseudo-random numbers that depends only on its seed. */
export interface Random {
  /** A number in [0, 1). */
  readonly next: () => number;
  /** A whole number in [0, `bound`). */
  readonly below: (bound: number) => number;
  /** A number around 0 with standard deviation 1. */
  readonly bell: () => number;
}

/** Makes the stream of a seed, which is a whole number. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);

  // Mulberry32: integer steps only, and fast enough for hundreds of millions of points.
  const word = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    next: () => word() / 0x1_0000_0000,
    below: (bound) => Math.floor((word() / 0x1_0000_0000) * bound),
    bell: () => bellSteps[word() & (bellSteps.length - 1)] ?? 0,
  };
}

/** Shuffles the items in an order that depends only on the seed. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  const keyed = items.map((item) => ({ item, key: random.next() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/** A normal distribution at 4096 equal steps of its probability, ascending: a lookup is far faster than a logarithm. */
const bellSteps = Float64Array.from({ length: 4096 }, (_, index) => {
  const share = (index + 0.5) / 4096;
  const tail = Math.min(share, 1 - share);
  // Abramowitz and Stegun 26.2.23, accurate to 5e-4.
  const t = Math.sqrt(-2 * Math.log(tail));
  const deviation =
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return share < 0.5 ? -deviation : deviation;
});
