/**
 * The checksum of a chunk: a CRC-32 of its bytes and its first timestamp, in its last four bytes. In a table it is
 * bound to the whole key of the row as well, so that a chunk of another chart is told from a good one.
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

/**
 * A copy of the bytes with the key of their row taken into the checksum; doing it again takes the key out.
 * It is an exclusive or, so that a database can do it too (see the migrations).
 */
export function bindChecksum(checked: Uint8Array, uid: number, firstTimestamp: number): Uint8Array {
  const bound = new Uint8Array(checked);
  if (bound.length < checksumBytes) return bound;
  const at = bound.length - checksumBytes;
  // The CRC-32 begins with the lower half of the timestamp; its upper half has 21 bits.
  const key = (uid % largestPrime) ^ (Math.floor(firstTimestamp / 2 ** 32) << 11);
  viewOf(bound).setUint32(at, viewOf(bound).getUint32(at) ^ key);
  return bound;
}

/** The largest prime below 2^32: no two uids that differ in one bit have the same remainder. */
const largestPrime = 4_294_967_291;

function checksum(content: Uint8Array, firstTimestamp: number): number {
  return crc32(content, (firstTimestamp % 2 ** 32) >>> 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
