// Parsing the data of lines, well-formed or not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, parseLine } from '../../../src/draw/line/parse-line.ts';

const dayMs = 24 * 60 * 60 * 1000;

test('points are returned in ascending order, without invalid entries', () => {
  const points = parseLine([[3, 30], [1, 10], [2, null], ['4', 1], 7, null, [1, 11]]);
  assert.deepEqual([...(points?.timestamps ?? [])], [1, 3]);
  assert.deepEqual([...(points?.values ?? [])], [11, 30]);
  assert.equal(parseLine([])?.timestamps.length, 0);
  for (const data of [undefined, {}, 'line', [1, 2], [[1, null]]]) assert.equal(parseLine(data), undefined);
});

test('a range counts back from the newest point, and not beyond the first', () => {
  const points = parseLine([
    [0, 9],
    [9 * dayMs, 5],
    [10 * dayMs, 7],
  ]);
  assert.ok(points !== undefined);
  const week = columnsOf(points, { range: '7d', width: 400 });
  assert.deepEqual([week.from, week.to, week.pointCount, week.high], [3 * dayMs, 10 * dayMs, 2, 7]);
  const month = columnsOf(points, { range: '30d', width: 400 });
  assert.deepEqual([month.from, month.pointCount, month.high], [0, 3, 9]);
});
