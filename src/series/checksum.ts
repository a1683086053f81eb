/**
 * The checksum of a chunk: a CRC-32 of its first timestamp and its bytes, in its last four bytes. In a table the key of the
 * row is mixed in as well, so that a chunk of another chart is found out.
 */
import { crc32 } from 'node:zlib';

/** The size of a checksum. */
export const checksumBytes = 4;

/** Copies the first `length` bytes of the target and appends their checksum. */
export function withChecksum(target: Uint8Array, length: number, firstTimestamp: number): Uint8Array {
  const checked = target.slice(0, length + checksumBytes);
  setUint32At(checked, length, checksum(checked.subarray(0, length), firstTimestamp));
  return checked;
}

/**
 * Checks and removes the checksum.
 * @throws RangeError for a wrong checksum.
 */
export function withoutChecksum(checked: Uint8Array, firstTimestamp: number): Uint8Array {
  const length = checked.length - checksumBytes;
  const content = checked.subarray(0, Math.max(0, length));
  if (length >= 0 && uint32At(checked, length) === checksum(content, firstTimestamp)) return content;
  throw new RangeError('its checksum is wrong');
}

/** Copies the bytes and mixes the key of their row into the checksum. */
export function bindChecksum(checked: Uint8Array, uid: number, firstTimestamp: number): Uint8Array {
  return unbindChecksum(new Uint8Array(checked), uid, firstTimestamp);
}

/**
 * Takes the key of the row out of the checksum, in place. This is an exclusive or: doing it again mixes the key in.
 */
export function unbindChecksum(bound: Uint8Array, uid: number, firstTimestamp: number): Uint8Array {
  if (bound.length < checksumBytes) return bound;
  // The CRC-32 begins with the lower half of the timestamp; its upper half has 21 bits.
  const key = (uid % largestPrime) ^ (Math.floor(firstTimestamp / 2 ** 32) << 11);
  const at = bound.length - checksumBytes;
  setUint32At(bound, at, uint32At(bound, at) ^ key);
  return bound;
}

/** The largest prime below 2^32: no two uids that differ in one bit have the same remainder. */
const largestPrime = 4_294_967_291;

function checksum(content: Uint8Array, firstTimestamp: number): number {
  return crc32(content, (firstTimestamp % 2 ** 32) >>> 0);
}

// By hand, because a DataView for each chunk would cost more.

function uint32At(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

function setUint32At(bytes: Uint8Array, at: number, integer: number): void {
  bytes[at] = integer >>> 24;
  bytes[at + 1] = integer >>> 16;
  bytes[at + 2] = integer >>> 8;
  bytes[at + 3] = integer;
}
