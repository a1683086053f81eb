/**
 * Encodes ascending times as runs of equal steps: the number of runs, then the step and the length of each run, all as varints. A regular
 * half-hourly series is one run; a missing slot adds two runs; an irregular series has one run per time.
 */
import { type Cursor, maxVarintBytes, readVarint, writeVarint } from './varint.ts';

/** Returns the maximum number of bytes that {@link writeTimes} needs. */
export function maxTimesBytes(timeCount: number): number {
  return (1 + 2 * timeCount) * maxVarintBytes;
}

/** Writes the steps between times; returns the offset after them. */
export function writeTimes(times: Float64Array, target: Uint8Array, offset: number): number {
  const runs: { readonly step: number; length: number }[] = [];
  for (let index = 1; index < times.length; index++) {
    const step = (times[index] ?? 0) - (times[index - 1] ?? 0);
    const last = runs.at(-1);
    if (last?.step === step) last.length++;
    else runs.push({ step, length: 1 });
  }
  let at = writeVarint(target, offset, runs.length);
  for (const { step, length } of runs) at = writeVarint(target, writeVarint(target, at, step), length);
  return at;
}

/**
 * Reads times at the cursor until the array is full.
 * @throws RangeError if the runs do not add up to the length of the array.
 */
export function readTimes(cursor: Cursor, firstTimestamp: number, times: Float64Array): void {
  let time = firstTimestamp;
  let last = 0;
  times[0] = time;
  const runCount = readVarint(cursor);
  for (let run = 0; run < runCount; run++) {
    const step = readVarint(cursor);
    const length = readVarint(cursor);
    if (!(step > 0 && last + length < times.length)) throw new RangeError('the runs of its times are wrong');
    // Each time is computed independently of the one before, so that the processor can compute several in parallel.
    for (let taken = 1; taken <= length; taken++) times[last + taken] = time + step * taken;
    time += step * length;
    last += length;
  }
  if (last !== times.length - 1) throw new RangeError('its times are cut');
}
