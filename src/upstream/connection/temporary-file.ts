/** Holds an archive in a temporary file until it is written to the store. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../model/app-error.ts';

/** Default size limit of a plugin archive, decoded. */
export const maxArchiveBytes = 1024 * 1024 * 1024;

const startBytes = 64;
const startPattern = /^\{\s*"record"\s*:\s*"archive"/;

const endBytes = 256;
const endPattern = /\n\{[^\n]*"record"\s*:\s*"end"[^\n]*\}\s*$/;

/** Decodes each byte to one character. */
const latin1 = new TextDecoder('latin1');

/**
 * Opens a temporary file and removes its name, so that a killed process leaves no file behind.
 * @throws AppError `unavailable`.
 */
export function openTemporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `plugin-metrics-archive-${randomUUID()}`);
  return kept(async () => {
    const file = await open(path, 'wx+', 0o600);
    await rm(path);
    return file;
  });
}

/**
 * Writes an archive response into a file. The file stays empty if the response is not an archive but, say, a
 * web page.
 * @throws AppError `invalid` if the archive exceeds the limit, `unavailable` if the file cannot be written;
 * Error if the archive is truncated; the error of `fetch` if the connection breaks.
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
  // HTTP cannot detect the truncation of a response without a length.
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
