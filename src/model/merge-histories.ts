/** Merges histories, and divides them into other parts. */
import {
  compareShares,
  maxSharesPerRecord,
  type ShareHistory,
  type ShareName,
  shareKey,
} from './share-history.ts';

/** Limits of the parts of a merged history. A part has one time at least, whatever its shares. */
export interface HistoryLimits {
  readonly maxTimes: number;
  readonly maxShares: number;
  /** Limit on the product of times and shares. */
  readonly maxCells: number;
}

/** Limits of a history record that this program writes: they must not depend on the chunks of a store. */
export const recordLimits: HistoryLimits = {
  maxTimes: 1000,
  maxShares: maxSharesPerRecord,
  maxCells: 20_000,
};

/**
 * Merges histories: at a time that several have, the last of them says everything. The result depends on the merged history and
 * on the limits alone, not on how it was divided before. Shares are in the order of {@link compareShares}; those that are 0
 * throughout a part are left out of it.
 */
export function* mergeHistories(
  histories: readonly ShareHistory[],
  limits: HistoryLimits,
): Generator<ShareHistory> {
  const joined = joinLater(histories, limits);
  if (joined === undefined) yield* gather(momentsOf(histories), limits);
  else yield joined;
}

/** Joins histories that follow each other to one within the limits, column by column: what a new time needs. Undefined if that is not possible. */
function joinLater(histories: readonly ShareHistory[], limits: HistoryLimits): ShareHistory | undefined {
  let last = Number.NEGATIVE_INFINITY;
  let timeCount = 0;
  for (const { times } of histories) {
    if (!(times.length > 0 && (times[0] ?? 0) > last)) return undefined;
    last = times.at(-1) ?? 0;
    timeCount += times.length;
  }
  if (timeCount === 0 || timeCount > limits.maxTimes) return undefined;
  const times = new Float64Array(timeCount);
  const columns = new Map<string, { readonly share: ShareName; readonly column: Float64Array }>();
  let offset = 0;
  for (const history of histories) {
    times.set(history.times, offset);
    for (const [rank, share] of history.shares.entries()) {
      const key = shareKey(share);
      const known = columns.get(key) ?? { share, column: new Float64Array(timeCount) };
      if (columns.size * timeCount > limits.maxCells) return undefined;
      columns.set(key, known);
      known.column.set(history.columns[rank] ?? noValues, offset);
    }
    offset += history.times.length;
  }
  const present = [...columns.values()].filter(({ column }) => hasValues(column));
  const isWithin = present.length <= limits.maxShares && present.length * timeCount <= limits.maxCells;
  if (timeCount > 1 && !isWithin) return undefined;
  present.sort((a, b) => compareShares(a.share, b.share));
  return { times, shares: present.map(({ share }) => share), columns: present.map(({ column }) => column) };
}

const noValues = new Float64Array(0);

/** True if a value of a column is not 0; makes -0 to 0. */
function hasValues(column: Float64Array): boolean {
  let isPresent = false;
  for (let index = 0; index < column.length; index++)
    if (column[index] === 0) column[index] = 0;
    else isPresent = true;
  return isPresent;
}

/** Divides a history into other parts, which depend on the history and on the limits alone. */
export function* regroupHistory(
  parts: Iterable<ShareHistory>,
  limits: HistoryLimits,
): Generator<ShareHistory> {
  yield* gather(momentsIn(parts), limits);
}

function* momentsIn(parts: Iterable<ShareHistory>): Generator<Moment> {
  for (const history of parts) for (const index of history.times.keys()) yield { history, index };
}

function* gather(moments: Iterable<Moment>, limits: HistoryLimits): Generator<ShareHistory> {
  const builder = new HistoryBuilder();
  for (const moment of moments) {
    if (!builder.hasRoom(moment, limits)) yield builder.take();
    builder.add(moment);
  }
  if (!builder.isEmpty) yield builder.take();
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

/** Gathers moments, in ascending order of time, and makes a history of them. */
class HistoryBuilder {
  #moments: Moment[] = [];
  #shares: ShareName[] = [];
  readonly #ranks = new Map<string, number>();
  /** For the shares of each history their ranks, -1 for those that are not known: a history has many moments. */
  readonly #ranksOf = new Map<readonly ShareName[], Int32Array>();

  get isEmpty(): boolean {
    return this.#moments.length === 0;
  }

  /** True if a moment keeps within the limits. */
  hasRoom({ history, index }: Moment, limits: HistoryLimits): boolean {
    if (this.isEmpty) return true;
    const timeCount = this.#moments.length + 1;
    if (timeCount > limits.maxTimes) return false;
    const ranks = this.#findRanks(history.shares);
    let shareCount = this.#shares.length;
    for (let at = 0; at < ranks.length; at++) {
      const share = history.shares[at];
      if (ranks[at] !== -1 || share === undefined || (history.columns[at]?.[index] ?? 0) === 0) continue;
      // Another history may have brought it since.
      if (this.#ranks.has(shareKey(share))) continue;
      shareCount++;
    }
    return shareCount <= limits.maxShares && shareCount * timeCount <= limits.maxCells;
  }

  add(moment: Moment): void {
    const { history, index } = moment;
    this.#moments.push(moment);
    const ranks = this.#findRanks(history.shares);
    for (let at = 0; at < ranks.length; at++) {
      const share = history.shares[at];
      if (ranks[at] === -1 && share !== undefined && (history.columns[at]?.[index] ?? 0) !== 0)
        ranks[at] = this.#rankOf(share);
    }
  }

  take(): ShareHistory {
    const times = Float64Array.from(this.#moments, ({ history, index }) => history.times[index] ?? 0);
    // In one memory: thousands of their own would be freed late.
    const numbers = new Float64Array(this.#shares.length * times.length);
    const columns = this.#shares.map((_, rank) =>
      numbers.subarray(rank * times.length, (rank + 1) * times.length),
    );
    for (const [row, { history, index }] of this.#moments.entries()) {
      const ranks = this.#findRanks(history.shares);
      for (let at = 0; at < ranks.length; at++) {
        const column = columns[ranks[at] ?? -1];
        const value = history.columns[at]?.[index] ?? 0;
        // What is absent and what is -0 are both 0, whether the part knows the share or not.
        if (column !== undefined && value !== 0) column[row] = value;
      }
    }
    const order = [...this.#shares.entries()].sort(([, a], [, b]) => compareShares(a, b));
    this.#moments = [];
    this.#shares = [];
    this.#ranks.clear();
    this.#ranksOf.clear();
    return {
      times,
      shares: order.map(([, share]) => share),
      columns: order.map(([rank]) => columns[rank] ?? new Float64Array(times.length)),
    };
  }

  #findRanks(shares: readonly ShareName[]): Int32Array {
    let ranks = this.#ranksOf.get(shares);
    if (ranks === undefined) {
      ranks = Int32Array.from(shares, (share) => this.#ranks.get(shareKey(share)) ?? -1);
      this.#ranksOf.set(shares, ranks);
    }
    return ranks;
  }

  /** Finds the rank of a share, which it may get now. */
  #rankOf(share: ShareName): number {
    const key = shareKey(share);
    const known = this.#ranks.get(key);
    if (known !== undefined) return known;
    const rank = this.#shares.push(share) - 1;
    this.#ranks.set(key, rank);
    return rank;
  }
}
