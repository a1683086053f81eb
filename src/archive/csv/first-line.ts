/** Converts CSV files to UTF-8 and detects the delimiter from the first line. */
import { AppError } from '../../model/app-error.ts';

/** The delimiter of columns. */
export type Delimiter = ',' | ';' | '\t';

/** Limit on the size of a row: an unclosed quote must not pull the rest of the file into memory. */
export const maxRowBytes = 1024 * 1024;

/**
 * Reads up to the first line that is not blank. Returns its delimiter and the bytes of the whole file.
 * @throws AppError `invalid` if the bytes are not text; errors of `blocks` pass through.
 */
export async function openText(
  blocks: AsyncIterable<Uint8Array>,
): Promise<{ readonly delimiter: Delimiter; readonly bytes: AsyncIterable<Uint8Array> }> {
  const rest = decodeUtf16(blocks);
  let head: Buffer = Buffer.alloc(0);
  let first = firstLineIn('');
  while (!first.isWhole && head.length <= maxRowBytes) {
    const { value, done } = await rest.next();
    if (done) break;
    head = Buffer.concat([head, value]);
    first = firstLineIn(head.toString().replace(/^\uFEFF/, ''));
  }
  if (first.line.includes('\0'))
    throw new AppError('invalid', 'this is no text: a spreadsheet must be saved as CSV, best in UTF-8');
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* rest;
  }
  return { delimiter: delimiterOf(first.line), bytes: bytes() };
}

/**
 * Decodes UTF-16, which spreadsheets call "Unicode text", by its byte order mark; passes other bytes through.
 */
async function* decodeUtf16(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const block of blocks) {
    const mark = isFirst ? Buffer.from(block.subarray(0, 2)).toString('hex') : '';
    if (mark === 'fffe') decoder = new TextDecoder('utf-16le');
    if (mark === 'feff') decoder = new TextDecoder('utf-16be');
    isFirst = false;
    yield decoder === undefined ? block : Buffer.from(decoder.decode(block, { stream: true }));
  }
}

/**
 * Finds the first line that is not blank; `isWhole` is false if the text may continue it. Quoted line ends
 * belong to the line.
 */
function firstLineIn(text: string): { readonly line: string; readonly isWhole: boolean } {
  for (const { 0: line, index } of text.matchAll(/(?:"[^"]*(?:"|$)|[^"\r\n]+)+/g))
    if (/[^\s,;"]/.test(line)) return { line, isWhole: index + line.length < text.length };
  return { line: '', isWhole: false };
}

/**
 * Finds the delimiter of a line: the one that Excel declares, or else tab, semicolon or comma, in this order.
 */
function delimiterOf(line: string): Delimiter {
  const [, declared] = /^"?sep=([,;\t])"?$/i.exec(line) ?? [];
  const names = line.split(',').map((name) => name.replaceAll('"', '').trim().toLowerCase());
  const isOurs = line.startsWith('time,') || (names.includes('timestamp') && names.includes('value'));
  // The series names in our own CSV may contain semicolons.
  if (declared === ',' || (declared === undefined && isOurs)) return ',';
  const outsideQuotes = declared ?? line.replaceAll(/"[^"]*(?:"|$)/g, '');
  if (outsideQuotes.includes('\t')) return '\t';
  return outsideQuotes.includes(';') ? ';' : ',';
}
