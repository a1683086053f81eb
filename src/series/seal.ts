/**
 * The seal of a chunk: a CRC-32 of its key and its bytes, in the last four of them. It tells a chunk that has
 * been damaged, or that stands at the wrong timestamp, from a good one.
 */
import { crc32 } from 'node:zlib';

/** How many bytes a seal takes. */
export const sealBytes = 4;

/** Writes the seal behind the `length` bytes that it vouches for, and gives all of them together. */
export function seal(target: Uint8Array, length: number, firstTimestamp: number): Uint8Array {
  const sealed = target.slice(0, length + sealBytes);
  viewOf(sealed).setUint32(length, checksum(sealed.subarray(0, length), firstTimestamp));
  return sealed;
}

/**
 * The bytes that a seal vouches for.
 * @throws RangeError for a broken seal.
 */
export function unseal(sealed: Uint8Array, firstTimestamp: number): Uint8Array {
  const length = sealed.length - sealBytes;
  const content = sealed.subarray(0, Math.max(0, length));
  if (length >= 0 && viewOf(sealed).getUint32(length) === checksum(content, firstTimestamp)) return content;
  throw new RangeError('its checksum is wrong');
}

function checksum(content: Uint8Array, firstTimestamp: number): number {
  return crc32(content, (firstTimestamp % 2 ** 32) >>> 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
