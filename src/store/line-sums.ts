/** Sums of lines, as both stores keep and read them: which ranges a change leaves to be summed up, and which points a read still needs. */
import { AppError } from '../model/app-error.ts';
import type { LinePart, SumStep } from '../model/line-sums.ts';
import type { TimeWindow } from '../model/metrics-reader.ts';
import { type Points, slicePoints } from '../model/points.ts';
import type { MakeRoom } from '../model/room.ts';
import { type Chunk, decodeRuns, lastTimestampOf } from '../series/chunk.ts';
import type { ChunkChange } from '../series/merge-chunks.ts';
import { firstFrom, stepAt } from '../series/steps.ts';
import { encodeSums, readBlockSums, sumRangeAt, sumRangeMs } from '../series/sum-block.ts';
import { sumRange } from '../series/sum-range.ts';

/** Lengths of the steps in milliseconds. */
const stepMs: Readonly<Record<SumStep, number>> = { day: 24 * 60 * 60 * 1000, week: 7 * 24 * 60 * 60 * 1000 };

/** The ranges of a line that a change touches, by their beginnings in ascending order. */
export interface ChangedRanges {
  readonly uid: number;
  readonly starts: readonly number[];
  /** The last range that is known to have points. Those before it are complete. */
  readonly last: number;
  /** The points of the merge, if they came behind all others that touch them. Until the last range there are no others from `since` on. */
  readonly appended?: { readonly points: Points; readonly since: number };
}

/**
 * Finds the ranges that a merge of points has changed; undefined if it has changed nothing.
 * @param touched the chunks that were merged into.
 */
export function changedRanges(
  uid: number,
  merged: { readonly touched: readonly Chunk[]; readonly points: Points; readonly change: ChunkChange },
): ChangedRanges | undefined {
  const { touched, points, change } = merged;
  const firsts = [...change.removed, ...change.written.map(({ firstTimestamp }) => firstTimestamp)];
  if (firsts.length === 0) return undefined;
  const { timestamps } = points;
  const [firstPoint = 0, lastPoint = 0] = [timestamps[0], timestamps.at(-1)];
  const before = touched.at(-1);
  const lastBefore = before === undefined ? firstPoint : lastTimestampOf(before);
  const starts = new Set<number>();
  // Behind what was the last point so far, its range may be complete now.
  starts.add(sumRangeAt(uid, lastBefore));
  // Points that have changed lie in chunks that have changed.
  for (let at = firstFrom(timestamps, Math.min(...firsts)); at < timestamps.length; ) {
    const start = sumRangeAt(uid, timestamps[at] ?? 0);
    starts.add(start);
    at = firstFrom(timestamps, start + sumRangeMs);
  }
  return {
    uid,
    starts: [...starts].sort((a, b) => a - b),
    last: sumRangeAt(uid, Math.max(lastPoint, lastBefore)),
    ...(before === undefined ? { appended: { points, since: Number.NEGATIVE_INFINITY } } : {}),
    ...(lastBefore < firstPoint ? { appended: { points, since: firstPoint } } : {}),
  };
}

/** Makes the ranges of a whole line from the first times of its chunks, and its last chunk. */
export function allRanges(uid: number, chunkStarts: readonly number[], lastChunk: Chunk): ChangedRanges {
  const starts = chunkStarts.map((firstTimestamp) => sumRangeAt(uid, firstTimestamp));
  return { uid, starts: [...new Set(starts)], last: sumRangeAt(uid, endOf(lastChunk)) };
}

/** Finds the time of the last point, or of the first one if the chunk is damaged. */
function endOf(chunk: Chunk): number {
  try {
    return lastTimestampOf(chunk);
  } catch (error) {
    if (error instanceof AppError) return chunk.firstTimestamp;
    throw error;
  }
}

/**
 * Lists the beginnings of the ranges to sum up: those that are complete, and the last one if it has sums. Most lines grow in the last one, one
 * point after another.
 * @param removed those that had sums, which have been removed.
 */
