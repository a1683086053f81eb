/** Splits blocks of bytes into lines. */
import { AppError } from '../model/app-error.ts';
import { maxRecordBytes } from '../model/record-json.ts';

const newline = 0x0a;

/**
 * Yields lines; the last may lack its newline.
 * @throws AppError `invalid` at a line longer than {@link maxRecordBytes}; the lines before it are yielded first.
 */
export async function* readLines(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const block of blocks) {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, start)) {
      const tail = block.subarray(start, end);
      if (pendingBytes + tail.length > maxRecordBytes) {
        yield lines;
        throw lineTooLong();
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
    if (pendingBytes > maxRecordBytes) throw lineTooLong();
  }
  if (pendingBytes > 0) yield [Buffer.concat(pending)];
}

function lineTooLong(): AppError {
  return new AppError(
    'invalid',
    `the line is longer than ${maxRecordBytes} bytes, the most that a record may have`,
  );
}
