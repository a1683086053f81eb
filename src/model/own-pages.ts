/** Memory whose pages go back to the system as soon as it is freed. `malloc` would keep them. */

/** Size from which bytes are worth pages of their own. */
export const minPagesBytes = 64 * 1024;

/** Makes memory for bytes, all 0. */
export function makePages(sizeBytes: number): Buffer {
  // A resizable ArrayBuffer has such pages.
  return Buffer.from(new ArrayBuffer(sizeBytes, { maxByteLength: sizeBytes }), 0, sizeBytes);
}

/** True if bytes are the whole of memory made by {@link makePages}. */
export function fillsPages({ buffer, length }: Uint8Array): boolean {
  return buffer instanceof ArrayBuffer && buffer.resizable && length === buffer.byteLength;
}

/** Gives the pages of bytes that fill them back to the system before they are collected; the bytes are empty then. */
export function releasePages(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (fillsPages(bytes) && buffer instanceof ArrayBuffer) buffer.resize(0);
}
