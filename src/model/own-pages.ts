/** Memory whose pages go back to the system as soon as it is freed. `malloc` would keep them. */

/** Size from which bytes are worth pages of their own. */
export const minPagesBytes = 64 * 1024;

/** Makes memory for bytes, all 0. */
export function makePages(sizeBytes: number): Buffer {
  // A resizable ArrayBuffer has such pages.
  return Buffer.from(new ArrayBuffer(sizeBytes, { maxByteLength: sizeBytes }), 0, sizeBytes);
}

/** Frees memory that bytes are the whole of, at once; the bytes are empty then. Those that are empty already may be shared. */
export function release({ buffer, length }: Uint8Array): void {
  if (length > 0 && length === buffer.byteLength) free(buffer);
}

/** Frees memory at once, and not when its objects are collected. All that is in it is empty then. */
export function free(memory: ArrayBufferLike): void {
  if (memory instanceof ArrayBuffer) memory.transfer(0);
}
