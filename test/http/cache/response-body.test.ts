// Bodies rendered in parts, within the budget of bytes.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ByteBudget } from '../../../src/http/byte-budget.ts';
import { contentCodings } from '../../../src/http/cache/content-coding.ts';
import { codeBody } from '../../../src/http/cache/response-body.ts';
import { Redirect } from '../../../src/http/endpoint.ts';
import type { Turns } from '../../../src/http/turns.ts';
import { makePages } from '../../../src/model/own-pages.ts';

const turns: Turns = {
  next: async () => {},
  wait: (outside, onSettled) => outside.finally(onSettled),
  whenLeft: () => {},
};

for (const wanted of contentCodings) {
  test(`a ${wanted} body over the budget is refused as overload, and releases its bytes`, async () => {
    const budget = new ByteBudget(3 * 1024 * 1024, () => {});
    budget.hold().add(1);
    async function* parts() {
      // Random bytes do not get smaller, so the budget is passed by what the encoder gives out.
      for (let count = 0; count < 200; count++) yield randomBytes(64 * 1024);
    }
    const coded = codeBody(parts(), { wanted, workClass: 'large', turns, hold: () => budget.hold() });
    await assert.rejects(async () => coded, { code: 'unavailable', kind: 'overloaded' });
    assert.equal(budget.heldBytes, 1);
  });
}

async function* whole(body: Uint8Array) {
  // Parts belong to who takes them.
  yield Uint8Array.from(body);
}

test('a picture has the same tag and bytes as a whole and in parts', async () => {
  const budget = new ByteBudget(1024 * 1024, () => {});
  for (const size of [0, 100, 64 * 1024, 64 * 1024 + 1]) {
    const body = randomBytes(size);
    for (const wanted of contentCodings) {
      const picture = await codeBody(whole(body), {
        wanted,
        workClass: 'picture',
        turns,
        hold: () => budget.hold(),
      });
      const inParts = await codeBody(whole(body), {
        wanted,
        workClass: 'large',
        turns,
        hold: () => budget.hold(),
      });
      assert.ok('parts' in picture && 'parts' in inParts);
      assert.deepEqual(Buffer.concat(picture.parts), Buffer.concat(inParts.parts), `${size} bytes`);
      assert.deepEqual([picture.coding, picture.digest], [inParts.coding, inParts.digest]);
    }
  }
  assert.equal(budget.heldBytes, 0);
});

test('a small body of parts that are there is the same as one whose parts come', async () => {
  const budget = new ByteBudget(1024 * 1024, () => {});
  async function* coming(parts: readonly string[]) {
    yield* parts;
  }
  for (const parts of [[], ['one'], ['one', 'two', 'three']])
    for (const wanted of contentCodings) {
      const options = { wanted, workClass: 'small', turns, hold: () => budget.hold() } as const;
      const ready = await codeBody(parts, options);
      const made = await codeBody(coming(parts), options);
      assert.ok('parts' in ready && 'parts' in made);
      assert.deepEqual(Buffer.concat(ready.parts), Buffer.concat(made.parts), `${parts}`);
      assert.deepEqual([ready.coding, ready.digest], [made.coding, made.digest]);
    }
  const redirect = new Redirect('/elsewhere');
  assert.equal(
    codeBody([redirect], { wanted: 'identity', workClass: 'small', turns, hold: () => budget.hold() }),
    redirect,
  );
  assert.equal(budget.heldBytes, 0);
});

test('a part that fills pages of its own stays as it is, or is copied behind a smaller one and gives them back', async () => {
  const budget = new ByteBudget(1024 * 1024, () => {});
  const [first, second] = [makePages(100_000).fill('b'), makePages(100_000).fill('d')];
  const expected = Buffer.from(`${first}${first.subarray(1)}cc${second}`);
  async function* parts() {
    yield first;
    yield first.subarray(1);
    yield 'cc';
    yield second;
  }
  const coded = await codeBody(parts(), {
    wanted: 'identity',
    workClass: 'large',
    turns,
    hold: () => budget.hold(),
  });
  assert.ok('parts' in coded);
  assert.ok(Buffer.concat(coded.parts).equals(expected));
  assert.equal(second.length, 0);
  assert.deepEqual(
    coded.parts.map(({ buffer, length }) => [buffer === first.buffer, length]),
    [
      [true, 100_000],
      [false, 200_001],
    ],
  );
  assert.equal(budget.heldBytes, 0);
});

test('the bytes of a large picture count against the budget, those of a small one do not', async () => {
  const budget = new ByteBudget(64 * 1024, () => {});
  const code = async (size: number) =>
    codeBody(whole(randomBytes(size)), {
      wanted: 'identity',
      workClass: 'picture',
      turns,
      hold: () => budget.hold(),
    });
  budget.hold().add(1);
  await code(64 * 1024);
  await assert.rejects(code(64 * 1024 + 1), { code: 'unavailable', kind: 'overloaded' });
});
