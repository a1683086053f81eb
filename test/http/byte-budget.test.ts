// The budget of bytes for bodies that are being rendered and sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget, Sending, ShareUsed } from '../../src/http/byte-budget.ts';
import { Representation } from '../../src/http/representation.ts';
import { ResponseKind } from '../../src/http/response-kind.ts';

test('more than the budget is refused, and released bytes are available again', () => {
  let refusedCount = 0;
  const budget = new ByteBudget(100, () => refusedCount++);
  const one = budget.hold();
  const other = budget.hold();
  one.add(60);
  other.add(40);
  assert.throws(() => other.add(1), { code: 'unavailable', kind: 'overloaded' });
  assert.deepEqual([budget.heldBytes, refusedCount], [100, 1]);
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  assert.equal(budget.heldBytes, 40);
  budget.hold().add(60);
});

test('a single holder may exceed the budget', () => {
  const budget = new ByteBudget(100, () => {});
  const one = budget.hold();
  one.add(1000);
  one.add(1000);
  assert.equal(budget.heldBytes, 2000);
  assert.throws(() => budget.hold().add(1), { kind: 'overloaded' });
});

const kind = new ResponseKind({ mediaType: 'application/json', coding: 'identity', cacheControl: '' });
const about = { kind, etag: '"a"' };

function made(sizeBytes: number): Representation {
  return new Representation({ ...about, body: [Buffer.alloc(sizeBytes)] });
}

test('a body counts until the last of its clients has received it', () => {
  const budget = new ByteBudget(200_000, () => {});
  const sending = new Sending(budget);
  const body = made(150_000);
  const taken = [sending.begin(body, 'a'), sending.begin(body, 'b')];
  assert.equal(budget.heldBytes, 150_000);
  assert.throws(() => sending.begin(made(100_000), 'c'), { code: 'unavailable', kind: 'overloaded' });
  taken[0]?.();
  assert.equal(budget.heldBytes, 150_000);
  taken[1]?.();
  assert.equal(budget.heldBytes, 0);
  sending.begin(made(100_000), 'c');
});

test('a cached body that is sent with different ages counts once', () => {
  const budget = new ByteBudget(200_000, () => {});
  const sending = new Sending(budget);
  const cached = made(150_000);
  const taken = [1, 2, 3].map((ageSeconds) => sending.begin(cached.withAge(ageSeconds), 'a'));
  assert.equal(budget.heldBytes, 150_000);
  for (const take of taken) take();
  assert.equal(budget.heldBytes, 0);
});

test('a client may hold a quarter of the budget, or one body, however many connections it goes to', () => {
  const budget = new ByteBudget(1000, () => {});
  const sending = new Sending(budget);
  const large = made(300);
  const taken = [sending.begin(large, 'a'), sending.begin(large, 'a'), sending.begin(large, 'b')];
  assert.throws(() => sending.begin(made(1), 'a'), ShareUsed);
  assert.throws(() => budget.hold('a').add(1), ShareUsed);
  taken[0]?.();
  assert.throws(() => sending.begin(made(1), 'a'), ShareUsed);
  taken[1]?.();
  const small = [sending.begin(made(150), 'a'), sending.begin(made(100), 'a')];
  assert.throws(() => sending.begin(made(1), 'a'), ShareUsed);
  assert.equal(budget.heldBytes, 550);
  for (const take of [...small, taken[2]]) take?.();
  assert.equal(budget.heldBytes, 0);
});
