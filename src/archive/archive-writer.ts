/** Writes records to an archive. */
import { randomInt } from 'node:crypto';
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { constants, createGzip, createZstdCompress, type Gzip, type ZstdCompress } from 'node:zlib';
import { AppError } from '../model/app-error.ts';
import { type ArchiveVersion, archiveVersions, type MetricsRecord } from '../model/metrics-record.ts';
import type { MetricsWriter } from '../model/metrics-writer.ts';
import { systemCode, writeFault } from '../runtime/system-faults.ts';
import { renderRecord } from '../series/record-text.ts';

/**
 * Opens an archive for writing. Records must come in the order of a store: a chart before its data.
 * @param file `-` is standard output; a file appears only when it is complete.
 * @throws AppError as `openSink`.
 */
export async function openArchiveWriter(file: string, options: FileOptions = {}): Promise<MetricsWriter> {
  return new ArchiveWriter(await openSink(file, options));
}

const blockBytes = 1024 * 1024;

class ArchiveWriter implements MetricsWriter {
  readonly #sink: Sink;
  #block = Buffer.allocUnsafe(blockBytes);
  #used = 0;
  #isBegun = false;
  #recordCount = 0;
  #typeName = '';

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  async write(records: readonly MetricsRecord[]): Promise<void> {
    for (const record of records) {
      this.#begin(record.kind === 'archive' ? record.version : archiveVersions.withoutPast);
      if (record.kind === 'archive') continue;
      if (record.kind === 'end') this.#append(`{"record":"end","records":${this.#recordCount}}\n`);
      else this.#writeRecord(record);
      if (this.#used >= blockBytes / 2) await this.#flush();
    }
  }

  async commit(): Promise<void> {
    await this.#flush();
    await this.#sink.finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sink[Symbol.asyncDispose]();
  }

  /** Writes the header once. */
  #begin(version: ArchiveVersion): void {
    if (this.#isBegun) return;
    this.#append(`{"record":"archive","version":${version}}\n`);
    this.#isBegun = true;
  }

  #writeRecord(record: Exclude<MetricsRecord, { kind: 'end' | 'archive' }>): void {
    this.#recordCount++;
    if (record.kind === 'chart') this.#typeName = record.chart.type;
    for (const part of renderRecord(record, this.#typeName)) this.#append(part);
  }

  #append(part: string | Uint8Array): void {
    // One UTF-16 code unit takes at most three bytes in UTF-8.
    this.#reserve(part.length * 3);
    if (typeof part === 'string') this.#used += this.#block.write(part, this.#used);
    else {
      this.#block.set(part, this.#used);
      this.#used += part.length;
    }
  }

  #reserve(byteCount: number): void {
    if (this.#used + byteCount <= this.#block.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#used + byteCount));
    this.#block.copy(larger, 0, 0, this.#used);
    this.#block = larger;
  }

  async #flush(): Promise<void> {
    await this.#sink.write(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }
}

/** Options for a file. */
interface FileOptions {
  /** True to replace an existing file. */
  readonly isReplacing?: boolean;
}

/**
 * Opens a destination by name; `-` is standard output. Names that end in `.gz` or `.zst` are compressed.
 * @throws AppError `conflict` if the file exists and may not be replaced, `unavailable` if the archive cannot
 * be written.
 */
async function openSink(file: string, { isReplacing = false }: FileOptions = {}): Promise<Sink> {
  if (file === '-') return standardOutput();
  return compressed(file, await writing(file, () => openPlace(file, isReplacing)));
}

/**
 * Opens a path. Pipes and devices are written directly, because renaming a file onto them would replace them.
 */
async function openPlace(file: string, isReplacing: boolean): Promise<Sink> {
  if (existsSync(file) && !statSync(file).isFile()) return handleSink(file, await open(file, 'w'));
  if (isReplacing)
    return newFile(file, { target: existsSync(file) ? realpathSync(file) : file, publish: rename });
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw isThere(file);
  return newFile(file, { target: file, publish: linkOnce });
}

/** Opens a temporary file in the same folder, which moves to its final name when it is complete. */
async function newFile(
  file: string,
  place: { readonly target: string; readonly publish: (from: string, to: string) => Promise<void> },
): Promise<Sink> {
  const { target, publish } = place;
  const partial = `${target}.partial-${randomInt(2 ** 47)}`;
  const handle = await open(partial, 'wx');
  const sink = handleSink(file, handle);
  return {
    write: sink.write,
    finish: () =>
      writing(file, async () => {
        await handle.sync();
        await sink.finish();
        await publish(partial, target);
        await syncFolder(dirname(target));
      }),
    [Symbol.asyncDispose]: async () => {
      await handle.close();
      await rm(partial, { force: true });
    },
  };
}

/**
 * Moves a file to an unused name. Unlike a rename, a link never replaces a file that was created in the
 * meantime.
 */
async function linkOnce(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? isThere(to) : error;
  }
}

/**
 * Syncs a folder, so that the new file name survives a crash; does nothing where the system does not support
 * it.
 */
async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch {
    // The file is complete and synced; the system writes its name within seconds anyway.
  }
}

function handleSink(file: string, handle: FileHandle): Sink {
  return {
    write: (bytes) => writing(file, () => handle.writeFile(bytes)),
    finish: () => writing(file, () => handle.close()),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

function standardOutput(): Sink {
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error ? reject(unwritable('-', error)) : resolve()));
      }),
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

async function writing<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? error : unwritable(file, error);
  }
}

function isThere(file: string): AppError {
  return new AppError('conflict', 'the file exists already; --force replaces it', { place: file });
}

function unwritable(file: string, error: unknown): AppError {
  const [place, path] = file === '-' ? ['<stdout>'] : [file, file];
  const reason = writeFault(path, error as Error);
  return new AppError('unavailable', `cannot be written: ${reason}`, { place, cause: error });
}

/** Destination of bytes. Disposing of it removes an unfinished file. */
interface Sink extends AsyncDisposable {
  /** Writes bytes; the caller may reuse the buffer once the promise resolves. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly finish: () => Promise<void>;
}

const chunkSize = 256 * 1024;

/** Wraps a sink in a compressing one if the file name asks for it. */
export function compressed(file: string, sink: Sink): Sink {
  if (/\.gz$/i.test(file)) return compressedBy(createGzip({ chunkSize }), sink);
  // The checksum lets readers detect damage; gzip always includes one.
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  if (/\.zst$/i.test(file)) return compressedBy(createZstdCompress({ chunkSize, params }), sink);
  return sink;
}

function compressedBy(compressor: Gzip | ZstdCompress, sink: Sink): Sink {
  const pumped = pump();
  // The next write, or `finish`, reports this error.
  pumped.catch(() => {});
  return {
    // If the sink fails, nobody reads from the compressor and the write would never end; `pumped` then
    // rejects first.
    write: (bytes) => Promise.race([pumped, written(bytes)]),
    finish: async () => {
      compressor.end();
      await pumped;
      await sink.finish();
    },
    [Symbol.asyncDispose]: async () => {
      compressor.destroy();
      await Promise.allSettled([pumped]);
      await sink[Symbol.asyncDispose]();
    },
  };

  async function pump(): Promise<void> {
    for await (const block of compressor) await sink.write(block);
  }

  function written(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => compressor.write(bytes, () => resolve()));
  }
}
