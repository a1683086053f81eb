// Repeatable random numbers: the same seed gives the same numbers on every engine, so archives can be
// compared by their bytes.

/** A stream of pseudo-random numbers that depends only on its seed. */
export interface Random {
  /** A number in [0, 1). */
  readonly next: () => number;
  /** A whole number in [0, `bound`). */
  readonly below: (bound: number) => number;
  /** A number around 0 with standard deviation 1, never beyond ±4.25. */
  readonly bell: () => number;
}

/**
 * Makes the stream of a seed. Every line and every pie has its own, so that adding a chart changes no other.
 */
export function createRandom(seed: string): Random {
  // FNV-1a over UTF-16 code units.
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  }

  // Mulberry32: integer steps only, which no engine rounds differently.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };

  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    // Engines may round a logarithm or a cosine differently. The sum of six uniforms has a variance of one
    // half.
    bell: () => (next() + next() + next() + next() + next() + next() - 3) * Math.SQRT2,
  };
}

/** Shuffles the items in an order that depends only on the seed. */
export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = createRandom(`shuffled ${seed}`);
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
