// Parsing the data of pies, maps and bars, well-formed or not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseBars,
  parseDrilldown,
  parseMap,
  parsePartNames,
  parsePie,
} from '../../../src/draw/shares/parse-shares.ts';
import { fc } from '../../support/seed.ts';

test('a pie is read as names and values', () => {
  assert.deepEqual(parsePie([{ name: 'Paper', y: 68 }]), [{ name: 'Paper', value: 68, parts: [] }]);
  assert.deepEqual(parsePie([]), []);
});

test('entries without a name or a number are left out, and an empty name is shown as none', () => {
  const slices = [
    null,
    7,
    { name: 'Paper' },
    { y: 3 },
    { name: 'a', y: '3' },
    { name: 'b', y: null },
    { name: '', y: -2 },
    { name: 16, y: 0 },
  ];
  assert.deepEqual(parsePie(slices), [
    { name: '(no name)', value: -2, parts: [] },
    { name: '16', value: 0, parts: [] },
  ]);
});

test('data without a valid entry cannot be drawn', () => {
  for (const data of [undefined, null, 'pie', 3, {}, [1, 2], [{ name: 'Paper' }], { data: [] }]) {
    assert.equal(parsePie(data), undefined);
    assert.equal(parseMap(data), undefined);
    assert.equal(parseBars(data), undefined);
    assert.equal(parseDrilldown(data), undefined);
  }
});

test('the parts of a slice are found by its drilldown id', () => {
  const data = {
    drilldownData: [{ name: 'x', id: 'j21', data: [['21.0.11', 2], ['21.0.7'], 'junk', ['21', 1]] }],
    seriesData: [
      { name: 'Java 21', y: 3, drilldown: 'j21' },
      { name: 'Java 8', y: 1, drilldown: '__proto__' },
    ],
  };
  const parts = [
    { name: '21.0.11', value: 2 },
    { name: '21', value: 1 },
  ];
  assert.deepEqual(parseDrilldown(data), [
    { name: 'Java 21', value: 3, parts },
    { name: 'Java 8', value: 1, parts: [] },
  ]);
  assert.deepEqual(parseDrilldown({ drilldownData: [], seriesData: [] }), []);
});

test('countries have English names, and an unknown code stays as it is', () => {
  const names = ['DE', 'us', 'XK', 'AQ', 'ZZ', 'QX', 'AUTO', '12', '"><script>'].map(
    (code) => parseMap([{ code, value: 1 }])?.[0]?.name,
  );
  const known = ['Germany', 'United States', 'Kosovo', 'Antarctica', 'Unknown'];
  assert.deepEqual(names, [...known, 'QX', 'AUTO', '12', '"><script>']);
});

test('the value of a bar is the sum of its parts, which the settings name', () => {
  const zoo = [
    { name: 'Llama', data: [3, null, 4.5] },
    { name: 'Cod', data: 12 },
    { name: 'Goat', data: [] },
  ];
  assert.deepEqual(parseBars(zoo), [
    { name: 'Llama', value: 7.5, parts: [3, 0, 4.5] },
    { name: 'Cod', value: 12, parts: [12] },
    { name: 'Goat', value: 0, parts: [] },
  ]);
  assert.deepEqual(parsePartNames(zoo, { barNames: ['Young', 7, null] }), ['Young', '7', '']);
  assert.deepEqual(parsePartNames(zoo, null), []);
});

test('bars in the old form are transposed', () => {
  const old = {
    categories: ['Llama', 'Goat'],
    series: [
      { name: 'Young', data: [3, 6] },
      { name: 'Grown', data: [8] },
    ],
  };
  assert.deepEqual(parseBars(old), [
    { name: 'Llama', value: 11, parts: [3, 8] },
    { name: 'Goat', value: 6, parts: [6, 0] },
  ]);
  assert.deepEqual(parsePartNames(old, {}), ['Young', 'Grown']);
  assert.deepEqual(parseBars({ categories: [], series: [] }), []);
});

test('any JSON is read without an error', () => {
  const entry = fc.record(
    {
      name: fc.jsonValue(),
      y: fc.jsonValue(),
      code: fc.string(),
      value: fc.jsonValue(),
      data: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const data = fc.oneof(
    fc.jsonValue(),
    fc.array(entry),
    fc.record({ seriesData: fc.array(entry), drilldownData: fc.array(entry) }),
    fc.record({ categories: fc.array(fc.jsonValue()), series: fc.array(entry) }),
  );
  fc.assert(
    fc.property(data, (any) => {
      for (const read of [parsePie, parseMap, parseDrilldown]) {
        assert.ok((read(any) ?? []).every(({ name, value }) => name !== '' && Number.isFinite(value)));
      }
      assert.ok((parseBars(any) ?? []).every(({ value }) => Number.isFinite(value)));
      parsePartNames(any, any);
    }),
  );
});
