// The bodies that are being sent, within the budget of bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget } from '../../src/http/byte-budget.ts';
import { Representation } from '../../src/http/representation.ts';
import { Sending } from '../../src/http/sending.ts';

const about = { mediaType: 'application/json', coding: 'identity', etag: '"a"', cacheControl: '' } as const;

function made(sizeBytes: number): Representation {
  return new Representation({ ...about, body: [Buffer.alloc(sizeBytes)] });
}

test('a body counts until the last of its clients has taken it', () => {
  const budget = new ByteBudget(200_000, () => {});
  const sending = new Sending(budget);
  const body = made(150_000);
  const taken = [sending.begin(body), sending.begin(body)];
  assert.equal(budget.heldBytes, 150_000);
  assert.throws(() => sending.begin(made(100_000)), { code: 'unavailable', kind: 'overloaded' });
  taken[0]?.();
  assert.equal(budget.heldBytes, 150_000);
  taken[1]?.();
  assert.equal(budget.heldBytes, 0);
  sending.begin(made(100_000));
});

test('a cached body that is sent with its age counts once too', () => {
  const budget = new ByteBudget(200_000, () => {});
  const sending = new Sending(budget);
  const cached = made(150_000);
  const taken = [1, 2, 3].map((ageSeconds) => sending.begin(cached.withAge(ageSeconds)));
  assert.equal(budget.heldBytes, 150_000);
  for (const take of taken) take();
  assert.equal(budget.heldBytes, 0);
});
