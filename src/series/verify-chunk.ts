/** Verifies a stored chunk. */
import { AppError } from '../model/app-error.ts';
import { maxTimestamp, type Points } from '../model/points.ts';
import { type Chunk, decodeChunk } from './chunk.ts';

/**
 * Describes the fault of a chunk; undefined for a good one.
 * @param nextTimestamp the first timestamp of the next chunk.
 */
export function verifyChunk(chunk: Chunk, nextTimestamp = Number.POSITIVE_INFINITY): string | undefined {
  let points: Points;
  try {
    points = decodeChunk(chunk);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  const { timestamps, values } = points;
  const last = timestamps.at(-1) ?? Number.NaN;
  const name = `the chunk from ${chunk.firstTimestamp} on`;
  if (
    !timestamps.every(
      (timestamp) => Number.isInteger(timestamp) && timestamp >= 0 && timestamp <= maxTimestamp,
    )
  ) {
    return `${name} holds a timestamp out of range`;
  }
  if (!timestamps.every((timestamp, index) => index === 0 || timestamp > (timestamps[index - 1] ?? 0))) {
    return `${name} is not in ascending order`;
  }
  if (!values.every(Number.isFinite)) return `${name} holds a value that is no finite number`;
  if (last >= nextTimestamp) return `${name} reaches to ${last}, into the one from ${nextTimestamp} on`;
  return undefined;
}
