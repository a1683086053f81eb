// Repeatable chance: the same seed gives the same numbers on every engine, so the archive can be compared byte by byte.

/** A stream of pseudo-random numbers that depends on its seed alone. */
export interface Random {
  /** A number in [0, 1). */
  readonly next: () => number;
  /** A whole number in [0, `bound`). */
  readonly below: (bound: number) => number;
  /** A number around 0 with standard deviation 1, never beyond ±4.25. */
  readonly bell: () => number;
}

/**
 * Makes the stream that belongs to `seed`. Every line and every pie takes a seed of its own, so that adding a
 * chart leaves the numbers of all others as they are.
 */
export function createRandom(seed: string): Random {
  let state = hash(seed);

  // Mulberry32: integer steps only, hence nothing that engines could round differently.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };

  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    // A sum of uniforms instead of a logarithm and a cosine, which engines need not round alike. Six uniforms
    // have a variance of one half.
    bell: () => (next() + next() + next() + next() + next() + next() - 3) * Math.SQRT2,
  };
}

/** FNV-1a over UTF-16 code units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}
