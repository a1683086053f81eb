// The server against the conformance checks, which know nothing of it but its address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkServer } from '../../conformance/check-server.ts';
import { importRecords, makeSampleStore, serveStore } from './support/test-server.ts';

// What some cases need beside the sample, where they look for it.
const quietPlugin = {
  record: 'plugin',
  id: 6,
  name: 'Quiet',
  owner: { id: 42, name: 'ExampleUser' },
  softwareId: 1,
  isGlobal: false,
};
const quietLine = {
  record: 'chart',
  pluginId: 1,
  chartId: 'never_reported',
  uid: 999_999,
  type: 'single_linechart',
  position: 99,
  title: 'Never reported',
  isDefault: false,
  data: { lineName: 'Quiet', filter: { enabled: false, maxValue: null, minValue: null } },
};

test('the server passes every conformance case', async () => {
  const store = await makeSampleStore();
  await importRecords(store, [quietPlugin, quietLine]);
  await using server = await serveStore(store);
  const report = await checkServer({ baseUrl: server.url });
  assert.deepEqual(report.broken, []);
  assert.deepEqual(report.notApplicable, []);
  assert.ok(report.passed > 400);
});
