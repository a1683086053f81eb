// The rings of pies with many slices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawChart } from '../../../src/draw/chart.ts';
import { readSvg } from '../../support/read-svg.ts';

const options = { width: 800, height: 300, theme: 'light', hasStyle: true } as const;

test('the outer ring of thirty groups goes all the way round', () => {
  const names = Array.from({ length: 30 }, (_, index) => `Group ${index}`);
  const data = {
    seriesData: names.map((name) => ({ name, y: 10, drilldown: name })),
    drilldownData: names.map((name) => ({
      name,
      id: name,
      data: [
        ['a', 5],
        ['b', 5],
      ],
    })),
  };
  const svg = drawChart({ form: 'drilldown', title: 'T', data }, options);
  const others = readSvg(svg).filter(({ name, text }) => name === 'title' && /^Other \(\d+\) /.test(text));
  assert.equal(others.length, 2);
});
