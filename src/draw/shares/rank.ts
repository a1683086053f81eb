/** Ranks shares, the largest first, and gathers the small ones. */
import { formatExact } from '../format.ts';
import { type Share, sumOf } from './share.ts';

/** A share with its part of the whole. */
interface RankedShare<Entry extends Share = Share> {
  readonly entry: Entry;
  /** The part of the whole, 0 … 1; 0 for a negative value. */
  readonly part: number;
  readonly isHidden?: boolean;
}

/** Gathered shares, and their sum. */
interface Gathered<Entry extends Share> {
  /** `Other (3)`; the name of the share if a filter leaves one of them. */
  readonly name: string;
  readonly count: number;
  readonly rest: ReadonlyArray<RankedShare<Entry>>;
  readonly value: number;
  readonly part: number;
  readonly isHidden?: boolean;
}

/** Ranked shares as they are drawn. */
export interface Ranking<Entry extends Share = Share> {
  readonly shares: ReadonlyArray<RankedShare<Entry>>;
  readonly other: Gathered<Entry> | undefined;
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
  const total = sumOf(sorted.map(({ value }) => Math.max(0, value)));
  return sorted.map((entry) => ({ entry, part: total === 0 ? 0 : Math.max(0, entry.value) / total }));
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
 * Hides shares: they keep their places and colours, and the parts of the others add up to the whole. Of gathered shares, those that are shown are
 * left. If nothing would be left, all are shown.
 */
export function hideShares<Entry extends Share>(
  ranking: Ranking<Entry>,
  isShown: (name: string | undefined) => boolean = () => true,
): Ranking<Entry> {
  const { shares, other } = ranking;
  const isLeft = ({ entry }: RankedShare<Entry>) => isShown(entry.name);
  const all = [...shares, ...(other?.rest ?? [])];
  const left = all.filter(isLeft);
  if (left.length === all.length) return ranking;
  const shown = sumOf(left.map(({ part }) => part));
  if (shown <= 0) return { ...ranking, isFilterIgnored: true };
  const ofShown = <Shown extends { readonly part: number }>(share: Shown) => ({
    ...share,
    part: share.part / shown,
  });
  const hidden = { part: 0, isHidden: true };
  const rest = other?.rest.filter(isLeft) ?? [];
  return {
    shares: shares.map((share) => (isLeft(share) ? ofShown(share) : { ...share, ...hidden })),
    other: rest.length === 0 ? other && { ...other, ...hidden } : ofShown(gatheredOf(rest)),
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
  return { shares: ranked.slice(0, start), other: rest.length > 0 ? gatheredOf(rest) : undefined };
}

function gatheredOf<Entry extends Share>(rest: ReadonlyArray<RankedShare<Entry>>): Gathered<Entry> {
  const [first, ...others] = rest;
  return {
    name:
      first !== undefined && others.length === 0 ? first.entry.name : `Other (${formatExact(rest.length)})`,
    count: rest.length,
    rest,
    value: sumOf(rest.map(({ entry }) => entry.value)),
    part: sumOf(rest.map(({ part }) => part)),
  };
}
