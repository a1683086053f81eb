/** Cuts the points or the times between two times out of a chunk or a block. */
import { mergeHistories } from '../model/merge-histories.ts';
import { concatPoints, slicePoints } from '../model/points.ts';
import { sliceHistory } from '../model/share-history.ts';
import { type Chunk, decodeChunk, encodeChunks } from './chunk.ts';
import { blockLimits, decodeBlock, encodeBlock, isBlock } from './history-block.ts';

/** The rest of a chunk that was cut. */
export interface CutChunk {
  readonly kept: readonly Chunk[];
  /** Number of points, or of times of a block. */
  readonly keptCount: number;
  readonly lostCount: number;
}

/**
 * Cuts a chunk.
 * @param after times after this one are cut out, up to `before`; neither of the two is.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function cutChunk(
  chunk: Chunk,
  { after, before }: { readonly after: number; readonly before: number },
): CutChunk {
  if (isBlock(chunk)) {
    const history = decodeBlock(chunk);
    const [from, to] = rangeIn(history.times, after, before);
    const kept = [
      sliceHistory(history, 0, from === 0 ? 0 : (history.times[from] ?? Number.POSITIVE_INFINITY)),
      sliceHistory(history, history.times[to] ?? Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
    ].filter(({ times }) => times.length > 0);
    const blocks = Array.from(mergeHistories(kept, blockLimits), encodeBlock);
    return { kept: blocks, keptCount: history.times.length - (to - from), lostCount: to - from };
  }
  const points = decodeChunk(chunk);
  const [from, to] = rangeIn(points.timestamps, after, before);
  const kept = concatPoints([slicePoints(points, 0, from), slicePoints(points, to)]);
  return { kept: encodeChunks(kept), keptCount: kept.timestamps.length, lostCount: to - from };
}

/** Finds the indexes of the first time that is cut out, and of the first after it that is kept. */
function rangeIn(times: Float64Array, after: number, before: number): readonly [from: number, to: number] {
  const from = indexWhere(times, (time) => time > after);
  const to = indexWhere(times, (time) => time >= before);
  return [from, Math.max(from, to)];
}

function indexWhere(times: Float64Array, isWanted: (time: number) => boolean): number {
  const index = times.findIndex(isWanted);
  return index < 0 ? times.length : index;
}
