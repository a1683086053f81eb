/** Opens archives from files or standard input; gzip and zstd are detected by their first bytes. */
import { createReadStream, fstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { AppError, placed } from '../model/app-error.ts';
import { readFault } from '../runtime/system-faults.ts';

/** An archive that is being read. */
export interface ArchiveBytes {
  /** Name of the archive in messages: its file name, or `<stdin>`. */
  readonly name: string;
  /** Size of the file on disk; undefined for input without a size. */
  readonly sizeBytes: number | undefined;
  /** Returns the number of bytes read so far, before decompression. */
  readonly readBytes: () => number;
  readonly blocks: () => AsyncIterable<Uint8Array>;
}

/** The bytes with which every SQLite database begins (sqlite.org/fileformat2.html 1.3). */
export const sqliteStart = Buffer.from('SQLite format 3\0');

const blockBytes = 1024 * 1024;

/**
 * Opens an archive; `-` is standard input.
 * @throws AppError `invalid` if the path is missing, unreadable or not a file.
 */
export async function openArchiveBytes(file: string): Promise<ArchiveBytes> {
  const bytes = await openBytes(file);
  return { ...bytes, blocks: () => refusingStores(bytes.blocks(), bytes.name) };
}

/**
 * Opens a compressed backup of a store; returns undefined if the file is something else.
 * @throws AppError as {@link openArchiveBytes}.
 */
export async function openPackedStore(file: string): Promise<ArchiveBytes | undefined> {
  const bytes = await openBytes(file);
  try {
    for await (const block of bytes.blocks()) return isStore(block) ? bytes : undefined;
    return undefined;
  } catch (error) {
    throw placed(error, bytes.name);
  }
}

async function openBytes(file: string): Promise<ArchiveBytes> {
  const isInput = file === '-';
  const name = isInput ? '<stdin>' : file;
  const sizeBytes = isInput ? inputSize() : await fileSize(file);
  let readBytes = 0;
  async function* raw(stream: Readable): AsyncGenerator<Uint8Array> {
    try {
      for await (const block of stream) {
        readBytes += block.length;
        yield block;
      }
    } catch (error) {
      throw unreadable(name, error);
    }
  }
  async function* blocks(): AsyncGenerator<Uint8Array> {
    const stream = isInput ? process.stdin : createReadStream(file, { highWaterMark: blockBytes });
    try {
      yield* decompress(raw(stream));
    } finally {
      // Without this, an open standard input would keep the process running.
      stream.destroy();
    }
  }
  return { name, sizeBytes, readBytes: () => readBytes, blocks };
}

function isStore(block: Uint8Array): boolean {
  return sqliteStart.equals(block.subarray(0, sqliteStart.length));
}

/** Refuses a store, which people often try to import, by its first bytes. */
async function* refusingStores(blocks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const block of blocks) {
    if (isFirst && isStore(block)) {
      const said = 'this is a store, not an archive: "plugin-metrics restore" takes it';
      throw new AppError('invalid', said, { place: name });
    }
    isFirst = false;
    yield block;
  }
}

/** Finds the size of standard input if it is a file. */
function inputSize(): number | undefined {
  try {
    const stats = fstatSync(0);
    return stats.isFile() ? stats.size : undefined;
  } catch {
    // Standard input is closed; reading it reports the error.
    return undefined;
  }
}

async function fileSize(file: string): Promise<number | undefined> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw new AppError('invalid', 'is a directory, not a file', { place: file });
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(name: string, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) return error;
  const reason = readFault(name, error, `give it as standard input, which the shell opens: - < ${name}`);
  return new AppError('invalid', `cannot be read: ${reason}`, { place: name, cause: error });
}

/**
 * Yields the content of all gzip members or zstd frames; other input passes through unchanged.
 * @throws AppError `invalid` if the input is truncated or damaged, or if anything follows the last member or
 * frame.
 */
async function* decompress(raw: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
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

// An empty skippable frame. Node does not notice input that ends within the first bytes of a frame; followed
// by this, such bytes are an invalid frame.
const emptyFrame = Buffer.from('502a4d1800000000', 'hex');

async function* joined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
  if (isZstd(head)) yield emptyFrame;
}
