/** Shares as pictures show them: slices of a pie or bars, with displayed names. */

import { chartForms } from '../../model/chart-forms.ts';
import type { DataForm } from '../../model/chart-types.ts';
import { groupsIn, type ShareValue } from '../../model/forms/share-values.ts';
import { clamp } from '../clamp.ts';
import { formatExact } from '../format.ts';
import { colourRanks } from './share-colours.ts';

/** A name with its value. */
export interface Share {
  readonly name: string;
  readonly value: number;
}

/** A slice or a bar, with its parts. */
export interface Slice extends Share {
  readonly parts: readonly Share[];
}

/** The sum of numbers. */
export function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Combines shares into one. */
function gathered(name: string, shares: readonly Share[]): Share {
  return { name, value: sumOf(shares.map(({ value }) => value)) };
}

/** Maximum length of a name in characters; pictures have no room for more. */
const maxNameLength = 200;

/** Returns the displayed name of a share. */
export function shownName(name: string): string {
  return name.trim().slice(0, maxNameLength) || '(no name)';
}

/** Returns the function that names the shares of a form as a picture shows them. */
export function shareNames(form: DataForm): (name: string) => string {
  return chartForms[form].shares?.nameOf ?? shownName;
}

/** Most slices, bars or parts; no picture shows so many. */
const maxCount = 500;

/** Makes the slices of a pie: shares of one group become the parts of one slice. */
export function slicesOf(shares: readonly ShareValue[]): readonly Slice[] {
  return largest(wholesOf(shares, shownName), sliceOf).map((slice) => {
    const [part, ...others] = slice.parts;
    // An outer share without inner ones has itself as its only part, which is not shown.
    const isWhole = part?.name === slice.name && others.length === 0;
    return { ...slice, parts: isWhole ? [] : largest(slice.parts, (others) => others) };
  });
}

function sliceOf(share: Share): Slice {
  return { ...share, parts: [share] };
}

/** Makes bars with their parts. */
export function barsOf(shares: readonly ShareValue[], nameOf: (name: string) => string): readonly Slice[] {
  return largest(wholesOf(shares, nameOf), sliceOf).map((bar) => {
    return { ...bar, parts: gatherParts(bar.parts) };
  });
}

/**
 * Returns the names of the parts, if some bars have several: from the settings of the chart, otherwise those
 * of the parts themselves. Empty if every bar has one part.
 */
export function partNamesOf(bars: readonly Slice[], settings: unknown): readonly string[] {
  const longest = bars.reduce<Slice['parts']>(
    (most, { parts }) => (parts.length > most.length ? parts : most),
    [],
  );
  if (longest.length < 2) return [];
  const isObject = typeof settings === 'object' && settings !== null && 'barNames' in settings;
  const names: unknown = isObject ? settings.barNames : undefined;
  return longest.map((part, index) => {
    const name: unknown = Array.isArray(names) ? names[index] : undefined;
    return typeof name !== 'string' || part.name === otherParts ? part.name : shownName(name);
  });
}

/** Maximum number of parts of a bar; the last is the sum of the rest. */
const maxPartCount = 10;

const otherParts = 'Other';

function gatherParts(parts: readonly Share[]): readonly Share[] {
  if (parts.length <= maxPartCount) return parts;
  return [...parts.slice(0, maxPartCount - 1), gathered(otherParts, parts.slice(maxPartCount - 1))];
}

function wholesOf(shares: readonly ShareValue[], nameOf: (name: string) => string): readonly Slice[] {
  return groupsIn(shares).map((group) => {
    const parts = group.shares.map(([{ name }, value]) => ({ name: nameOf(name), value: clamp(value) }));
    return { ...gathered(nameOf(group.name), parts), parts };
  });
}

/** Returns the largest entries, followed by one for all others. */
function largest<Entry extends Share>(
  entries: readonly Entry[],
  otherOf: (others: Share) => Entry,
): readonly Entry[] {
  if (entries.length <= maxCount) return entries;
  const sorted = entries.toSorted((a, b) => b.value - a.value);
  const others = sorted.splice(maxCount);
  return [...sorted, otherOf(gathered(`${others.length} others`, others))];
}

/** A share with its part of the whole. */
interface RankedShare<Entry extends Share = Share> {
  readonly entry: Entry;
  /** Part of the shown total, 0 … 1; 0 if the value is negative or hidden. */
  readonly part: number;
  readonly isHidden: boolean;
  /** Index of its colour. */
  readonly colour: number;
}

/** Combined shares. */
interface Gathered {
  /** `Other (3)`; the name of the share if a filter leaves only one. */
  readonly name: string;
  readonly count: number;
  readonly value: number;
  readonly part: number;
  readonly isHidden: boolean;
}

/** Ranked shares, ready to draw. */
export interface Ranking<Entry extends Share = Share> {
  readonly shares: ReadonlyArray<RankedShare<Entry>>;
  readonly other: Gathered | undefined;
}

/** Returns true for names of shares to show; `undefined` stands for "Other". */
type NameTest = (name: string | undefined) => boolean;

const showsAll: NameTest = () => true;

/**
 * Returns the filter of the reader, and a note for the title. If the filter would hide everything above 0,
 * all shares are shown instead.
 */
export function shareFilter(
  shares: readonly { readonly name?: string; readonly value: number }[],
  isShown: NameTest = showsAll,
): { readonly isShown: NameTest; readonly note: string } {
  const counted = shares.filter(({ value }) => value > 0);
  if (counted.length === 0 || counted.some(({ name }) => isShown(name))) return { isShown, note: '' };
  return { isShown: showsAll, note: ' (all would be hidden, so all are shown)' };
}

/** Ranks shares, largest first; ties keep the order of the data. Hidden shares keep their places. */
export function rankShares<Entry extends Share>(
  entries: readonly Entry[],
  isShown: NameTest = showsAll,
  colours: readonly string[] = [],
): RankedShare<Entry>[] {
  const ranked = entries
    .toSorted((a, b) => b.value - a.value)
    .map((entry) => {
      const isHidden = !isShown(entry.name);
      return { entry, isHidden, counted: isHidden ? 0 : Math.max(0, entry.value) };
    });
  const total = sumOf(ranked.map(({ counted }) => counted)) || 1;
  const ranks = colourRanks(
    ranked.map(({ entry }) => entry.name),
    colours,
  );
  return ranked.map(({ entry, isHidden, counted }, rank) => {
    return { entry, isHidden, part: counted / total, colour: ranks[rank] ?? rank };
  });
}

/** After the first {@link alwaysShown} slices, slices below this part of the whole are combined. */
const smallPart = 0.005;
const alwaysShown = 20;

/**
 * Combines the small slices of a pie, and more if there are too few rows. A single slice is never combined.
 */
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

/** Combines the shares that exceed the row limit. */
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

/** Combines shares; hidden ones are excluded unless all are hidden. */
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
