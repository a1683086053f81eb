// Shares as slices and bars: named, in groups, and no more of them than a picture can show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentOf } from '../../../src/draw/chart-content.ts';
import { barsOf, partNamesOf, shownName, slicesOf } from '../../../src/draw/shares/slices.ts';
import { type ShareValue, sharesIn } from '../../../src/model/data-shares.ts';
import { fc } from '../../support/seed.ts';

const sharesOf = (values: readonly number[]): ShareValue[] =>
  values.map((value, index) => [{ group: null, name: `n${index}` }, value]);

test('a pie has names and values, and a name of nothing is shown as none', () => {
  assert.deepEqual(slicesOf(sharesIn('pie', [{ name: 'Paper', y: 68 }])), [
    { name: 'Paper', value: 68, parts: [] },
  ]);
  assert.equal(slicesOf([[{ group: null, name: ' ' }, 1]])[0]?.name, '(no name)');
});

test('two outer slices with one drilldown id: the first has the parts, in a picture as in files and histories', () => {
  const data = {
    drilldownData: [
      {
        name: 'x',
        id: 'j',
        data: [
          ['21.0.11', 2],
          ['21', 1],
        ],
      },
    ],
    seriesData: [
      { name: 'Java 21', y: 3, drilldown: 'j' },
      { name: 'Java 8', y: 1, drilldown: 'j' },
    ],
  };
  const parts = [
    { name: '21.0.11', value: 2 },
    { name: '21', value: 1 },
  ];
  assert.deepEqual(contentOf({ form: 'drilldown', title: 'Java', data }), {
    kind: 'pie',
    colours: [],
    shares: [
      { name: 'Java 21', value: 3, parts },
      { name: 'Java 8', value: 1, parts: [] },
    ],
  });
});

test('countries have English names, and an unknown code stays as it is', () => {
  const codes = ['DE', 'us', 'XK', 'AQ', 'ZZ', 'QX', 'AUTO', '12', '"><script>'];
  const data = codes.map((code) => ({ code, value: 1 }));
  const content = contentOf({ form: 'map', title: 'Map', data });
  const known = ['Germany', 'United States', 'Kosovo', 'Antarctica', 'Unknown'];
  assert.deepEqual(content.kind === 'bars' && content.shares.map(({ name }) => name), [
    ...known,
    'QX',
    'AUTO',
    '12',
    '"><script>',
  ]);
});

test('the value of a bar is the sum of its parts, which the settings name', () => {
  const zoo = [
    { name: 'Llama', data: [3, 0, 4.5] },
    { name: 'Cod', data: [12] },
  ];
  const bars = barsOf(sharesIn('bars', zoo), shownName);
  assert.deepEqual(
    bars.map((bar) => ({ ...bar, parts: bar.parts.map(({ value }) => value) })),
    [
      { name: 'Llama', value: 7.5, parts: [3, 0, 4.5] },
      { name: 'Cod', value: 12, parts: [12] },
    ],
  );
  assert.deepEqual(partNamesOf({ barNames: ['Young', 7, ' old '] }), ['Young', '', 'old']);
  assert.deepEqual(partNamesOf(null), []);
});

test('of very many parts the largest are left too, and of a bar the first nine', () => {
  const parts = sharesOf(Array.from({ length: 1000 }, () => 1)).map(([{ name }, value]): ShareValue => {
    return [{ group: 'a', name }, value];
  });
  const [slice] = slicesOf(parts);
  assert.equal(slice?.parts.length, 501);
  assert.deepEqual(slice.parts.at(-1), { name: '500 others', value: 500 });
  const values = barsOf(parts, shownName)[0]?.parts.map(({ value }) => value);
  assert.deepEqual(values, [...Array<number>(9).fill(1), 991]);
});

test('of very many slices the largest are left, and one for the others', () => {
  const values = fc.array(fc.nat({ max: 9 }), { minLength: 501, maxLength: 5000, size: 'max' });
  fc.assert(
    fc.property(values, (numbers) => {
      const slices = slicesOf(sharesOf(numbers));
      const [kept, others] = [slices.slice(0, -1), slices.at(-1)];
      assert.equal(kept.length, 500);
      assert.equal(others?.name, `${numbers.length - 500} others`);
      const descending = numbers.toSorted((a, b) => b - a);
      assert.deepEqual(
        kept.map(({ value }) => value),
        descending.slice(0, 500),
      );
      assert.equal(
        others.value,
        descending.slice(500).reduce((sum, value) => sum + value, 0),
      );
    }),
    { numRuns: 30 },
  );
});
