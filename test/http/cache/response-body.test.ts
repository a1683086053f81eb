// Bodies rendered in parts, within the budget of bytes.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ByteBudget } from '../../../src/http/byte-budget.ts';
import { contentCodings } from '../../../src/http/cache/content-coding.ts';
import { codeBody } from '../../../src/http/cache/response-body.ts';
import type { Turns } from '../../../src/http/turns.ts';

const turns: Turns = {
  next: async () => {},
  wait: (outside, onSettled) => outside.finally(onSettled),
};

for (const wanted of contentCodings) {
  test(`a ${wanted} body over the budget is refused as overload, and releases its bytes`, async () => {
    const budget = new ByteBudget(3 * 1024 * 1024, () => {});
    budget.hold().add(1);
    async function* parts() {
      // Random bytes do not get smaller, so the budget is passed by what the encoder gives out.
      for (let count = 0; count < 200; count++) yield randomBytes(64 * 1024);
    }
    const coded = codeBody(parts(), { wanted, workClass: 'large', turns, budget });
    await assert.rejects(coded, { code: 'unavailable', kind: 'overloaded' });
    assert.equal(budget.heldBytes, 1);
  });
}
