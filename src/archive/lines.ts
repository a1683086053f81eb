/** Splits blocks of bytes into lines. */
import { AppError } from '../model/app-error.ts';

/** The longest line, and so the largest record. */
export const maxLineBytes = 64 * 1024 * 1024;

const newline = 0x0a;

/**
 * Yields lines; the last may lack its newline.
 * @param maxBytes limit of a line; {@link maxLineBytes} by default.
 * @throws AppError `invalid` for a line over the limit, after the lines before it.
 */
export async function* readLines(
  blocks: AsyncIterable<Uint8Array>,
  maxBytes: number = maxLineBytes,
): AsyncGenerator<Uint8Array[]> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const block of blocks) {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, start)) {
      const tail = block.subarray(start, end);
      if (pendingBytes + tail.length > maxBytes) {
        yield lines;
        throw lineTooLong(maxBytes);
      }
      lines.push(pendingBytes === 0 ? tail : Buffer.concat([...pending, tail]));
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    if (lines.length > 0) yield lines;
    if (start < block.length) {
      pending.push(block.subarray(start));
      pendingBytes += block.length - start;
    }
    if (pendingBytes > maxBytes) throw lineTooLong(maxBytes);
  }
  if (pendingBytes > 0) yield [Buffer.concat(pending)];
}

function lineTooLong(maxBytes: number): AppError {
  return new AppError(
    'invalid',
    `the line is longer than ${maxBytes} bytes, the most that a record may have`,
  );
}
