/** Histories: the shares of a chart (slices of a pie, countries of a map, bars) at several times. */

/** A share: a part of a chart. */
export interface ShareName {
  /** The outer share that it belongs to in a drilldown pie; null in all other charts. */
  readonly group: string | null;
  readonly name: string;
}

/** The shares of a chart at some times. It says everything about them: a share that is not named is 0. */
export interface ShareHistory {
  /** Unix milliseconds, strictly ascending. */
  readonly times: Float64Array;
  /** No two of them are the same. */
  readonly shares: readonly ShareName[];
  /** The values of each share, one for each time. */
  readonly columns: readonly Float64Array[];
}

/** Limits of the parts of a merged history. A part has one time at least, whatever its shares. */
export interface HistoryLimits {
  readonly maxTimes: number;
  readonly maxShares: number;
  /** Limit on the product of times and shares. */
  readonly maxCells: number;
}

/** The most shares in a history record of an archive. */
export const maxSharesPerRecord = 2000;

/** Limits of a history record that this program writes: they must not depend on the blocks of a store. */
export const recordLimits: HistoryLimits = {
  maxTimes: 1000,
  maxShares: maxSharesPerRecord,
  maxCells: 20_000,
};

/** Makes the history of one moment. Values of the same share are added up. */
export function historyAt(time: number, shares: Iterable<readonly [ShareName, number]>): ShareHistory {
  const builder = new HistoryBuilder();
  builder.begin(time);
  for (const [share, value] of shares) builder.add(share, value);
  return builder.take();
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

/**
 * Merges histories: at a time that several have, the last of them says everything. The result depends on the merged history and
 * on the limits alone, not on how it was divided before. Shares are in the order of {@link compareShares}; those that are 0
 * throughout a part are left out of it.
 */
export function* mergeHistories(
  histories: readonly ShareHistory[],
  limits: HistoryLimits,
): Generator<ShareHistory> {
  yield* gather(momentsOf(histories), limits);
}

/**
 * Divides a history into other parts, which depend on the history and on the limits alone.
 * @returns the parts, without times at which more shares than `maxShares` are not 0; those are passed to `onLarge`.
 */
export function* regroupHistory(
  parts: Iterable<ShareHistory>,
  limits: HistoryLimits,
  onLarge: (moment: ShareHistory) => void = () => {},
): Generator<ShareHistory> {
  yield* gather(smallMoments(parts, limits.maxShares, onLarge), limits);
}

function* smallMoments(
  parts: Iterable<ShareHistory>,
  maxShares: number,
  onLarge: (moment: ShareHistory) => void,
): Generator<Moment> {
  for (const history of parts) {
    for (const index of history.times.keys()) {
      if (history.shares.length > maxShares && presentShares(history, index).length > maxShares)
        onLarge(historyAt(history.times[index] ?? 0, presentShares(history, index)));
      else yield { history, index };
    }
  }
}

function* gather(moments: Iterable<Moment>, limits: HistoryLimits): Generator<ShareHistory> {
  const builder = new HistoryBuilder();
  for (const { history, index } of moments) {
    const time = history.times[index] ?? 0;
    const present = presentShares(history, index);
    if (!builder.hasRoom(present, limits)) yield builder.take();
    builder.begin(time);
    for (const [share, value] of present) builder.add(share, value);
  }
  if (!builder.isEmpty) yield builder.take();
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
export function sliceHistory(
  { times, shares, columns }: ShareHistory,
  from: number,
  to: number,
): ShareHistory {
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

/** One time of one of several histories. */
interface Moment {
  readonly history: ShareHistory;
  readonly index: number;
}

/** Lists the moments of all histories in ascending order of time; of those with the same time, that of the last history. */
function momentsOf(histories: readonly ShareHistory[]): Iterable<Moment> {
  const moments = new Map<number, Moment>();
  for (const history of histories)
    for (const [index, time] of history.times.entries()) moments.set(time, { history, index });
  return Array.from(moments.keys())
    .sort((a, b) => a - b)
    .map((time) => moments.get(time))
    .filter((moment) => moment !== undefined);
}

type Present = readonly (readonly [ShareName, number])[];

/** Lists the shares that are not 0 at a time. */
function presentShares({ shares, columns }: ShareHistory, index: number): Present {
  const present: (readonly [ShareName, number])[] = [];
  for (const [rank, share] of shares.entries()) {
    const value = columns[rank]?.[index] ?? 0;
    if (value !== 0) present.push([share, value]);
  }
  return present;
}

/** Gathers moments, in ascending order of time, and makes a history of them. */
class HistoryBuilder {
  #times: number[] = [];
  /** By a text that identifies the share. A column ends with the last value that is not 0. */
  #columns = new Map<string, { readonly share: ShareName; readonly values: number[] }>();

  get isEmpty(): boolean {
    return this.#times.length === 0;
  }

  /** True if a moment with these shares keeps within the limits. */
  hasRoom(present: Present, { maxTimes, maxShares, maxCells }: HistoryLimits): boolean {
    if (this.isEmpty) return true;
    const timeCount = this.#times.length + 1;
    if (timeCount > maxTimes) return false;
    let shareCount = this.#columns.size;
    for (const [share] of present) if (!this.#columns.has(shareKey(share))) shareCount++;
    return shareCount <= maxShares && shareCount * timeCount <= maxCells;
  }

  begin(time: number): void {
    this.#times.push(time);
  }

  /** Adds to the value of a share at the time that was begun last. */
  add(share: ShareName, value: number): void {
    if (value === 0) return;
    const key = shareKey(share);
    let column = this.#columns.get(key);
    if (column === undefined) {
      column = { share, values: [] };
      this.#columns.set(key, column);
    }
    const index = this.#times.length - 1;
    while (column.values.length <= index) column.values.push(0);
    column.values[index] = (column.values[index] ?? 0) + value;
  }

  take(): ShareHistory {
    const times = Float64Array.from(this.#times);
    const columns = [...this.#columns.values()]
      .map(({ share, values }) => {
        const column = new Float64Array(times.length);
        column.set(values);
        return { share, column };
      })
      .sort((a, b) => compareShares(a.share, b.share));
    this.#times = [];
    this.#columns = new Map();
    return { times, shares: columns.map(({ share }) => share), columns: columns.map(({ column }) => column) };
  }
}

/** Makes a text that identifies a share of a chart. */
export function shareKey({ group, name }: ShareName): string {
  return group === null ? name : `${group.length} ${group}${name}`;
}
