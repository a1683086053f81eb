/**
 * The timestamps of a chunk as runs of equal steps: `(step, count)`, as varints. A regular half-hourly series is
 * one run; a missing slot makes two runs more; an irregular series has a run a point.
 */
import { type Cursor, maxVarintBytes, readVarint, writeVarint } from './varint.ts';

/** Runs as they stand in the bytes of a chunk. */
export interface TimeRuns {
  readonly runCount: number;
  /** Where the last run begins. */
  readonly lastRunAt: number;
  readonly lastStep: number;
  readonly lastRunLength: number;
  readonly lastTimestamp: number;
}

/** How many bytes {@link writeTimes} may need at most. */
export function maxTimesBytes(pointCount: number): number {
  return (1 + 2 * pointCount) * maxVarintBytes;
}

/** Writes the steps between ascending timestamps and returns the offset behind them. */
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
 * Reads the timestamps behind the cursor, leaving out the first `skip`, into `into` from `offset` on.
 * @throws RangeError where the runs do not make up `pointCount` timestamps.
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
    // What is skipped of a run is one multiplication.
    const skipped = Math.max(0, Math.min(length, skip - index - 1));
    timestamp += step * skipped;
    index += skipped;
    const stepCount = length - skipped;
    const before = offset + index - skip;
    // No timestamp needs the one before it: a processor makes several at a time.
    for (let taken = 1; taken <= stepCount; taken++) into[before + taken] = timestamp + step * taken;
    timestamp += step * stepCount;
    index += stepCount;
  }
  if (index !== pointCount - 1) throw new RangeError('its timestamps are cut');
}

/**
 * Reads over the runs behind the cursor without making timestamps of them.
 * @throws RangeError where there are fewer runs than their count says.
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
