// The Date header.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DateHeader } from '../../src/http/wire/headers.ts';

test('the date changes with the second, also after an hour without requests', (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.parse('2026-01-05T11:59:58.400Z') });
  const date = new DateHeader();
  assert.equal(date.now(), 'Mon, 05 Jan 2026 11:59:58 GMT');
  t.mock.timers.tick(599);
  assert.equal(date.now(), 'Mon, 05 Jan 2026 11:59:58 GMT');
  t.mock.timers.tick(1);
  assert.equal(date.now(), 'Mon, 05 Jan 2026 11:59:59 GMT');
  t.mock.timers.tick(3_600_000);
  assert.equal(date.now(), 'Mon, 05 Jan 2026 12:59:59 GMT');
});
