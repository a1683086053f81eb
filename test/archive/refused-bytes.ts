/** Archives given as bytes, read from a file like those of users. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { openArchiveReader } from '../../src/archive/archive-reader.ts';
import { AppError } from '../../src/model/app-error.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Reads an archive, and returns the kinds of its records. */
export async function kindsIn(bytes: Uint8Array): Promise<readonly string[]> {
  using directory = temporaryDirectory();
  const file = directory.at('archive');
  writeFileSync(file, bytes);
  const batches = await Array.fromAsync((await openArchiveReader(file)).records());
  return batches.flat().map((record) => record.kind);
}

/** Asserts that an archive is refused with this message and a line; `what` names the case. */
export async function assertBytesRefused(bytes: Uint8Array, message: RegExp, what = ''): Promise<void> {
  const error = await kindsIn(bytes).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof AppError, `${what}: ${error}`);
  assert.match(error.place ?? '', /archive:\d+$/);
  assert.match(error.message, message);
}
