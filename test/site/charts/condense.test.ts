// Large data reduced to what a picture can show, with the same sum.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { condense } from '../../../src/site/charts/condense.ts';
import type { Steps } from '../../../src/site/charts/steps.ts';
import { fc } from '../../support/seed.ts';

function take<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const pieOf = (values: readonly number[]) => values.map((y, index) => ({ name: `n${index}`, y }));

test('data of the usual size is not changed', () => {
  const pie = pieOf([3, 1, 2]);
  assert.equal(take(condense('pie', pie)), pie);
  const unknown = { any: 'thing' };
  assert.equal(take(condense('other', unknown)), unknown);
});

test('the largest slices keep their order, and the others become one', () => {
  const values = fc.array(fc.nat({ max: 9 }), { minLength: 501, maxLength: 5000, size: 'max' });
  fc.assert(
    fc.property(values, (ys) => {
      const pie = pieOf(ys);
      const condensed = take(condense('pie', pie)) as typeof pie;
      const [kept, others] = [condensed.slice(0, -1), condensed.at(-1)];
      assert.equal(kept.length, 500);
      assert.equal(others?.name, `${ys.length - 500} others`);
      assert.deepEqual(
        kept,
        pie.filter((slice) => kept.includes(slice)),
      );
      const smallest = Math.min(...kept.map(({ y }) => y));
      assert.ok(pie.every((slice) => kept.includes(slice) || slice.y <= smallest));
      const sum = (slices: typeof pie) => slices.reduce((total, { y }) => total + y, 0);
      assert.equal(sum(condensed), sum(pie));
    }),
    { numRuns: 30 },
  );
});

test('maps, bars and drilldown pies are condensed too', () => {
  const map = Array.from({ length: 600 }, (_, index) => ({ code: 'DE', value: index }));
  const countries = take(condense('map', map)) as typeof map;
  assert.deepEqual(countries.at(-1), { code: '100 others', value: 4950 });

  const long = Array.from({ length: 10_000 }, () => 2);
  const bars = take(
    condense('bars', [
      { name: 'long', data: long },
      { name: 'short', data: [1] },
    ]),
  );
  assert.deepEqual(bars, [
    { name: 'long', data: [...long.slice(0, 9), 2 * 9991] },
    { name: 'short', data: [1] },
  ]);

  const parts = Array.from({ length: 1000 }, (_, index) => [`p${index}`, 1]);
  const lists = ['a', 'b', 'unused'].map((id) => ({ name: id, id, data: parts }));
  const slices = Array.from({ length: 700 }, (_, index) => ({
    name: `s${index}`,
    y: 700 - index,
    drilldown: index < 2 ? (['a', 'b'][index] ?? '') : 'none',
  }));
  const drilldown = take(condense('drilldown', { drilldownData: lists, seriesData: slices })) as {
    readonly drilldownData: readonly { readonly id: string; readonly data: readonly unknown[] }[];
    readonly seriesData: readonly object[];
  };
  assert.deepEqual(
    drilldown.drilldownData.map(({ id, data }) => [id, data.length, data.at(-1)]),
    [
      ['a', 501, ['500 others', 500]],
      ['b', 501, ['500 others', 500]],
    ],
  );
  assert.deepEqual(drilldown.seriesData.at(-1), { name: '200 others', y: 20_100 });
});
