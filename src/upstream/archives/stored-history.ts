/** Tells which times of a history a store has already, with the same shares. */
import { type ShareHistory, shareKey } from '../../model/share-history.ts';

/** The most parts that are compared: four months of hours. Beyond them everything counts as new, which the store then merges. */
const maxParts = 8;

/** A part of a stored history, arranged for comparing. */
interface Part {
  readonly times: Float64Array;
  readonly columns: ReadonlyMap<string, Float64Array>;
  /** Number of shares that are not 0, for each time. */
  readonly presentCounts: Uint32Array;
}

/** The stored history of a chart, or its newest part. */
export class StoredHistory {
  readonly #parts: readonly Part[];

  /** @param parts in ascending order of time. */
  constructor(parts: readonly ShareHistory[]) {
    this.#parts = parts.map(arrange);
  }

  /** Reads a history; of one in too many parts, none is compared. */
  static async read(parts: AsyncIterable<ShareHistory>): Promise<StoredHistory> {
    const taken: ShareHistory[] = [];
    for await (const part of parts) {
      taken.push(part);
      if (taken.length > maxParts) return new StoredHistory([]);
    }
    return new StoredHistory(taken);
  }

  /** True if the store has a time of a history, with the same shares. The cost grows with the shares of the history. */
  has(history: ShareHistory, index: number): boolean {
    const time = history.times[index] ?? Number.NaN;
    const part = this.#parts.find(({ times }) => time <= (times.at(-1) ?? 0));
    const storedIndex = part?.times.indexOf(time) ?? -1;
    if (part === undefined || storedIndex === -1) return false;
    let presentCount = 0;
    for (const [rank, share] of history.shares.entries()) {
      const value = history.columns[rank]?.[index] ?? 0;
      if (value === 0) continue;
      presentCount++;
      if (part.columns.get(shareKey(share))?.[storedIndex] !== value) return false;
    }
    return part.presentCounts[storedIndex] === presentCount;
  }
}

function arrange({ times, shares, columns }: ShareHistory): Part {
  const presentCounts = new Uint32Array(times.length);
  for (const column of columns)
    for (const [index, value] of column.entries())
      if (value !== 0) presentCounts[index] = (presentCounts[index] ?? 0) + 1;
  const byShare = shares.map(
    (share, rank) => [shareKey(share), columns[rank] ?? new Float64Array(0)] as const,
  );
  return { times, columns: new Map(byShare), presentCounts };
}

/** Selects times of a history by their indexes; the same history if that is all of them. */
export function selectTimes(history: ShareHistory, indexes: readonly number[]): ShareHistory {
  if (indexes.length === history.times.length) return history;
  const select = (column: Float64Array) => Float64Array.from(indexes, (index) => column[index] ?? 0);
  return {
    times: select(history.times),
    shares: history.shares,
    columns: history.columns.map(select),
  };
}
