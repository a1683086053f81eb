// Compressed archives that unpack to gigabytes.
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { headerLine } from '../support/archive-text.ts';
import { assertBytesRefused } from './refused-bytes.ts';

const tooLong = /^the line is longer than 16777216 bytes/;
const bombs: ReadonlyArray<readonly [what: string, pattern: string, message: RegExp]> = [
  ['white space', ' ', tooLong],
  ['one string', 'x', tooLong],
  ['line feeds', '\n', /^it is not valid JSON: Unexpected end/],
];
for (const [what, pattern, message] of bombs) {
  test(`gigabytes of ${what} in a few compressed megabytes are refused at the line limit`, async () => {
    const mebibytes = Buffer.alloc(16 * 1024 * 1024, pattern);
    for (const pack of [gzipSync, zstdCompressSync]) {
      const part = pack(mebibytes);
      const parts = new Array<Buffer>(pack === gzipSync ? 200 : 6_000).fill(part);
      await assertBytesRefused(Buffer.concat([pack(`${headerLine}\n`), ...parts]), message);
    }
  });
}
