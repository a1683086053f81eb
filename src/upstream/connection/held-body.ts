/** Holds a body of any size until it is written to the store: a small one in memory, a larger one in a temporary file. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../model/app-error.ts';

/** The most bytes that are held in memory. */
const maxMemoryBytes = 1024 * 1024;

const blockBytes = 1024 * 1024;

/** A body that grows at its end. Disposing of it frees its memory and its file. */
export class HeldBody implements AsyncDisposable {
  /** Bytes that are not in the file. */
  #chunks: Uint8Array[] = [];
  #memoryBytes = 0;
  #fileBytes = 0;
  #file: FileHandle | undefined;
  readonly #folder: string;

  /** @param folder for the file; that of the system for temporary files by default. */
  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
  }

  get sizeBytes(): number {
    return this.#fileBytes + this.#memoryBytes;
  }

  /** Adds bytes. Rejects with `unavailable` if the temporary file cannot be written. */
  async add(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk);
    this.#memoryBytes += chunk.length;
    if (this.#memoryBytes > maxMemoryBytes) await this.#spill();
  }

  /** Forgets all bytes. */
  async clear(): Promise<void> {
    this.#chunks = [];
    this.#memoryBytes = 0;
    this.#fileBytes = 0;
    await this.#file?.close();
    this.#file = undefined;
  }

  /** Returns the whole body if it is in memory. */
  findSmall(): Uint8Array | undefined {
    return this.#file === undefined ? Buffer.concat(this.#chunks) : undefined;
  }

  /** Reads the body; it may be read several times. */
  async *blocks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.#fileBytes; ) {
      const { bytesRead, buffer } = await this.#read(at);
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
    yield* this.#chunks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.clear();
  }

  async #read(at: number) {
    const lengthBytes = Math.min(blockBytes, this.#fileBytes - at);
    const read = await this.#file?.read(Buffer.allocUnsafe(lengthBytes), 0, lengthBytes, at);
    if (read === undefined || read.bytesRead === 0)
      throw new Error('the temporary file is shorter than it was');
    return read;
  }

  async #spill(): Promise<void> {
    try {
      this.#file ??= await openUnnamed(this.#folder);
      for (const chunk of this.#chunks) {
        await this.#file.appendFile(chunk);
        this.#fileBytes += chunk.length;
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `a body of more than ${maxMemoryBytes} bytes cannot be kept in ${this.#folder}: ${reason}`;
      throw new AppError('unavailable', message, { cause: error });
    }
    this.#chunks = [];
    this.#memoryBytes = 0;
  }
}

/** Opens a temporary file without a name, so that a process that is killed leaves nothing behind. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `plugin-metrics-archive-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}
