/** Holds the working tree to what the last release promised, unless the changelog says what is gone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDocument } from '../doc-tables.ts';
import { breaksOf, nameIn, publicSurface, releasedSurface } from './surface.ts';

const present = publicSurface();
const [unreleased = ''] = readDocument('CHANGELOG.md').split(/^## \[\d/m);

test('what the last release had is there, or the changelog names it (a release records it: node test/stability/surface.ts)', () => {
  assert.deepEqual(breaksOf(releasedSurface(), present, unreleased), []);
});

const lost = [
  'option serve --max-age: value, 60, PLUGIN_METRICS_MAX_AGE',
  'metric plugin_metrics_requests_total: counter',
  'answer /api/v1/plugins [].isGlobal: boolean',
  'export plugin-metrics-client PluginMetricsClient.listPlugins: listPlugins(options?: CallOptions): Promise<readonly PluginSummary[]>;',
];

for (const line of lost) {
  test(`a release without "${line.slice(0, 60)}" names it, unless the changelog does`, () => {
    const without = present.filter((one) => one !== line);
    assert.equal(without.length, present.length - 1, 'the line is part of the surface');
    assert.deepEqual(breaksOf(present, without, ''), [`gone: ${line}`]);
    assert.deepEqual(breaksOf(present, without, `- \`${nameIn(line)}\` is gone.`), []);
  });
}

test('a parameter that must be sent now is named', () => {
  const added = 'parameter /api/v2/plugins key: taken, required';
  assert.deepEqual(breaksOf(present, [...present, added], ''), [`demanded: ${added}`]);
  assert.deepEqual(breaksOf(present, [...present, added.replace(', required', '')], ''), []);
});
