// Pictures of shares as text: a change of one is seen. `node --test --test-update-snapshots` writes them again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawChart } from '../../../src/draw/chart.ts';
import type { ChartToDraw } from '../../../src/draw/chart-content.ts';
import { readSvg } from '../../support/read-svg.ts';

const pie = (count: number): ChartToDraw => ({
  form: 'pie',
  title: 'Server Software',
  data: Array.from({ length: count }, (_, index) => ({
    name: `Software ${index}`,
    y: Math.ceil(5000 / (index + 1)),
  })),
});
const charts: Readonly<Record<string, ChartToDraw>> = {
  pie: pie(5),
  drilldown: {
    form: 'drilldown',
    title: 'Java Version',
    data: {
      drilldownData: [
        {
          name: 'Java 21',
          id: '21',
          data: [
            ['21.0.7', 7],
            ['21.0.11', 30],
            ['21.0.1', 3],
          ],
        },
        { name: 'Java 17', id: '17', data: [['17.0.19', 10]] },
      ],
      seriesData: [
        { name: 'Java 17', y: 10, drilldown: '17' },
        { name: 'Java 21', y: 40, drilldown: '21' },
      ],
    },
  },
  countries: {
    form: 'map',
    title: 'Server Location',
    data: [
      { code: 'FR', value: 120 },
      { code: 'DE', value: 1240 },
      { code: 'AUTO', value: 8 },
    ],
  },
  bars: {
    form: 'bars',
    title: 'Zoo',
    settings: { barNames: ['Young', 'Grown'] },
    data: [
      { name: 'Llama', data: [3, 8.5] },
      { name: 'Goat', data: [6, -1] },
    ],
  },
};
const options = { width: 400, height: 280, theme: 'auto', hasStyle: true } as const;

for (const [name, chart] of Object.entries(charts)) {
  test(`the drawing of ${name} is known`, (context) => {
    const path = `${import.meta.dirname}/drawings/${name}.svg`;
    context.assert.fileSnapshot(drawChart(chart, options), path, { serializers: [String] });
  });
}

test('each slice has its row, the largest first, and the last row gathers the rest', () => {
  const texts = readSvg(drawChart(pie(500), options))
    .filter(({ name, text }) => name === 'text' && /^(Software|Other)/.test(text))
    .map(({ text }) => text);
  const names = Array.from({ length: 10 }, (_, index) => `Software ${index}`);
  assert.deepEqual(texts, [...names, 'Other (490)']);
});

test('slices that are not gathered have their rank, in the ring and in the list', () => {
  const elements = readSvg(drawChart(pie(500), options));
  const rows = elements
    .filter(({ name }) => name === 'rect')
    .map(({ attributes }) => attributes['data-index']);
  const arcs = elements
    .filter(({ name }) => name === 'path')
    .map(({ attributes }) => attributes['data-index']);
  const ranks = Array.from({ length: 10 }, (_, rank) => String(rank));
  assert.deepEqual(rows, [undefined, ...ranks, undefined]);
  assert.deepEqual(arcs, [...ranks, undefined]);
});

test('a pie of 10,000 slices and bars of 10,000 names are small pictures', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => ({
    name: `n${index}`,
    y: index,
    data: [index],
  }));
  for (const form of ['pie', 'bars'] as const) {
    const svg = drawChart({ form, title: 'T', data: names }, options);
    assert.ok(svg.length < 10_000, String(svg.length));
  }
});
