// The table of a chart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLine } from '../../src/draw/line/line-to-draw.ts';
import { pointsOf } from '../../src/model/columns.ts';
import { lineTable, shareTable } from '../../src/site/browser/element/table.ts';

test('a pie has its slices with shares, largest first', () => {
  const data = [
    { name: 'Spigot', value: 1, parts: [] },
    { name: '<b>Paper</b>', value: 3, parts: [] },
  ];
  const table = shareTable('Software', data);
  assert.deepEqual(table.columns, ['Name', 'Value', 'Share']);
  assert.deepEqual(table.rows, [
    ['<b>Paper</b>', '3', '75%'],
    ['Spigot', '1', '25%'],
  ]);
  assert.equal(table.note, '');
});

test('a line with events has a column of them, and a row for each that is older than the newest points', () => {
  const data = Array.from({ length: 1000 }, (_, index) => [index * 60_000, index] as const);
  const newest = { time: 999 * 60_000, value: 999 };
  const window = { from: 0, to: newest.time + 1 };
  const line = { window, points: pointsOf(data), newest };
  const reading = readLine(line, { window, width: 800 });
  const release = { time: 7 * 60_000 + 59_999, title: '1.0', url: null };
  const later = { time: 600 * 60_000, title: '2.0', url: 'https://example.org/' };
  const outside = { ...later, time: 1000 * 60_000 };
  const events = [release, { ...release, title: '1.0.1' }, later, outside];
  const table = lineTable('Players', { ...reading, events });
  assert.deepEqual(table.columns, ['Time', 'Value', 'Events']);
  assert.deepEqual(table.rows.at(-1), ['1 Jan 1970, 00:07 UTC', '7', events.slice(0, 2)]);
  assert.deepEqual(table.rows[999 - 600]?.[2], [later]);
  assert.equal(table.rows[0]?.[2], '');
  assert.equal(table.rows.length, 501);
  assert.equal(table.note, 'Newest 500 of 1,000, and those with events');
});
