// The error class and the quoting of values in its messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, quote } from '../../src/model/app-error.ts';

test('an error keeps its first place', () => {
  const error = new AppError('slot-closed', 'no');
  const placed = error.at('a.ndjson:3');
  assert.deepEqual(
    [placed.place, placed.code, placed.kind, placed.message],
    ['a.ndjson:3', 'conflict', 'slot-closed', 'no'],
  );
  assert.equal(placed.cause, error);
  assert.equal(placed.at('elsewhere:1').place, 'a.ndjson:3');
});

test('values are quoted as JSON, numbers are not, and long ones are truncated', () => {
  assert.equal(quote('a"b'), '"a\\"b"');
  assert.equal(quote(Number.POSITIVE_INFINITY), 'Infinity');
  assert.equal(quote(undefined), 'undefined');
  assert.equal(quote({ a: [1] }), '{"a":[1]}');
  assert.equal(quote('x'.repeat(200)), `"${'x'.repeat(76)}...`);
});
