/** Ranks shares: the largest first, with its part of the whole; the small ones behind gathered as one. */
import { type Share, sumOf } from './share.ts';

/** A share among the others. */
export interface RankedShare<Entry extends Share = Share> {
  readonly entry: Entry;
  /** The part of the whole, 0 … 1. What is negative has no part of it. */
  readonly part: number;
}

/** What was gathered: how many, and what they add up to. */
export interface Gathered {
  readonly count: number;
  readonly value: number;
  readonly part: number;
}

/** Ranked shares as they are drawn. */
export interface Ranking<Entry extends Share = Share> {
  readonly shares: ReadonlyArray<RankedShare<Entry>>;
  readonly other: Gathered | undefined;
}

/** All shares, the largest first; those of one size stay in the order of the data. */
export function rankShares<Entry extends Share>(entries: readonly Entry[]): RankedShare<Entry>[] {
  const sorted = entries.toSorted((a, b) => b.value - a.value);
  // Divided by the largest first: a sum of huge values is no number any more.
  const largest = sorted[0]?.value ?? 0;
  const weights = sorted.map(({ value }) => (value > 0 ? value / largest : 0));
  const total = sumOf(weights);
  return sorted.map((entry, rank) => ({ entry, part: total === 0 ? 0 : (weights[rank] ?? 0) / total }));
}

/** Below this part of the whole a slice beyond {@link alwaysShown} is not worth a colour. */
const smallPart = 0.005;
const alwaysShown = 20;

/** Gathers small slices of a pie, and more where there is no room for so many rows. One alone is not gathered. */
export function gatherSlices<Entry extends Share>(
  ranked: ReadonlyArray<RankedShare<Entry>>,
  rowLimit = Number.POSITIVE_INFINITY,
): Ranking<Entry> {
  const small = ranked.findIndex(({ part }, rank) => rank >= alwaysShown && part < smallPart);
  const shown = small === -1 || small === ranked.length - 1 ? ranked.length : small;
  const rowCount = shown < ranked.length ? shown + 1 : shown;
  return gatherFrom(ranked, rowCount > rowLimit ? rowLimit - 1 : shown);
}

/** Gathers the rows for which there is no room. */
export function gatherRows<Entry extends Share>(
  ranked: ReadonlyArray<RankedShare<Entry>>,
  rowLimit: number,
): Ranking<Entry> {
  return gatherFrom(ranked, ranked.length > rowLimit ? rowLimit - 1 : ranked.length);
}

function gatherFrom<Entry extends Share>(
  ranked: ReadonlyArray<RankedShare<Entry>>,
  start: number,
): Ranking<Entry> {
  const rest = ranked.slice(start);
  const other = {
    count: rest.length,
    value: sumOf(rest.map(({ entry }) => entry.value)),
    part: sumOf(rest.map(({ part }) => part)),
  };
  return { shares: ranked.slice(0, start), other: rest.length > 0 ? other : undefined };
}
