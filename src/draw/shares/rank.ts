/** Ranks shares, the largest first, and gathers the small ones. */
import { type Share, sumOf } from './share.ts';

/** A share with its part of the whole. */
interface RankedShare<Entry extends Share = Share> {
  readonly entry: Entry;
  /** The part of the whole, 0 … 1; 0 for a negative value. */
  readonly part: number;
  readonly isHidden?: boolean;
}

/** Gathered shares: their number and their sum. */
interface Gathered {
  readonly count: number;
  readonly value: number;
  readonly part: number;
  readonly isHidden?: boolean;
}

/** Ranked shares as they are drawn. */
export interface Ranking<Entry extends Share = Share> {
  readonly shares: ReadonlyArray<RankedShare<Entry>>;
  readonly other: Gathered | undefined;
  /** True if all would be hidden, so that all are shown. */
  readonly isFilterIgnored?: boolean;
}

/** The note in a title where all shares would be hidden. */
export const filterIgnoredWords = ' (all would be hidden, so all are shown)';

/** The shares that are shown; all of them if nothing would be left. */
export function shownOf<Entry extends Share>(
  entries: readonly Entry[],
  isShown: (name: string | undefined) => boolean = () => true,
): readonly Entry[] {
  const shown = entries.filter(({ name }) => isShown(name));
  return shown.some(({ value }) => value > 0) ? shown : entries;
}

/** All shares, the largest first; equal ones stay in the order of the data. */
export function rankShares<Entry extends Share>(entries: readonly Entry[]): RankedShare<Entry>[] {
  const sorted = entries.toSorted((a, b) => b.value - a.value);
  // Divided by the largest first, because a sum of huge values overflows.
  const largest = sorted[0]?.value ?? 0;
  const weights = sorted.map(({ value }) => (value > 0 ? value / largest : 0));
  const total = sumOf(weights);
  return sorted.map((entry, rank) => ({ entry, part: total === 0 ? 0 : (weights[rank] ?? 0) / total }));
}

/** Slices beyond {@link alwaysShown} are gathered below this part of the whole. */
const smallPart = 0.005;
const alwaysShown = 20;

/** Gathers the small slices of a pie, and more if the rows have no room. A single slice is not gathered. */
export function gatherSlices<Entry extends Share>(
  ranked: ReadonlyArray<RankedShare<Entry>>,
  rowLimit = Number.POSITIVE_INFINITY,
): Ranking<Entry> {
  const small = ranked.findIndex(({ part }, rank) => rank >= alwaysShown && part < smallPart);
  const shown = small === -1 || small === ranked.length - 1 ? ranked.length : small;
  const rowCount = shown < ranked.length ? shown + 1 : shown;
  return gatherFrom(ranked, rowCount > rowLimit ? rowLimit - 1 : shown);
}

/**
 * Hides shares: they keep their places and colours, and the parts of the others add up to the whole. If nothing would be left, all are shown.
 */
export function hideShares<Entry extends Share>(
  ranking: Ranking<Entry>,
  isShown: (name: string | undefined) => boolean = () => true,
): Ranking<Entry> {
  const { shares, other } = ranking;
  const isHidden = [
    ...shares.map(({ entry }) => !isShown(entry.name)),
    other !== undefined && !isShown(undefined),
  ];
  const shown = sumOf(
    [...shares, ...(other === undefined ? [] : [other])].map(({ part }, rank) => (isHidden[rank] ? 0 : part)),
  );
  if (!isHidden.includes(true)) return ranking;
  if (shown <= 0) return { ...ranking, isFilterIgnored: true };
  const partOf = (part: number, rank: number) =>
    isHidden[rank] === true ? { part: 0, isHidden: true } : { part: part / shown };
  return {
    shares: shares.map((share, rank) => ({ ...share, ...partOf(share.part, rank) })),
    other: other && { ...other, ...partOf(other.part, shares.length) },
  };
}

/** Gathers the rows that have no room. */
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
