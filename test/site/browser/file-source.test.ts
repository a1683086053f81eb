// The source of charts over published files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileSource } from '../../../src/site/browser/element/file-source.ts';
import { serverSource } from '../../../src/site/browser/element/server-source.ts';

const recent = { times: [1000, 2000], series: [{ name: 'Players', group: null, values: [3, 4] }] };
const dayMs = 86_400_000;
const monday = 4 * dayMs;

/** Three days of 1,000, of which the file has the means, and four days of 100 with two points each. */
const week = {
  days: {
    times: [0, 1, 2].map((day) => monday + day * dayMs),
    series: [{ name: 'Players', group: null, values: [1000, 1000, 1000] }],
  },
  recent: {
    times: [3, 4, 5, 6].flatMap((day) => [0, 0.5].map((part) => monday + (day + part) * dayMs)),
    series: [{ name: 'Players', group: null, values: Array.from({ length: 8 }, () => 100) }],
  },
};
const files: Readonly<Record<string, unknown>> = {
  'https://example.org/plugin/1/data.json': { series: { players: { recent }, week } },
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

test('the days of a week weigh the same, whatever the file has of them', async () => {
  for (const [from, means] of [
    [monday, [(3 * 1000 + 4 * 100) / 7]],
    // A day of which the window has a part counts.
    [monday + 5.5 * dayMs, [100]],
    [monday + 6.5 * dayMs, [100]],
  ] as const) {
    const { series } = await source.series({
      charts: [{ pluginId: 1, chartId: 'week' }],
      window: { from, to: monday + 7 * dayMs },
      step: '7d',
      top: 1,
      level: 1,
      isSum: false,
      aggregate: 'mean',
    });
    assert.deepEqual([...(series[0]?.values ?? [])], means);
  }
});
