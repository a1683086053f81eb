/** Queries put together from pieces such as `theme=dark`. */
import type { Random } from '../sample/random.ts';

/** The pieces that say one thing, of which a query has at most one: those that are allowed, and those that are not. */
export interface Pieces {
  readonly good: readonly string[];
  readonly bad?: readonly string[];
}

/** One query for each piece, also for those that are not allowed; the first is empty. */
export function eachPiece(dimensions: readonly Pieces[]): readonly string[] {
  return ['', ...dimensions.flatMap(({ good, bad = [] }) => [...good, ...bad])];
}

/** Queries of several pieces; one in twelve has a piece that is not allowed. */
export function mixedPieces(random: Random, dimensions: readonly Pieces[], count: number): readonly string[] {
  return Array.from({ length: count }, () => {
    const isBad = random.below(12) === 0;
    const badAt = random.below(dimensions.length);
    const pieces = dimensions.flatMap(({ good, bad = [] }, index) => {
      if (isBad && index === badAt) return pick(random, bad);
      return random.next() < 0.45 ? pick(random, good) : [];
    });
    return shuffle(random, pieces).join('&');
  });
}

/** A path with a query, which may be empty. */
export function withQuery(path: string, ...queries: readonly string[]): string {
  const query = queries.filter((one) => one !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** One of the items; none of an empty list. */
export function pick<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  const index = random.below(items.length);
  return items.slice(index, index + 1);
}

function shuffle<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
