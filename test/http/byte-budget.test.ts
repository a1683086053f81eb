import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget } from '../../src/http/byte-budget.ts';

test('what is held beyond the budget is refused, and what was given back is free again', () => {
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

test('a holder that is alone may hold more than the budget', () => {
  const budget = new ByteBudget(100, () => {});
  const one = budget.hold();
  one.add(1000);
  one.add(1000);
  assert.equal(budget.heldBytes, 2000);
  assert.throws(() => budget.hold().add(1), { kind: 'overloaded' });
});
