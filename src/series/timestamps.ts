/**
 * The timestamps of a chunk as runs of equal steps: `(step, count)`, as varints. A regular half-hourly series is
 * one run; a missing slot makes two runs more; an irregular series has a run a point.
 */
import { type Cursor, maxVarintBytes, readVarint, writeVarint } from './varint.ts';

/** A summary of the runs in a chunk. */
export interface TimeRuns {
  readonly runCount: number;
  /** Offset of the last run. */
  readonly lastRunAt: number;
  readonly lastStep: number;
  readonly lastRunLength: number;
  readonly lastTimestamp: number;
}

/** The most bytes that {@link writeTimes} needs. */
export function maxTimesBytes(pointCount: number): number {
  return (1 + 2 * pointCount) * maxVarintBytes;
}

/** Writes the steps between ascending timestamps and returns the offset after them. */
export function writeTimes(timestamps: Float64Array, target: Uint8Array, offset: number): number {
  const runs: { step: number; length: number }[] = [];
  let last: { step: number; length: number } | undefined;
  for (let index = 1; index < timestamps.length; index++) {
    const step = (timestamps[index] ?? 0) - (timestamps[index - 1] ?? 0);
    if (last?.step === step) last.length++;
    else {
      last = { step, length: 1 };
      runs.push(last);
    }
  }
  let at = writeVarint(target, offset, runs.length);
  for (const run of runs) {
    at = writeVarint(target, at, run.step);
    at = writeVarint(target, at, run.length);
  }
  return at;
}

/**
 * Reads timestamps at the cursor, without the first `skip`, to `into` from `offset` on.
 * @throws RangeError if the runs do not add up to `pointCount` timestamps.
 */
export function readTimes(
  cursor: Cursor,
  firstTimestamp: number,
  target: {
    readonly into: Float64Array;
    readonly offset: number;
    readonly pointCount: number;
    readonly skip: number;
  },
): void {
  const { into, offset, pointCount, skip } = target;
  let timestamp = firstTimestamp;
  let index = 0;
  if (skip === 0) into[offset] = timestamp;
  const runCount = readVarint(cursor);
  for (let run = 0; run < runCount; run++) {
    const step = readVarint(cursor);
    const length = readVarint(cursor);
    if (!(step > 0 && index + length < pointCount))
      throw new RangeError('the runs of its timestamps are wrong');
    // Skipping a part of a run takes one multiplication.
    const skipped = Math.max(0, Math.min(length, skip - index - 1));
    timestamp += step * skipped;
    index += skipped;
    const stepCount = length - skipped;
    const before = offset + index - skip;
    // No timestamp is computed from the one before it, so that the processor can compute several at a time.
    for (let taken = 1; taken <= stepCount; taken++) into[before + taken] = timestamp + step * taken;
    timestamp += step * stepCount;
    index += stepCount;
  }
  if (index !== pointCount - 1) throw new RangeError('its timestamps are cut');
}

/**
 * Reads the runs at the cursor without expanding them to timestamps.
 * @throws RangeError if there are fewer runs than their count says.
 */
export function scanTimes(cursor: Cursor, firstTimestamp: number): TimeRuns {
  const runCount = readVarint(cursor);
  let lastRunAt = cursor.at;
  let lastStep = 0;
  let lastRunLength = 0;
  let lastTimestamp = firstTimestamp;
  for (let run = 0; run < runCount; run++) {
    lastRunAt = cursor.at;
    lastStep = readVarint(cursor);
    lastRunLength = readVarint(cursor);
    if (!(lastStep > 0 && lastRunLength > 0)) throw new RangeError('the runs of its timestamps are wrong');
    lastTimestamp += lastStep * lastRunLength;
  }
  return { runCount, lastRunAt, lastStep, lastRunLength, lastTimestamp };
}
