// The facts of charts of shares: those of very many names, and those of data without a history.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Columns } from '../../src/model/columns.ts';
import { trustedJson } from '../../src/model/json-text.ts';
import {
  areWhole,
  factsOfData,
  noTotals,
  parseSums,
  renderSums,
  ShareAdder,
} from '../../src/series/share-facts.ts';

function part(times: readonly number[], values: Readonly<Record<string, readonly number[]>>): Columns {
  const names = Object.keys(values).sort();
  return {
    times: Float64Array.from(times),
    series: names.map((name) => ({ group: null, name, values: Float64Array.from(values[name] ?? []) })),
  };
}

test('of more names than are in memory at a time, passes over parts of them have the sums of all', () => {
  const name = (index: number) => `${index} ${'x'.repeat(280)}`;
  const parts = [0, 1].map((time) =>
    part(
      [time],
      Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [name(at + time * 9000), [at % 7000]])),
    ),
  );
  let [totals, passCount] = [noTotals, 0];
  for (let start: string | undefined = ''; start !== undefined; passCount++) {
    const adder: ShareAdder = new ShareAdder(noTotals, start);
    for (const one of parts) adder.add(one);
    totals = adder.finish(totals);
    start = adder.end;
  }
  assert.ok(passCount > 1);
  assert.equal(areWhole(totals), false);
  const sums = new Map<string, number>();
  for (const { series } of parts)
    for (const one of series) sums.set(one.name, (sums.get(one.name) ?? 0) + (one.values[0] ?? 0));
  const sorted = [...sums].sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1));
  assert.deepEqual(
    totals.sums.map(([key, sum]) => [key, ...sum]),
    sorted.slice(0, totals.sums.length),
  );
  assert.deepEqual(parseSums(renderSums(totals)), totals.sums);
  // One that was left out may be among the largest now, unless what it gets is too little.
  const factsAfter = (value: number) => {
    const adder = new ShareAdder(totals);
    adder.add(part([2], { [sorted.at(-1)?.[0] ?? '']: [value] }));
    return adder.facts();
  };
  assert.equal(factsAfter(10_000), undefined);
  assert.deepEqual(
    factsAfter(1)?.colours,
    sorted.slice(0, 12).map(([key]) => key),
  );
});

test('sums are exact, each with its parts', () => {
  const rows = (values: Readonly<Record<string, readonly number[]>>) => {
    const adder = new ShareAdder();
    adder.add(part([0, 1, 2], values));
    return renderSums(adder.finish());
  };
  assert.equal(rows({ a: [1, 2, 0], b: [1e300, 1, -1e300] }), '[["a",3],["b",1]]');
  assert.equal(
    rows({ a: [1e308, 1e308, 0], b: [0.5, 2 ** 53, 0] }),
    '[["a",1.7976931348623157e+308],["b",9007199254740992,0.5]]',
  );
  const plain = rows({ a: [1, 2, 3], b: [4, 0, 0] });
  assert.equal(plain, '[["a",6],["b",4]]');
  assert.deepEqual(parseSums(plain), [
    ['a', [6]],
    ['b', [4]],
  ]);
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