export function rangesToSum({ starts, last }: ChangedRanges, removed: readonly number[]): readonly number[] {
  return starts.filter((start) => start < last || removed.includes(start));
}

/** Returns the points of a range if the merge brought all of them, so that they need not be read. */
export function appendedIn({ appended, last }: ChangedRanges, start: number): readonly Points[] | undefined {
  return appended !== undefined && start < last && start >= appended.since ? [appended.points] : undefined;
}

/** Fewer points in a range, or a day on average, are read about as fast as their sums, which would take much of their size. */
const fewest = { inRange: 1024, perDay: 16 } as const;

/** The most chunks of a range: summing it up again for a late point must not take more than some milliseconds. */
export const maxChunksPerRange = 2048;

/**
 * Makes the block for a range; undefined where it needs none. A range with a damaged chunk has none: reads of its points report the damage, and
 * other points can still be imported.
 */
export function sumBlockOf(start: number, runs: Iterable<Points>): Chunk | undefined {
  try {
    const sums = sumRange(start, runs);
    if (sums === undefined) return undefined;
    const pointCount = sums.counts.reduce((sum, count) => sum + count, 0);
    return pointCount < Math.max(fewest.inRange, fewest.perDay * sums.days.length)
      ? undefined
      : encodeSums(sums);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Makes the block for a range from the chunks that reach into it, as {@link sumBlockOf} does. */
export function sumBlockOfChunks(start: number, chunks: readonly Chunk[]): Chunk | undefined {
  return chunks.length > maxChunksPerRange
    ? undefined
    : sumBlockOf(start, decodeRuns(chunks, Number.POSITIVE_INFINITY));
}

/** The bounds of the keys of sums that points between two times belong to; neither of the two is included. */
export function sumsBetween({ after, before }: { readonly after: number; readonly before: number }) {
  return { after: Math.max(after - sumRangeMs, Number.MIN_SAFE_INTEGER), before };
}

/** Options of {@link lineParts}. */
interface LineOptions {
  readonly window: TimeWindow;
  readonly step: SumStep;
  /** The blocks of sums whose ranges reach into the window, in ascending order. */
  readonly blocks: readonly Chunk[];
  /** Makes the room for the sums of each block. */
  readonly makeRoom: MakeRoom | undefined;
  readonly readPoints: (window: TimeWindow) => AsyncIterable<Points>;
}

/** Yields a line as `MetricsView.readSums` promises. */
export async function* lineParts({
  window,
  step,
  blocks,
  makeRoom,
  readPoints,
}: LineOptions): AsyncGenerator<LinePart> {
  const { from, to } = window;
  const firstStep = stepFrom(from, step);
  const lastStep = stepAt(to, stepMs[step]);
  let next = from;
  for (const block of blocks) {
    const start = Math.max(firstStep, block.firstTimestamp);
    const end = Math.min(lastStep, block.firstTimestamp + sumRangeMs);
    if (start >= end) continue;
    if (next < start) yield* pointsBetween(readPoints, next, start);
    const sums = readBlockSums(block, step, { from: start, to: end, makeRoom });
    if (sums.times.length > 0) yield { kind: 'sums', sums };
    next = end;
  }
  if (next < to) yield* pointsBetween(readPoints, next, to);
}

/** Finds the first step that begins at a time or after it. */
function stepFrom(time: number, step: SumStep): number {
  const begin = stepAt(time, stepMs[step]);
  return begin === time ? begin : begin + stepMs[step];
}

async function* pointsBetween(
  readPoints: LineOptions['readPoints'],
  from: number,
  to: number,
): AsyncGenerator<LinePart> {
  for await (const run of readPoints({ from, to })) {
    const points = slicePoints(run, firstFrom(run.timestamps, from), firstFrom(run.timestamps, to));
    if (points.timestamps.length > 0) yield { kind: 'points', points };
  }
}
