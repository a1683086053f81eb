import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileExpectation } from '../../conformance/expectation.ts';
import type { Json } from '../../conformance/json.ts';

const VOCABULARY = { shapes: {}, headerSets: { set: { 'X-Set': 'yes' } } };

test('an expectation that no runner could understand is refused', () => {
  const wrong: readonly Json[] = [
    null,
    { statuses: 200 },
    { status: '200' },
    { headers: { A: { exactly: 'x' } } },
    { headersOf: ['unknown'] },
    { body: { compact: true } },
    { body: { sameAs: { answr: 'x' } } },
    { next: [{ state: 1 }] },
  ];
  for (const expect of wrong) {
    assert.throws(() => compileExpectation(expect, VOCABULARY), TypeError, JSON.stringify(expect));
  }
});
