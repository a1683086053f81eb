// Compressed archives that unpack to gigabytes.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { openArchiveReader } from '../../src/archive/archive-reader.ts';
import { AppError } from '../../src/model/app-error.ts';
import { headerLine } from '../support/archive-text.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());
const file = directory.at('archive');

const tooLong = /^the line is longer than 67108864 bytes/;
const bombs: ReadonlyArray<readonly [what: string, pattern: string, message: RegExp]> = [
  ['white space', ' ', tooLong],
  ['one string', 'x', tooLong],
  ['line feeds', '\n', /^it is not valid JSON: it ends too early/],
];
for (const [what, pattern, message] of bombs) {
  test(`gigabytes of ${what} in a few compressed megabytes are refused at the line limit`, async () => {
    const mebibytes = Buffer.alloc(16 * 1024 * 1024, pattern);
    for (const pack of [gzipSync, zstdCompressSync]) {
      const part = pack(mebibytes);
      const parts = new Array<Buffer>(pack === gzipSync ? 200 : 6_000).fill(part);
      await assertRefused(Buffer.concat([pack(`${headerLine}\n`), ...parts]), message);
    }
  });
}

async function kindsIn(bytes: Uint8Array): Promise<readonly string[]> {
  writeFileSync(file, bytes);
  const batches = await Array.fromAsync((await openArchiveReader(file)).records());
  return batches.flat().map((record) => record.kind);
}

async function assertRefused(bytes: Uint8Array, message: RegExp, what = ''): Promise<void> {
  const error = await kindsIn(bytes).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof AppError, `${what}: ${error}`);
  assert.match(error.place ?? '', /archive:\d+$/);
  assert.match(error.message, message);
}
