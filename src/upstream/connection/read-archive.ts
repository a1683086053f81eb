/** Reads archives from responses, within bounds, and tells a response that is no archive from one that breaks off. */
import { AppError } from '../../model/app-error.ts';
import { maxRecordBytes } from '../../model/record-json.ts';
import type { HeldBody } from './held-body.ts';

/** The largest archive of a plugin, decoded. */
export const maxArchiveBytes = 1024 * 1024 * 1024;

const newline = 0x0a;

const startBytes = 64;
const startPattern = /^\{\s*"record"\s*:\s*"archive"/;

const endBytes = 256;
const endPattern = /\n\{[^\n]*"record"\s*:\s*"end"[^\n]*\}\s*$/;

/** Options of {@link readArchiveBody}. */
interface ReadArchiveOptions {
  readonly maxBytes: number;
  /** Called with the size of each part that has come. */
  readonly onBytes: (count: number) => void;
}

/**
 * Reads an archive into a body, which stays empty if the response is something else, such as a page.
 * @throws AppError `invalid` for an archive or a line over the bounds, Error for one that stops in the middle, and the error of `fetch`
 *   for a cut connection.
 */
export async function readArchiveBody(
  response: Response,
  body: HeldBody,
  { maxBytes, onBytes }: ReadArchiveOptions,
): Promise<void> {
  let start = '';
  let end = '';
  let lineBytes = 0;
  await body.clear();
  // Leaving the loop cancels the response.
  for await (const chunk of response.body ?? []) {
    onBytes(chunk.length);
    start += latin1(chunk.subarray(0, startBytes - start.length));
    if (start.length === startBytes && !startPattern.test(start)) break;
    end = (end + latin1(chunk.subarray(-endBytes))).slice(-endBytes);
    const lastNewline = chunk.lastIndexOf(newline);
    lineBytes = chunk.length + (lastNewline === -1 ? lineBytes : -lastNewline - 1);
    if (lineBytes > maxRecordBytes)
      throw new AppError('invalid', `a line of the archive has more than ${maxRecordBytes} bytes`);
    if (body.sizeBytes + chunk.length > maxBytes)
      throw new AppError('invalid', `the archive has more than ${maxBytes} bytes`);
    await body.add(chunk);
  }
  if (!startPattern.test(start)) await body.clear();
  // To HTTP, a cut response without a length looks complete.
  else if (!endPattern.test(end)) throw new Error('the archive stops in the middle');
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
