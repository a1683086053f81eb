/** Keeps an archive in a temporary file until it is written to the store. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../model/app-error.ts';

/** The largest archive of a plugin, decoded. */
export const maxArchiveBytes = 1024 * 1024 * 1024;

const startBytes = 64;
const startPattern = /^\{\s*"record"\s*:\s*"archive"/;

const endBytes = 256;
const endPattern = /\n\{[^\n]*"record"\s*:\s*"end"[^\n]*\}\s*$/;

/** A character for each byte. */
const latin1 = new TextDecoder('latin1');

/** Opens a file without a name, so that a process that is killed leaves nothing behind. @throws AppError `unavailable`. */
export function openTemporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `plugin-metrics-archive-${randomUUID()}`);
  return kept(async () => {
    const file = await open(path, 'wx+', 0o600);
    await rm(path);
    return file;
  });
}

/**
 * Writes the archive of a response into a file, which stays empty if the response is something else, such as a page.
 * @throws AppError `invalid` for an archive over the bound, `unavailable` for a file that cannot be written, Error for an archive that stops in
 *   the middle, and the error of `fetch` for a cut connection.
 */
export async function receiveArchive(response: Response, file: FileHandle, maxBytes: number): Promise<void> {
  let start = '';
  let end = '';
  let sizeBytes = 0;
  await file.truncate(0);
  // Leaving the loop cancels the response.
  for await (const chunk of response.body ?? []) {
    start += latin1.decode(chunk.subarray(0, startBytes - start.length));
    if (start.length === startBytes && !startPattern.test(start)) break;
    end = (end + latin1.decode(chunk.subarray(-endBytes))).slice(-endBytes);
    if (sizeBytes + chunk.length > maxBytes)
      throw new AppError('invalid', `the archive has more than ${maxBytes} bytes`);
    const at = sizeBytes;
    await kept(() => file.write(chunk, 0, chunk.length, at));
    sizeBytes += chunk.length;
  }
  if (!startPattern.test(start)) await file.truncate(0);
  // To HTTP, a cut response without a length looks complete.
  else if (!endPattern.test(end)) throw new Error('the archive stops in the middle');
}

async function kept<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    const message = `the archive cannot be kept in ${tmpdir()}: ${(cause as Error).message}`;
    throw new AppError('unavailable', message, { cause });
  }
}
