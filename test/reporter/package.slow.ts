// The package of the reporter: installed alone, and the example of reporter/README.md, run.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readDocument } from '../doc-tables.ts';
import { type InstalledSmallPackage, installSmallPackage } from '../package/small-package.ts';
import { RecordingServer } from './support/recording-server.ts';

let reporter: InstalledSmallPackage;

before(async () => {
  reporter = await installSmallPackage('plugin-metrics-reporter');
});

after(() => reporter[Symbol.dispose]());

test('the package is for Node 20, and brings no other', () => {
  assert.deepEqual(reporter.manifest.engines, { node: '>=20' });
  assert.equal(reporter.manifest.dependencies, undefined);
  assert.deepEqual(Object.keys(reporter.packages), ['', 'node_modules/plugin-metrics-reporter']);
});

test('the documented example reports', async () => {
  await using collector = await RecordingServer.start();
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readDocument('reporter/README.md')) ?? [];
  const code = `const arenas = new Map([['first', {}]]);
    ${example.replace('https://metrics.example.org', collector.url)}
    console.log(await reporter.report());`;
  writeFileSync(join(reporter.folder, 'example.js'), code);
  // The settings lie in the folder of the user.
  assert.equal(await reporter.run('example.js', { HOME: reporter.folder }), '202\n');
  const [request] = collector.requests;
  assert.equal(request?.path, '/api/v2/data/other');
  assert.deepEqual(request.report['service'], {
    id: 1337,
    pluginVersion: '1.4.0',
    customCharts: [
      { chartId: 'storage', data: { value: 'sqlite' } },
      { chartId: 'arenas', data: { value: 1 } },
    ],
  });
});
