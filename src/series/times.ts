/**
 * Encodes ascending times as runs of equal steps: the number of runs, then the step and the length of each
 * run, all as varints. A regular half-hourly series is one run; a missing slot adds two runs; an irregular
 * series has one run per time.
 */

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
    // Each time is computed independently of the one before, so that the processor can compute several in
    // parallel.
    for (let taken = 1; taken <= length; taken++) times[last + taken] = time + step * taken;
    time += step * length;
    last += length;
  }
  if (last !== times.length - 1) throw new RangeError('its times are cut');
}

/** Maximum number of bytes for an integer up to 2^53. */
export const maxVarintBytes = 8;

/** Writes an integer from 0 to 2^53; returns the offset after it. */
export function writeVarint(target: Uint8Array, offset: number, integer: number): number {
  let at = offset;
  let rest = integer;
  while (rest >= 0x80) {
    target[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  target[at++] = rest;
  return at;
}

/** A position in bytes, which reads advance. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/**
 * Reads the integer at the cursor; NaN beyond the end of the bytes, which fails every comparison with a
 * bound.
 */
export function readVarint(cursor: Cursor): number {
  let integer = 0;
  for (let scale = 1; scale <= 2 ** 49; scale *= 0x80) {
    const byte = cursor.bytes[cursor.at++] ?? Number.NaN;
    if (!(byte >= 0x80)) return integer + byte * scale;
    integer += (byte - 0x80) * scale;
  }
  return Number.NaN;
}

/** Maps signed integers to unsigned ones, small to small: 0, -1, 1, -2 … to 0, 1, 2, 3 … */
export function zigzag(integer: number): number {
  return integer < 0 ? -2 * integer - 1 : 2 * integer;
}

/** Reverses {@link zigzag}. */
export function unzigzag(unsigned: number): number {
  return unsigned % 2 === 0 ? unsigned / 2 : -(unsigned + 1) / 2;
}
