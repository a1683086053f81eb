// The facts of charts of shares: those of very many names, and those of data without a history.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trustedJson } from '../../src/model/json-text.ts';
import type { ShareHistory } from '../../src/model/share-history.ts';
import { addToTotals, factsOfData, factsOfTotals, noTotals } from '../../src/series/share-facts.ts';

function part(times: readonly number[], values: Readonly<Record<string, readonly number[]>>): ShareHistory {
  const names = Object.keys(values).sort();
  return {
    times: Float64Array.from(times),
    shares: names.map((name) => ({ group: null, name })),
    columns: names.map((name) => Float64Array.from(values[name] ?? [])),
  };
}

test('of very many names, and of very long ones, the largest that have room are kept', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `name ${index}`);
  const values = Object.fromEntries(names.map((name, index) => [name, [index]]));
  const long = 'x'.repeat(100_000);
  const totals = addToTotals(noTotals, part([0], { ...values, [long]: [9999] }));
  assert.ok(JSON.stringify(totals.sums).length < 100_000);
  assert.ok(totals.sums.length > 2000);
  assert.deepEqual(factsOfTotals(totals).colours, names.slice(-12).reverse());
  // One that was forgotten begins again.
  const again = addToTotals(totals, part([1], { 'name 5': [10_000] }));
  assert.deepEqual(again.sums[0], ['name 5', 10_000]);
});

test('without a history, colours are by the data of now, of outer shares, and those that are 0 have none', () => {
  const pie = [
    { name: 'b', y: 2 },
    { name: 'a', y: 2 },
    { name: 'none', y: 0 },
    { name: 'c', y: 3 },
  ];
  const factsOf = (type: string, data: unknown) => factsOfData(type, trustedJson(JSON.stringify(data)));
  assert.deepEqual(factsOf('simple_pie', pie), { colours: ['c', 'a', 'b'], mostUsed: null });
  const drilldown = {
    drilldownData: [
      {
        name: 'Linux',
        id: 'l',
        data: [
          ['5.4', 1],
          ['6.1', 1],
        ],
      },
    ],
    seriesData: [
      { name: 'Windows', y: 1, drilldown: 'w' },
      { name: 'Linux', y: 2, drilldown: 'l' },
    ],
  };
  assert.deepEqual(factsOf('drilldown_pie', drilldown).colours, ['Linux', 'Windows']);
  assert.deepEqual(factsOf('advanced_bar', [{ name: 'x', data: [1, 2] }]).colours, ['x']);
});
