/** Verifies a stored chunk or block. */
import { AppError } from '../model/app-error.ts';
import { maxTimestamp, type Points } from '../model/points.ts';
import { type Chunk, decodeChunk } from './chunk.ts';
import { decodeBlock, isBlock } from './history-block.ts';

/**
 * Describes the fault of a chunk; undefined for a good one.
 * @param nextTimestamp the first timestamp of the next chunk.
 */
export function verifyChunk(chunk: Chunk, nextTimestamp = Number.POSITIVE_INFINITY): string | undefined {
  let times: Float64Array;
  let columns: readonly Float64Array[];
  try {
    ({ times, columns } = isBlock(chunk) ? decodeBlock(chunk) : columnsOf(decodeChunk(chunk)));
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  const last = times.at(-1) ?? Number.NaN;
  const name = `the ${isBlock(chunk) ? 'history' : 'chunk'} from ${chunk.firstTimestamp} on`;
  if (!times.every((time) => Number.isInteger(time) && time >= 0 && time <= maxTimestamp)) {
    return `${name} holds a timestamp out of range`;
  }
  if (!times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))) {
    return `${name} is not in ascending order`;
  }
  if (!columns.every((column) => column.every(Number.isFinite)))
    return `${name} holds a value that is no finite number`;
  if (last >= nextTimestamp) return `${name} reaches to ${last}, into the one from ${nextTimestamp} on`;
  return undefined;
}

function columnsOf({ timestamps, values }: Points) {
  return { times: timestamps, columns: [values] };
}
