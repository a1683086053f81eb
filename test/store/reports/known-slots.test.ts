// The slots in the memory of a collector.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownSlots } from '../../../src/store/reports/known-slots.ts';

function slotsOf(...starts: readonly number[]): KnownSlots<string> {
  const slots = new KnownSlots<string>();
  for (const start of starts) slots.add(start, `slot ${start}`);
  return slots;
}

const knownTo = (slots: KnownSlots<string>) => [1, 2, 3].filter((start) => slots.get(start) !== undefined);

test('the newest two slots are kept', () => {
  assert.deepEqual(knownTo(slotsOf(1, 2)), [1, 2]);
  assert.deepEqual(knownTo(slotsOf(1, 2, 3)), [2, 3]);
});

test('slots that are closed are forgotten', () => {
  const slots = slotsOf(1, 2);
  slots.keepOnly(new Set([2, 3]));
  assert.deepEqual(knownTo(slots), [2]);
  slots.forget(2);
  assert.deepEqual(knownTo(slots), []);
});
