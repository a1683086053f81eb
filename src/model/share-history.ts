/** Histories: the shares of a chart (slices of a pie, countries of a map, bars) at several times. */

/** A share: a part of a chart. */
export interface ShareName {
  /** The outer share that it belongs to in a drilldown pie; null in all other charts. */
  readonly group: string | null;
  readonly name: string;
}

/**
 * Copied for each share that is read: literals would be allocated as old objects, with their names, once V8 has found that some live on. The garbage
 * of thousands of shares a chunk would grow the heap by a hundred megabytes.
 */
export const unnamed: ShareName = { group: null, name: '' };

/** The shares of a chart at some times. It says everything about them: a share that is not named is 0. */
export interface ShareHistory {
  /** Unix milliseconds, strictly ascending. */
  readonly times: Float64Array;
  /** No two of them are the same. */
  readonly shares: readonly ShareName[];
  /** The values of each share, one for each time. */
  readonly columns: readonly Float64Array[];
}

/** The most shares in a history record of an archive. */
export const maxSharesPerRecord = 2000;

/** Makes the history of one moment. Values of the same share are added up; shares that are 0 are left out. */
export function historyAt(time: number, shares: Iterable<readonly [ShareName, number]>): ShareHistory {
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
    shares: sorted.map(({ share }) => share),
    columns: sorted.map(({ value }) => Float64Array.of(value)),
  };
}

/** Sorts a history by time; of several columns with the same time, the last one is kept. */
export function orderHistory({ times, shares, columns }: ShareHistory): ShareHistory {
  if (times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0)))
    return { times, shares, columns };
  const lastIndexes = new Map(Array.from(times, (time, index) => [time, index]));
  const order = [...lastIndexes].sort(([a], [b]) => a - b).map(([, index]) => index);
  const reorder = (column: Float64Array) => Float64Array.from(order, (index) => column[index] ?? 0);
  return { times: reorder(times), shares, columns: columns.map(reorder) };
}

/** Finds the first and the last time of histories that have some. */
export function spanOf(histories: readonly ShareHistory[]): {
  readonly first: number;
  readonly last: number;
} {
  return {
    first: Math.min(...histories.map(({ times }) => times[0] ?? Number.POSITIVE_INFINITY)),
    last: Math.max(...histories.map(({ times }) => times.at(-1) ?? Number.NEGATIVE_INFINITY)),
  };
}

/** Returns the part of a history from one time, inclusive, to another, without copying it. */
export function sliceHistory(history: ShareHistory, from: number, to: number): ShareHistory {
  const { times, shares, columns } = history;
  if ((times[0] ?? from) >= from && (times.at(-1) ?? from) < to) return history;
  const indexOf = (time: number) => {
    const index = times.findIndex((one) => one >= time);
    return index === -1 ? times.length : index;
  };
  const [start, end] = [indexOf(from), indexOf(to)];
  return {
    times: times.subarray(start, end),
    shares,
    columns: columns.map((column) => column.subarray(start, end)),
  };
}

/** Compares histories whose shares are in the order of {@link compareShares}. */
export function equalHistories(a: ShareHistory, b: ShareHistory): boolean {
  return (
    isSameColumn(a.times, b.times) &&
    a.shares.length === b.shares.length &&
    a.shares.every((share, rank) => {
      const other = b.shares[rank];
      return other !== undefined && shareKey(share) === shareKey(other);
    }) &&
    a.columns.every((column, rank) => isSameColumn(column, b.columns[rank] ?? column.subarray(0, 0)))
  );
}

function isSameColumn(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Orders shares by group, then by name, as the bytes of their UTF-8 are ordered. */
export function compareShares(a: ShareName, b: ShareName): number {
  return compareText(a.group ?? '', b.group ?? '') || compareText(a.name, b.name);
}

/** Orders texts as the bytes of their UTF-8 are ordered. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [unitA, unitB] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (unitA !== unitB) return rankOf(unitA) - rankOf(unitB);
  }
  return a.length - b.length;
}

/** Ranks a UTF-16 unit: code points beyond U+FFFF, which are surrogates, come after all others. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Makes a text that identifies a share of a chart. */
export function shareKey({ group, name }: ShareName): string {
  return group === null ? name : `${group.length} ${group}${name}`;
}

/** Makes the share of a chart that {@link shareKey} identifies. */
export function shareOfKey(key: string, isGrouped: boolean): ShareName {
  if (!isGrouped) return { group: null, name: key };
  const start = key.indexOf(' ') + 1;
  const end = start + Number(key.slice(0, start));
  return { group: key.slice(start, end), name: key.slice(end) };
}
