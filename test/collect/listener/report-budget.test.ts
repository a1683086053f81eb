// Memory for the reports that are being taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReportBudget } from '../../../src/collect/listener/report-budget.ts';

const refused = { code: 'unavailable', kind: 'overloaded' };

test('an address holds at most two fifths, and what it gives back is free again', () => {
  const budget = new ReportBudget(1000);
  const first = budget.hold('192.0.2.1');
  first.growTo(100);
  first.growTo(300);
  first.growTo(50);
  using second = budget.hold('192.0.2.1');
  assert.throws(() => second.growTo(101), refused);
  second.growTo(100);
  assert.throws(() => first.growTo(301), refused);
  first[Symbol.dispose]();
  second.growTo(400);
});

test('any number of addresses with large reports leave room for a small one', () => {
  const budget = new ReportBudget(8_000_000);
  let takenCount = 0;
  for (let address = 0; address < 1000; address++) {
    try {
      budget.hold(`flood ${address}`).growTo(1_000_000);
      takenCount++;
    } catch {
      // Refused.
    }
  }
  assert.equal(takenCount, 6);
  using small = budget.hold('192.0.2.1');
  small.growTo(600_000);
});
