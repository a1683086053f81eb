/** Merges histories, and divides them into other parts. */
import { columnsIn } from './room.ts';
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
  /** Limit on the characters of all names. */
  readonly maxNameLength: number;
}

/** Limits of a history record that this program writes: they must not depend on the blocks of a store. */
export const recordLimits: HistoryLimits = {
  maxTimes: 1000,
  maxShares: maxSharesPerRecord,
  maxCells: 20_000,
  maxNameLength: Number.POSITIVE_INFINITY,
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
  yield* gather(momentsOf(histories), limits);
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
  #nameLength = 0;
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
    let nameLength = this.#nameLength;
    for (let at = 0; at < ranks.length; at++) {
      const share = history.shares[at];
      if (ranks[at] !== -1 || share === undefined || (history.columns[at]?.[index] ?? 0) === 0) continue;
      // Another history may have brought it since.
      if (this.#ranks.has(shareKey(share))) continue;
      shareCount++;
      nameLength += lengthOf(share);
    }
    const { maxShares, maxCells, maxNameLength } = limits;
    return shareCount <= maxShares && shareCount * timeCount <= maxCells && nameLength <= maxNameLength;
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
    const columns = columnsIn(new Float64Array(this.#shares.length * times.length), this.#shares.length);
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
    this.#nameLength = 0;
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
    this.#nameLength += lengthOf(share);
    return rank;
  }
}

function lengthOf({ group, name }: ShareName): number {
  return (group?.length ?? 0) + name.length;
}
