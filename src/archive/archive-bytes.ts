/** The bytes of an archive: from a file or standard input, plain, gzip or zstd, told by the first bytes. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { AppError } from '../model/app-error.ts';

/** An archive that is being read. */
export interface ArchiveBytes {
  /** Its name in messages: the file's, or `<stdin>`. */
  readonly name: string;
  /** Size of the file as it lies on disk; undefined for what has none. */
  readonly sizeBytes: number | undefined;
  /** How much of that has been read. */
  readonly readBytes: () => number;
  readonly blocks: () => AsyncIterable<Uint8Array>;
}

const blockBytes = 1024 * 1024;

/**
 * Opens an archive; `-` is standard input.
 * @throws AppError `invalid` for a file that is missing, cannot be read or is none.
 */
export async function openArchiveBytes(file: string): Promise<ArchiveBytes> {
  const isInput = file === '-';
  const name = isInput ? '<stdin>' : file;
  const sizeBytes = isInput ? undefined : await fileSize(file);
  let readBytes = 0;
  async function* raw(): AsyncGenerator<Uint8Array> {
    const stream = isInput ? process.stdin : createReadStream(file, { highWaterMark: blockBytes });
    try {
      for await (const block of stream) {
        readBytes += block.length;
        yield block;
      }
    } catch (error) {
      throw unreadable(name, error);
    }
  }
  return { name, sizeBytes, readBytes: () => readBytes, blocks: () => decompressed(raw()) };
}

async function fileSize(file: string): Promise<number | undefined> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw new AppError('invalid', 'is a directory, not an archive', { place: file });
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
  };
  const reason = reasons[String(error.code)] ?? error.message;
  return new AppError('invalid', `cannot be read: ${reason}`, { place: name, cause: error });
}

async function* decompressed(raw: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = new Uint8Array(0);
  while (head.length < 4) {
    const { value, done } = await raw.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const rest = withHead(head, raw);
  const decompressor = decompressorFor(head);
  if (decompressor === undefined) {
    yield* rest;
    return;
  }
  // What goes wrong upstream destroys the decompressor, and so comes out of the loop below.
  pipeline(Readable.from(rest), decompressor, () => {});
  try {
    yield* decompressor;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid', `the compressed archive is cut off or damaged: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function* withHead(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** RFC 1952 2.3.1 and RFC 8878 3.1.1 give the first bytes. */
function decompressorFor(head: Uint8Array): Transform | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return createGunzip({ chunkSize: blockBytes });
  const isZstd = head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;
  return isZstd ? createZstdDecompress({ chunkSize: blockBytes }) : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
