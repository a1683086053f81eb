// Charts of every type as pictures and as sentences.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawChart, openSlice } from '../../src/draw/chart.ts';
import { type ChartToDraw, contentOf, describeContent } from '../../src/draw/chart-content.ts';
import { lightColours } from '../../src/draw/theme.ts';
import type { DataForm } from '../../src/model/chart-types.ts';
import { pointsOf } from '../../src/model/points.ts';
import type { Range } from '../../src/model/window.ts';
import { readSvg } from '../support/read-svg.ts';
import { columnsFor } from './line/made-lines.ts';

const options = { width: 560, height: 340, theme: 'auto', hasStyle: true } as const;
const software: ChartToDraw = {
  form: 'pie',
  title: 'Server Software',
  pluginName: 'X',
  isDefault: true,
  data: [
    { name: 'Spigot', y: 22 },
    { name: 'Paper', y: 61 },
    { name: 'Purpur', y: 9 },
    { name: 'Leaf', y: 5 },
    { name: 'Folia', y: 3 },
  ],
};
const java: ChartToDraw = {
  form: 'drilldown',
  title: 'Java Version',
  data: {
    drilldownData: [
      {
        name: 'Java 21',
        id: '21',
        data: [
          ['21.0.7', 1],
          ['21.0.11', 4],
        ],
      },
    ],
    seriesData: [
      { name: 'Java 8', y: 1, drilldown: '8' },
      { name: 'Java 21', y: 5, drilldown: '21' },
    ],
  },
};
const chart = (form: DataForm, data: unknown): ChartToDraw => ({ form, title: 'T', data });

function lineChart(line: readonly (readonly [time: number, value: number])[]): ChartToDraw {
  const shape = columnsFor(pointsOf(line), 800);
  return { form: 'line', title: 'T', data: undefined, shape };
}

function describeChart(described: ChartToDraw, range: Range = '30d'): string {
  return describeContent(contentOf(described), { chart: described, range });
}

test('a sentence describes a picture', () => {
  const sentence = 'Server Software of servers using X: Paper 61%, Spigot 22%, Purpur 9% and 2 more';
  assert.equal(describeChart(software), sentence);
  assert.match(drawChart(software, options), new RegExp(`<desc[^>]*>${sentence}</desc>`));
  assert.equal(describeChart({ ...software, isDefault: false }).slice(0, 19), 'Server Software (X)');
  assert.equal(describeChart(chart('pie', [{ name: 'a', y: 1 }])), 'T: a 100%');
  assert.equal(describeChart(java), 'Java Version: Java 21 83% and Java 8 17%');
  const temperatures = [
    { name: 'a', data: [-3] },
    { name: 'b', data: [1000, 200.5] },
  ];
  assert.equal(describeChart(chart('bars', temperatures)), 'T: b 100% and a 0%');
  assert.equal(describeChart(chart('other', [1])), "T: This chart's type is not known here.");
  const line: [number, number][] = [
    [0, 2950],
    [1_800_000, 4659],
    [3_600_000, 3883],
  ];
  assert.equal(
    describeChart(lineChart(line), '7d'),
    'T: 3,883 on 1 Jan 1970, between 2,950 and 4,659 in the 7 days before',
  );
});

test('a share has the colour of its name, whatever is larger now', () => {
  const colours = ['gone', 'b', 'a'];
  const keysOf = (group?: 'minor') => {
    const data = [
      { name: 'a', y: 3 },
      { name: 'new', y: 2 },
      { name: 'b', y: 1 },
    ];
    const svg = drawChart({ ...chart('pie', data), colours, group }, { ...options, theme: 'light' });
    return readSvg(svg)
      .filter(({ name, attributes }) => name === 'rect' && attributes['rx'] === '2')
      .map(({ attributes }) => attributes['fill']);
  };
  const { series1, series2, series3 } = lightColours;
  assert.deepEqual(keysOf(), [series2, series3, series1]);
  assert.deepEqual(keysOf('minor'), keysOf());
});

test('shares have their day where it is not that of now', () => {
  const dated = { ...software, timestamp: Date.UTC(2024, 5, 30, 12) };
  assert.match(describeChart(dated), /^Server Software of servers using X on 30 Jun 2024: Paper 61%/);
  assert.match(drawChart(dated, options), />30 Jun 2024 *</);
  const small = (width: number) => drawChart(dated, { ...options, width });
  assert.match(small(320), /> {2}30 Jun 2024</);
  assert.match(small(320), />Server Software</);
  // Its description has it alone where the title needs the room.
  assert.doesNotMatch(
    drawChart({ ...dated, title: `${dated.title} and more` }, { ...options, width: 200 }),
    /> {2}30 Jun/,
  );
  const bars = { ...dated, form: 'bars' as const, data: [{ name: 'a', data: [1, 2] }], settings: undefined };
  assert.match(drawChart(bars, options), />30 Jun 2024 *</);
  const content = contentOf(dated);
  const soon = { chart: dated, range: 'all', nowMs: Date.UTC(2024, 6, 1) } as const;
  assert.match(describeContent(content, soon), /^Server Software of servers using X: Paper/);
  assert.equal(describeChart({ ...dated, data: [] }), 'Server Software of servers using X: No data yet.');
});

test('a slice of a drilldown pie opens by its index in the picture', () => {
  assert.deepEqual(openSlice(java, 0), {
    form: 'pie',
    title: 'Java Version › Java 21',
    data: [
      { name: '21.0.7', y: 1 },
      { name: '21.0.11', y: 4 },
    ],
  });
  assert.equal(openSlice(java, 1), undefined);
  assert.equal(openSlice(java, 2), undefined);
  assert.equal(openSlice(software, 0), undefined);
});
