/** Checks all series of a store, chunk by chunk. */
import { storageOf } from '../../model/data-shapes.ts';
import { hasShares } from '../../model/data-shares.ts';
import type { Chunk } from '../../series/chunk.ts';
import { isBlock } from '../../series/history-block.ts';
import { verifyChunk } from '../../series/verify-chunk.ts';

/** A chunk as it is stored. */
interface StoredChunk {
  /** The name of the chart in messages; no two charts have the same. */
  readonly series: string;
  readonly typeName: string;
  readonly chunk: Chunk;
}

/** Takes every chunk of a store, chart by chart in ascending order, and returns the faults that are known then. */
interface SeriesChecker {
  readonly take: (stored: StoredChunk) => readonly string[];
  readonly finish: () => readonly string[];
}

/** Begins a check. */
export function seriesChecker(): SeriesChecker {
  let before: StoredChunk | undefined;
  const faultsOfBefore = (next: StoredChunk | undefined): string[] => {
    if (before === undefined) return [];
    const follower = next?.series === before.series ? next.chunk : undefined;
    const fault = verifyChunk(before.chunk, follower?.firstTimestamp);
    return fault === undefined ? [] : [`${before.series}: ${fault}`];
  };
  return {
    take: (stored) => {
      const isHistory = isBlock(stored.chunk);
      const mayHave = isHistory ? hasShares(stored.typeName) : storageOf(stored.typeName) === 'series';
      const what = isHistory ? 'a history' : 'points';
      const faults = mayHave ? [] : [`${stored.series}: a ${stored.typeName} has ${what}`];
      faults.push(...faultsOfBefore(stored));
      before = stored;
      return faults;
    },
    finish: () => faultsOfBefore(undefined),
  };
}
