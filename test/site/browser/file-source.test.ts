// The source of charts over published files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileSource } from '../../../src/site/browser/element/file-source.ts';
import { serverSource } from '../../../src/site/browser/element/server-source.ts';

const recent = { times: [1000, 2000], series: [{ name: 'Players', group: null, values: [3, 4] }] };
const files: Readonly<Record<string, unknown>> = {
  'https://example.org/plugin/1/data.json': { series: { players: { recent } } },
};
const source = fileSource(
  'https://example.org',
  async <Answer>(url: string) => files[url] as Answer,
  serverSource,
);

test('a line keeps its place beside a chart without values', async () => {
  const { times, series } = await source.series({
    charts: [
      { pluginId: 1, chartId: 'empty' },
      { pluginId: 1, chartId: 'players' },
    ],
    window: { from: 0, to: 3000 },
    step: null,
    top: 1,
    level: 1,
    isSum: false,
    aggregate: 'mean',
  });
  assert.deepEqual([...times], [1000, 2000]);
  assert.deepEqual(
    series.map(({ values }) => [...values]),
    [
      [Number.NaN, Number.NaN],
      [3, 4],
    ],
  );
});
