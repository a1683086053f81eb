/** Merges histories into the blocks of a chart: the rows that a store must write, and those that it must remove. */
import { mergeHistories } from '../model/merge-histories.ts';
import { equalHistories, type ShareHistory, sliceHistory } from '../model/share-history.ts';
import { lastTimestampOf } from './chunk.ts';
import { appendMoment, blockLimits, decodeBlock, encodeBlock, type HistoryBlock } from './history-block.ts';
import type { ChunkChange } from './merge-chunks.ts';

/**
 * Merges histories into the blocks that they touch. At a time that several have, the last of them says everything, and all of them
 * more than the blocks. Unchanged blocks are not part of the result.
 * @param touched the blocks in ascending order: the latest that begins at or before the first time (if there is none, the first
 *   of the chart), and all that follow and begin at or before the last time.
 * @throws AppError `unavailable` for a damaged block.
 */
export function mergeIntoBlocks(
  touched: readonly HistoryBlock[],
  histories: readonly ShareHistory[],
): ChunkChange {
  if (touched.length === 0)
    return changeOf([], Array.from(mergeHistories(histories, blockLimits), encodeBlock));
  const changes = touched.map((block, index) => {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : block.firstTimestamp;
    const to = touched[index + 1]?.firstTimestamp ?? Number.POSITIVE_INFINITY;
    const slices = histories.map((history) => sliceHistory(history, from, to));
    return mergeIntoBlock(
      block,
      slices.filter(({ times }) => times.length > 0),
    );
  });
  return changeOf(
    touched.filter((_, index) => changes[index] !== undefined),
    changes.flatMap((blocks) => blocks ?? []),
  );
}

/** Makes the change that replaces rows by others. */
function changeOf(before: readonly HistoryBlock[], after: readonly HistoryBlock[]): ChunkChange {
  const kept = new Set(after.map(({ firstTimestamp }) => firstTimestamp));
  const starts = before.map(({ firstTimestamp }) => firstTimestamp);
  return { removed: starts.filter((start) => !kept.has(start)), written: after };
}

/** Makes the blocks that replace one; undefined if it says the same already. */
function mergeIntoBlock(
  block: HistoryBlock,
  histories: readonly ShareHistory[],
): readonly HistoryBlock[] | undefined {
  const [history] = histories;
  if (history === undefined) return undefined;
  const lastTime = lastTimestampOf(block);
  const isLater = histories.every(({ times }) => (times[0] ?? 0) > lastTime);
  if (isLater && histories.length === 1 && history.times.length === 1) {
    const extended = appendMoment(block, history) ?? appendMoment(block, sortedMoment(history));
    if (extended !== undefined) return [extended];
  }
  const before = decodeBlock(block);
  const parts = [before, ...histories];
  const limits = { ...blockLimits, maxTimes: isLater ? blockLimits.maxTimes : evenTimes(parts) };
  const after = [...mergeHistories(parts, limits)];
  return after.length === 1 && after[0] !== undefined && equalHistories(before, after[0])
    ? undefined
    : after.map(encodeBlock);
}

/** Puts the shares of a moment in order, and leaves out those that are 0. */
function sortedMoment(history: ShareHistory): ShareHistory {
  const [moment = history] = mergeHistories([history], blockLimits);
  return moment;
}

/**
 * Finds a limit on times that divides a history evenly. With a full block and a short rest, each time that is put between others
 * would become a block of its own.
 */
function evenTimes(parts: readonly ShareHistory[]): number {
  const timeCount = new Set(parts.flatMap(({ times }) => [...times])).size;
  return Math.ceil(timeCount / Math.ceil(timeCount / blockLimits.maxTimes));
}
