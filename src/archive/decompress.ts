/** Decompresses gzip and zstd, detected by their first bytes. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { AppError } from '../model/app-error.ts';

/**
 * Yields the content of all gzip members or zstd frames; other input passes through unchanged.
 * @throws AppError `invalid` if the input is truncated or damaged, or if anything follows the last member or frame.
 */
export async function* decompress(raw: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = new Uint8Array(0);
  while (head.length < 4) {
    const { value, done } = await raw.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const isCompressed = isGzip(head) || isZstd(head);
  if (!isCompressed) {
    yield head;
    yield* raw;
    return;
  }
  const options = { chunkSize: 1024 * 1024 };
  const decompressor = isGzip(head) ? createGunzip(options) : createZstdDecompress(options);
  let givenBytes = 0;
  const given = async function* () {
    for await (const block of joined(head, raw)) {
      givenBytes += block.length;
      yield block;
    }
  };
  // An input error destroys the decompressor, so the loop below throws it.
  pipeline(Readable.from(given()), decompressor, () => {});
  try {
    yield* decompressor;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message : error;
    throw new AppError('invalid', `the compressed archive is cut off or damaged: ${reason}`, {
      cause: error,
    });
  }
  // The decompressor silently stops at bytes outside its format.
  if (decompressor.bytesWritten < givenBytes)
    throw new AppError('invalid', 'there is other data after the end of the compressed archive');
}

/** Detects gzip (RFC 1952 2.3.1). */
function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Detects zstd (RFC 8878 3.1.1), including skippable frames (3.1.2). */
function isZstd(head: Uint8Array): boolean {
  return /^(?:28b52ffd|5.2a4d18)/.test(Buffer.from(head.subarray(0, 4)).toString('hex'));
}

// An empty skippable frame. Node does not notice input that ends within the first bytes of a frame; followed by this, such bytes are an invalid frame.
const emptyFrame = Buffer.from('502a4d1800000000', 'hex');

async function* joined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
  if (isZstd(head)) yield emptyFrame;
}
