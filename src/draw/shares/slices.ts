/** Shares as pictures show them: the slices of a pie or the bars, with shown names. */
import { groupsIn, type ShareValue } from '../../model/data-shares.ts';
import { clamp } from '../clamp.ts';
import { type Bar, type Share, type Slice, sumOf } from './share.ts';

/** Longest name in characters; pictures have no room for more. */
const maxNameLength = 200;

/** The name of a share as a picture shows it. */
export function shownName(name: string): string {
  return name.trim().slice(0, maxNameLength) || '(no name)';
}

/** Most slices, bars or parts; no picture shows so many. */
const maxCount = 500;

/** The slices of a pie: shares of a group are the parts of one slice, which is their sum. */
export function slicesOf(shares: readonly ShareValue[]): readonly Slice[] {
  return largest(wholesOf(shares, shownName), sliceOf).map((slice) => {
    const [part, ...others] = slice.parts;
    // An outer share without inner ones is its own.
    const isWhole = part?.name === slice.name && others.length === 0;
    return { ...slice, parts: isWhole ? [] : largest(slice.parts, (others) => others) };
  });
}

function sliceOf(share: Share): Slice {
  return { ...share, parts: [share] };
}

/** The bars, each with the values of its parts. */
export function barsOf(shares: readonly ShareValue[], nameOf: (name: string) => string): readonly Bar[] {
  return largest(wholesOf(shares, nameOf), sliceOf).map(({ name, value, parts }) => {
    const values = parts.map((part) => part.value);
    return { name, value, parts: gatherParts(values, sumOf) };
  });
}

/** The names of the parts of bars, from the settings of their chart. */
export function partNamesOf(settings: unknown): readonly string[] {
  const isObject = typeof settings === 'object' && settings !== null && 'barNames' in settings;
  const names: unknown = isObject ? settings.barNames : undefined;
  if (!Array.isArray(names)) return [];
  return gatherParts(
    names.map((name) => (typeof name === 'string' ? shownName(name) : '')),
    () => 'Other',
  );
}

/** Most parts of a bar; the last one is the sum of the rest. */
const maxPartCount = 10;

function gatherParts<Part>(parts: readonly Part[], gather: (rest: readonly Part[]) => Part): readonly Part[] {
  if (parts.length <= maxPartCount) return parts;
  return [...parts.slice(0, maxPartCount - 1), gather(parts.slice(maxPartCount - 1))];
}

function wholesOf(shares: readonly ShareValue[], nameOf: (name: string) => string): readonly Slice[] {
  return groupsIn(shares).map((group) => {
    const parts = group.shares.map(([{ name }, value]) => ({ name: nameOf(name), value: clamp(value) }));
    return { name: nameOf(group.name), value: sumOf(parts.map(({ value }) => value)), parts };
  });
}

/** The largest entries, and after them one for all others. */
function largest<Entry extends Share>(
  entries: readonly Entry[],
  otherOf: (others: Share) => Entry,
): readonly Entry[] {
  if (entries.length <= maxCount) return entries;
  const sorted = entries.toSorted((a, b) => b.value - a.value);
  const others = sorted.splice(maxCount);
  const value = sumOf(others.map((entry) => entry.value));
  return [...sorted, otherOf({ name: `${others.length} others`, value })];
}
