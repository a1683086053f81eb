// The conformance checks against the server, of which they know only the address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkServer } from '../../conformance/check-server.ts';
import { makeSampleStore, serveStore } from './support/test-server.ts';

test('the server passes every conformance case', async () => {
  const store = await makeSampleStore();
  await using server = await serveStore(store);
  const report = await checkServer({ baseUrl: server.url });
  assert.deepEqual(report.broken, []);
  assert.deepEqual(report.notApplicable, []);
  assert.ok(report.passed > 400);
});
