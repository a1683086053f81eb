/**
 * Merges times into the chunks of a chart or removes them; returns the rows for the store to write and to
 * remove.
 */

import { type Columns, columnsWithin } from '../model/columns.ts';
import { mergeColumns } from '../model/merge-columns.ts';
import type { DataWindow } from '../model/window.ts';
import { type ChartOfChunks, type Chunk, chunkLimits, decodeChunk, encodeChunk, isOfLine } from './chunk.ts';

/** Changes to the chunks of a chart. The first timestamp is the row key. */
export interface ChunkChange {
  /** Keys of rows to remove; excludes rows that `written` replaces. */
  readonly removed: readonly number[];
  readonly written: readonly Chunk[];
}

/**
 * Merges columns into the chunks of a chart that they touch. At equal times the last columns win, and any
 * columns win over the chunks. Unchanged chunks are omitted from the result.
 * @param touched chunks in ascending order, from the latest that begins at or before the first time (or the
 * first chunk if there is none) to the latest that begins at or before the last time.
 * @throws AppError `unavailable` if a chunk is damaged.
 */
export function mergeIntoChunks(
  chart: ChartOfChunks,
  touched: readonly Chunk[],
  parts: readonly Columns[],
): ChunkChange {
  if (touched.length === 0) return changeOf([], encodeAll(chart, parts));
  const before: Chunk[] = [];
  const after: Chunk[] = [];
  for (const [index, chunk] of touched.entries()) {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : chunk.firstTimestamp;
    const to = touched[index + 1]?.firstTimestamp ?? Number.POSITIVE_INFINITY;
    const slices = parts
      .map((part) => columnsWithin(part, { from, to }))
      .filter(({ times }) => times.length > 0);
    const changed = slices.length === 0 ? undefined : mergeIntoChunk(chart, chunk, slices);
    if (changed === undefined) continue;
    before.push(chunk);
    after.push(...changed);
  }
  return changeOf(before, after);
}

/** Makes the change that replaces some rows by others. */
function changeOf(before: readonly Chunk[], written: readonly Chunk[]): ChunkChange {
  const kept = new Set(written.map(({ firstTimestamp }) => firstTimestamp));
  const starts = before.map(({ firstTimestamp }) => firstTimestamp);
  return { removed: starts.filter((start) => !kept.has(start)), written };
}

/** Makes the chunks that replace a chunk; undefined if nothing changes. */
function mergeIntoChunk(chart: ChartOfChunks, chunk: Chunk, added: readonly Columns[]): Chunk[] | undefined {
  const before = decodeChunk(chunk);
  const lastTime = before.times.at(-1) ?? 0;
  const isLater = added.every(({ times }) => (times[0] ?? 0) > lastTime);
  const parts = [before, ...added];
  const isLine = chart.isLine && isOfLine(chunk);
  const after = encodeAll({ ...chart, isLine }, parts, isLater ? chunkLimits.maxTimes : evenTimes(parts));
  const isSame =
    after.length === 1 && after[0] !== undefined && Buffer.compare(after[0].bytes, chunk.bytes) === 0;
  return isSame ? undefined : after;
}

/** Merges columns of one chart, and encodes them. Equal content gives equal bytes. */
function encodeAll(
  chart: ChartOfChunks,
  parts: readonly Columns[],
  maxTimes = chunkLimits.maxTimes,
): Chunk[] {
  const merged = mergeColumns(parts, { ...chunkLimits, isLine: chart.isLine, maxTimes });
  return Array.from(merged, (part) => encodeChunk(chart, part));
}

/**
 * Finds the number of times per chunk that splits columns evenly. With a full chunk and a short one, each
 * time inserted into the full chunk would become a chunk of its own.
 */
function evenTimes(parts: readonly Columns[]): number {
  const timeCount = new Set(parts.flatMap(({ times }) => [...times])).size;
  return Math.ceil(timeCount / Math.ceil(timeCount / chunkLimits.maxTimes));
}

/** The rest of a chunk after times were removed. */
export interface CutChunk {
  readonly kept: readonly Chunk[];
  /** Number of times that remain. */
  readonly keptCount: number;
  readonly lostCount: number;
  /** Last removed time; undefined if no time was removed. */
  readonly lastLost: number | undefined;
}

/** Removes the times of a window from a chunk. @throws AppError `unavailable` if the chunk is damaged. */
export function cutChunk(chunk: Chunk, { from, to }: DataWindow): CutChunk {
  const columns = decodeChunk(chunk);
  const kept = [
    columnsWithin(columns, { from: Number.NEGATIVE_INFINITY, to: from }),
    columnsWithin(columns, { from: Math.max(from, to), to: Number.POSITIVE_INFINITY }),
  ].filter(({ times }) => times.length > 0);
  const keptCount = kept.reduce((sum, { times }) => sum + times.length, 0);
  return {
    kept: encodeAll({ uid: chunk.chartUid, isLine: isOfLine(chunk) }, kept),
    keptCount,
    lostCount: columns.times.length - keptCount,
    lastLost: columns.times.findLast((time) => time >= from && time < to),
  };
}
