// Bodies in memory and in temporary files, and the time that a response may take.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { AppError } from '../../src/model/app-error.ts';
import { Deadline } from '../../src/upstream/connection/deadline.ts';
import { HeldBody } from '../../src/upstream/connection/held-body.ts';
import { fc } from '../support/seed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

async function bytesOf(body: HeldBody): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(body.blocks()));
}

describe('a body', () => {
  test('of any parts is read as it was added, as often as it is read', async () => {
    const sizes = fc.array(fc.oneof(fc.nat(2000), fc.integer({ min: 0, max: 700_000 })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sizes, sizes, async (first, second) => {
        await using body = new HeldBody();
        let byte = 0;
        for (const parts of [first, second]) {
          await body.clear();
          const added = parts.map((size) => Buffer.alloc(size, ++byte));
          for (const part of added) await body.add(part);
          const expected = Buffer.concat(added);
          assert.equal(body.sizeBytes, expected.length);
          for (let count = 0; count < 2; count++) assert.ok((await bytesOf(body)).equals(expected));
          const small = body.findSmall();
          if (expected.length <= 1024 * 1024) assert.ok(small !== undefined && expected.equals(small));
          else assert.equal(small, undefined);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('in a file leaves no name behind', async () => {
    using directory = temporaryDirectory();
    await using body = new HeldBody(directory.path);
    await body.add(new Uint8Array(3_000_000));
    assert.deepEqual(readdirSync(directory.path), []);
    assert.equal((await bytesOf(body)).length, 3_000_000);
  });

  test('that cannot be kept is an error that names the folder', async () => {
    using directory = temporaryDirectory();
    await using body = new HeldBody(directory.at('missing'));
    await body.add(new Uint8Array(1000));
    await assert.rejects(body.add(new Uint8Array(2_000_000)), (error) => {
      assert.ok(error instanceof AppError);
      assert.match(error.message, /^a body of more than 1048576 bytes cannot be kept in .*missing: ENOENT/);
      return true;
    });
  });
});

describe('a deadline', () => {
  test('is aborted when its time is over, and not before', async () => {
    using deadline = new Deadline(20);
    assert.ok(!deadline.signal.aborted);
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve));
    assert.equal(deadline.allowedSeconds, 0);
  });

  test('gives more time for bytes that have come', async () => {
    using short = new Deadline(20);
    using long = new Deadline(20);
    long.extendFor(64 * 60_000);
    await new Promise((resolve) => short.signal.addEventListener('abort', resolve));
    assert.ok(!long.signal.aborted);
    assert.equal(long.allowedSeconds, 60);
  });
});
