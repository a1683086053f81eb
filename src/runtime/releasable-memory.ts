/** Memory that returns to the system as soon as it is freed; `malloc` would keep it. */

/** Minimum size for which separate pages are worthwhile. */
export const minPagesBytes = 64 * 1024;

/** Allocates zeroed memory. */
export function makePages(sizeBytes: number): Buffer {
  // A resizable ArrayBuffer gets pages of its own.
  return Buffer.from(new ArrayBuffer(sizeBytes, { maxByteLength: sizeBytes }), 0, sizeBytes);
}

/**
 * Frees memory at once if the bytes cover all of it; the bytes are then empty. Empty bytes are skipped,
 * because they may share memory.
 */
export function release({ buffer, length }: Uint8Array): void {
  if (length > 0 && length === buffer.byteLength) free(buffer);
}

/** Frees memory at once instead of at the next garbage collection. All views of it are then empty. */
export function free(memory: ArrayBufferLike): void {
  if (memory instanceof ArrayBuffer) memory.transfer(0);
}
