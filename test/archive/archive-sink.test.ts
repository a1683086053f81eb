// Paths that no archive can be written to.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSink } from '../../src/archive/archive-sink.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

for (const isReplacing of [false, true]) {
  test(`a file name that is too long cannot be written${isReplacing ? ' with --force either' : ''}`, async () => {
    const file = directory.at('x'.repeat(300));
    await assert.rejects(openSink(file, { isReplacing }), {
      code: 'unavailable',
      place: file,
      message: /^cannot be written: ENAMETOOLONG/,
    });
  });
}
