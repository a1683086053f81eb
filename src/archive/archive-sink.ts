/** Opens the destination of an archive: standard output, a pipe or device, or a file that appears once it is complete. */
import { randomInt } from 'node:crypto';
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../model/app-error.ts';
import { writeFault } from '../runtime/system-faults.ts';
import { compressed, type Sink } from './compress.ts';

/** Options for a file. */
export interface FileOptions {
  /** True to replace an existing file. */
  readonly isReplacing?: boolean;
}

/**
 * Opens a destination by name; `-` is standard output. Names that end in `.gz` or `.zst` are compressed.
 * @throws AppError `conflict` if the file exists and may not be replaced, `unavailable` if the archive cannot be written.
 */
export async function openSink(file: string, { isReplacing = false }: FileOptions = {}): Promise<Sink> {
  if (file === '-') return standardOutput();
  return compressed(file, await writing(file, () => openPlace(file, isReplacing)));
}

/** Opens a path. Pipes and devices are written directly, because renaming a file onto them would replace them. */
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

/** Moves a file to an unused name. Unlike a rename, a link never replaces a file that was created in the meantime. */
async function linkOnce(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? isThere(to) : error;
  }
}

/** Syncs a folder, so that the new file name survives a crash; does nothing where the system does not support it. */
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
