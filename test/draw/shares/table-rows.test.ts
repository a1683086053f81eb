// Data of unknown types as rows and columns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableRows } from '../../../src/draw/shares/table-rows.ts';
import { fc } from '../../support/seed.ts';

const bounds = { rows: 3, columns: 4 };

test('objects become rows, and their members columns', () => {
  const data: object = [{ a: 1, b: 'x' }, { a: null, c: [1, { d: 2 }] }, { constructor: 1 }, { a: 4 }];
  assert.deepEqual(tableRows(data, bounds), {
    columns: ['a', 'b', 'c', 'constructor'],
    rows: [
      ['1', 'x', '', ''],
      ['null', '', '[1,{"d":2}]', ''],
      ['', '', '', '1'],
    ],
    rowCount: 4,
  });
});

test('an object becomes rows of key and value, and any other array becomes rows of cells', () => {
  assert.deepEqual(tableRows({ unit: 'hours', days: { mon: 8 } }, bounds).rows, [
    ['unit', 'hours'],
    ['days', '{"mon":8}'],
  ]);
  assert.deepEqual(tableRows(['Lovely!', ['reply', true], { a: 1 }], bounds).rows, [
    ['Lovely!'],
    ['reply', 'true'],
    ['{"a":1}'],
  ]);
});

test('any array or object is a table within the bounds', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (data) => {
      const table = tableRows(data, bounds);
      assert.ok(table.rows.length <= 3);
      assert.ok(table.rows.every((row) => row.length <= 4 && row.every((cell) => cell.length <= 200)));
    }),
  );
});
