/** Columns: values over times. A line has one series; a chart of shares has one per named share. */

import { type DataWindow, firstFrom, type Span } from './window.ts';

/** Name of a share within its chart. */
export interface ShareName {
  /** The outer share that contains it in a drilldown pie; null in all other charts. */
  readonly group: string | null;
  readonly name: string;
}

/** Orders shares by group, then by name, by their UTF-8 bytes. */
export function compareShares(a: ShareName, b: ShareName): number {
  return compareText(a.group ?? '', b.group ?? '') || compareText(a.name, b.name);
}

/** Orders texts by their UTF-8 bytes, which is the order of code points. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [unitA, unitB] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (unitA !== unitB) return rankOf(unitA) - rankOf(unitB);
  }
  return a.length - b.length;
}

/** Ranks a UTF-16 code unit: surrogates, which encode code points beyond U+FFFF, come last. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Makes a text that identifies a share within a chart. */
export function shareKey({ group, name }: ShareName): string {
  return group === null ? name : `${group.length} ${group}${name}`;
}

/** Converts a key of {@link shareKey} back to the share. */
export function shareOfKey(key: string, isGrouped: boolean): ShareName {
  if (!isGrouped) return { group: null, name: key };
  const start = key.indexOf(' ') + 1;
  const end = start + Number(key.slice(0, start));
  return { group: key.slice(start, end), name: key.slice(end) };
}

/** Named column of values; NaN means no value. In the store, a line has an empty name. */
export interface Series extends ShareName {
  readonly values: Float64Array;
}

/** Times, and the series over them. */
export interface Columns {
  /** Unix milliseconds, ascending unless stated otherwise. */
  readonly times: Float64Array;
  /** Series with distinct names, each with one value per time. */
  readonly series: readonly Series[];
}

const noValues = new Float64Array(0);

/**
 * Template that is copied for each series read from a store. Object literals would be allocated in the old
 * generation, together with their names, once V8 has seen that some survive. The garbage of thousands of
 * shares per chunk would then grow the heap by a hundred megabytes.
 */
export const unnamed: Series = { group: null, name: '', values: noValues };

/** Makes a line. */
export function lineOf(times: Float64Array, values: Float64Array): Columns {
  return { times, series: [{ group: null, name: '', values }] };
}

/** A line without points. */
export const noPoints: Columns = lineOf(noValues, noValues);

/** Makes a line from pairs, the JSON form of points. */
export function pointsOf(entries: ReadonlyArray<readonly [time: number, value: number]>): Columns {
  return lineOf(
    Float64Array.from(entries, (entry) => entry[0]),
    Float64Array.from(entries, (entry) => entry[1]),
  );
}

/** Returns the values of a line. */
export function valuesOf({ series }: Pick<Columns, 'series'>): Float64Array {
  return series[0]?.values ?? noValues;
}

/** Makes columns with a single time. Values of the same share are added up; shares with 0 are omitted. */
export function columnsAt(time: number, shares: Iterable<readonly [ShareName, number]>): Columns {
  const sums = new Map<string, { readonly share: ShareName; value: number }>();
  for (const [share, value] of shares) {
    const key = shareKey(share);
    const known = sums.get(key);
    if (known === undefined) sums.set(key, { share, value });
    else known.value += value;
  }
  const sorted = [...sums.values()]
    .filter(({ value }) => value !== 0)
    .sort((a, b) => compareShares(a.share, b.share));
  return {
    times: Float64Array.of(time),
    series: sorted.map(({ share: { group, name }, value }) => ({
      group,
      name,
      values: Float64Array.of(value),
    })),
  };
}

/** Returns the columns from index `start` to `end`, exclusive, without copying. */
export function sliceColumns({ times, series }: Columns, start: number, end = times.length): Columns {
  return {
    times: times.subarray(start, end),
    series: series.map(({ group, name, values }) => ({ group, name, values: values.subarray(start, end) })),
  };
}

/** Returns the columns within a window, without copying. */
export function columnsWithin(columns: Columns, { from, to }: DataWindow): Columns {
  const { times } = columns;
  const [start, end] = [firstFrom(times, from), firstFrom(times, to)];
  return start === 0 && end === times.length ? columns : sliceColumns(columns, start, end);
}

/** Copies columns, for example to keep a run beyond the next one. */
export function copyColumns({ times, series }: Columns): Columns {
  return { times: times.slice(), series: series.map((one) => ({ ...one, values: one.values.slice() })) };
}

/** Joins parts of a line. */
export function joinPoints(parts: readonly Columns[]): Columns {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  let count = 0;
  for (const { times } of parts) count += times.length;
  const [times, values] = [new Float64Array(count), new Float64Array(count)];
  let offset = 0;
  for (const part of parts) {
    times.set(part.times, offset);
    values.set(valuesOf(part), offset);
    offset += part.times.length;
  }
  return lineOf(times, values);
}

/** Sorts columns by time; at equal times the last value wins. */
export function orderColumns(columns: Columns): Columns {
  const { times, series } = columns;
  if (isAscending(times)) return columns;
  const order = Array.from(times.keys()).sort((a, b) => at(times, a) - at(times, b) || a - b);
  const kept = order.filter((index, rank) => {
    const next = order[rank + 1];
    return next === undefined || times[next] !== times[index];
  });
  const reorder = (column: Float64Array) => Float64Array.from(kept, (index) => at(column, index));
  return { times: reorder(times), series: series.map((one) => ({ ...one, values: reorder(one.values) })) };
}

function isAscending(times: Float64Array): boolean {
  for (let index = 1; index < times.length; index++)
    if (at(times, index) <= at(times, index - 1)) return false;
  return true;
}

function at(column: Float64Array, index: number): number {
  return column[index] ?? Number.NaN;
}

/** Returns the first and the last time of non-empty columns. */
export function spanOf(parts: readonly Columns[]): Span {
  return {
    first: Math.min(...parts.map(({ times }) => times[0] ?? Number.POSITIVE_INFINITY)),
    last: Math.max(...parts.map(({ times }) => times.at(-1) ?? Number.NEGATIVE_INFINITY)),
  };
}

/** Compares columns whose series have the same order. */
export function equalColumns(a: Columns, b: Columns): boolean {
  return (
    areSame(a.times, b.times) &&
    a.series.length === b.series.length &&
    a.series.every((one, rank) => {
      const other = b.series[rank];
      return other !== undefined && shareKey(one) === shareKey(other) && areSame(one.values, other.values);
    })
  );
}

function areSame(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
