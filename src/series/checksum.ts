/**
 * The checksum of a chunk: a CRC-32 of its key and its bytes, in its last four bytes. It tells a chunk that has been
 * damaged, or that stands at the wrong timestamp, from a good one.
 */
import { crc32 } from 'node:zlib';

/** The size of a checksum. */
export const checksumBytes = 4;

/** The first `length` bytes of the target with their checksum behind them. */
export function withChecksum(target: Uint8Array, length: number, firstTimestamp: number): Uint8Array {
  const checked = target.slice(0, length + checksumBytes);
  viewOf(checked).setUint32(length, checksum(checked.subarray(0, length), firstTimestamp));
  return checked;
}

/**
 * The bytes without their checksum.
 * @throws RangeError for a wrong checksum.
 */
export function withoutChecksum(checked: Uint8Array, firstTimestamp: number): Uint8Array {
  const length = checked.length - checksumBytes;
  const content = checked.subarray(0, Math.max(0, length));
  if (length >= 0 && viewOf(checked).getUint32(length) === checksum(content, firstTimestamp)) return content;
  throw new RangeError('its checksum is wrong');
}

function checksum(content: Uint8Array, firstTimestamp: number): number {
  return crc32(content, (firstTimestamp % 2 ** 32) >>> 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
