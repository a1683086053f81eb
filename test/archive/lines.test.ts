// Splitting blocks into lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLines } from '../../src/archive/archive-reader.ts';
import { AppError } from '../../src/model/app-error.ts';
import { maxRecordBytes } from '../../src/model/record-json.ts';
import { fc } from '../support/seed.ts';

test('the lines are the same wherever the blocks end', async () => {
  const anyText = fc
    .array(fc.constantFrom('a', 'bc', '\n', '\n\n', 'é', '\r\n'))
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(anyText, fc.array(fc.nat(40)), async (text, cuts) => {
      const bytes = Buffer.from(text);
      const bounds = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const blocks = bounds.slice(1).map((end, index) => bytes.subarray(bounds[index] ?? 0, end));
      const expected = text.split('\n');
      if (expected.at(-1) === '') expected.pop();
      assert.deepEqual(await linesOf(blocks), expected);
    }),
    { numRuns: 200 },
  );
});

test('a line may have 16 MiB and not a byte more, whether or not it ends within a block', async () => {
  const block = Buffer.alloc(1024 * 1024, 'x');
  const full = new Array<Uint8Array>(maxRecordBytes / block.length).fill(block);
  const [first, ...others] = await linesOf([...full, Buffer.from('\nnext\n')]);
  assert.equal(first?.length, maxRecordBytes);
  assert.deepEqual(others, ['next']);
  for (const rest of ['x', 'x\n', 'x\nnext\n']) {
    const taken: string[] = [];
    await assert.rejects(
      linesOf([Buffer.from('before\n'), ...full, Buffer.from(rest)], taken),
      (error) =>
        error instanceof AppError &&
        error.message === 'the line is longer than 16777216 bytes, the most that a record may have',
    );
    assert.deepEqual(taken, ['before']);
  }
});

test('the lines before one that is too long are returned first, even those of the same block', async () => {
  const block = Buffer.alloc(maxRecordBytes + 20, 'x');
  block.write('one\ntwo\n');
  block.write('\nlater\n', block.length - 7);
  const taken: string[] = [];
  await assert.rejects(linesOf([block], taken), AppError);
  assert.deepEqual(taken, ['one', 'two']);
});

async function linesOf(blocks: readonly Uint8Array[], taken: string[] = []): Promise<string[]> {
  async function* source() {
    yield* blocks;
  }
  for await (const lines of readLines(source())) {
    for (const line of lines) taken.push(Buffer.from(line).toString());
  }
  return taken;
}
