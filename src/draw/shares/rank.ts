/** Ranks shares, the largest first, and gathers the small ones. */
import { formatExact } from '../format.ts';
import { type Share, sumOf } from './share.ts';

/** A share with its part of the whole. */
interface RankedShare<Entry extends Share = Share> {
  readonly entry: Entry;
  /** The part of what is shown, 0 … 1; 0 for a negative value, and for one that is hidden. */
  readonly part: number;
  readonly isHidden: boolean;
}

/** Gathered shares, and their sum. */
interface Gathered {
  /** `Other (3)`; the name of the share if a filter leaves one of them. */
  readonly name: string;
  readonly count: number;
  readonly value: number;
  readonly part: number;
  readonly isHidden: boolean;
}

/** Ranked shares as they are drawn. */
export interface Ranking<Entry extends Share = Share> {
  readonly shares: ReadonlyArray<RankedShare<Entry>>;
  readonly other: Gathered | undefined;
}

/** True for the name of a share that is shown; `undefined` is "Other". */
type NameTest = (name: string | undefined) => boolean;

const showsAll: NameTest = () => true;

/** The filter of a reader, and a note for the title if it would hide all that is above 0: then all are shown. */
export function shareFilter(
  shares: readonly { readonly name?: string; readonly value: number }[],
  isShown: NameTest = showsAll,
): { readonly isShown: NameTest; readonly note: string } {
  const counted = shares.filter(({ value }) => value > 0);
  if (counted.length === 0 || counted.some(({ name }) => isShown(name))) return { isShown, note: '' };
  return { isShown: showsAll, note: ' (all would be hidden, so all are shown)' };
}

/** All shares, the largest first; equal ones stay in the order of the data. Hidden ones keep their places. */
export function rankShares<Entry extends Share>(
  entries: readonly Entry[],
  isShown: NameTest = showsAll,
): RankedShare<Entry>[] {
  const ranked = entries
    .toSorted((a, b) => b.value - a.value)
    .map((entry) => {
      const isHidden = !isShown(entry.name);
      return { entry, isHidden, counted: isHidden ? 0 : Math.max(0, entry.value) };
    });
  const total = sumOf(ranked.map(({ counted }) => counted)) || 1;
  return ranked.map(({ entry, isHidden, counted }) => ({ entry, isHidden, part: counted / total }));
}

/** Slices beyond {@link alwaysShown} are gathered below this part of the whole. */
const smallPart = 0.005;
const alwaysShown = 20;

/** Gathers the small slices of a pie, and more if the rows have no room. A single slice is not gathered. */
export function gatherSlices<Entry extends Share>(
  ranked: ReadonlyArray<RankedShare<Entry>>,
  rowLimit = Number.POSITIVE_INFINITY,
): Ranking<Entry> {
  const least = smallPart * sumOf(ranked.map(({ entry }) => Math.max(0, entry.value)));
  const small = ranked.findIndex(({ entry }, rank) => rank >= alwaysShown && entry.value < least);
  const shown = small === -1 || small === ranked.length - 1 ? ranked.length : small;
  const rowCount = shown < ranked.length ? shown + 1 : shown;
  return gatherFrom(ranked, rowCount > rowLimit ? rowLimit - 1 : shown);
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

/** Of gathered shares, those that are shown are left. */
function gatheredOf(rest: readonly RankedShare[]): Gathered {
  const shown = rest.filter(({ isHidden }) => !isHidden);
  const gathered = shown.length === 0 ? rest : shown;
  const [first, ...others] = gathered;
  return {
    name:
      first !== undefined && others.length === 0
        ? first.entry.name
        : `Other (${formatExact(gathered.length)})`,
    count: gathered.length,
    value: sumOf(gathered.map(({ entry }) => entry.value)),
    part: sumOf(gathered.map(({ part }) => part)),
    isHidden: shown.length === 0,
  };
}
