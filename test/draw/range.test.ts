// The words of periods: "now" and "in the last 30 days" only where that is true.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeWords, timeWords } from '../../src/draw/range.ts';

const timestamp = Date.UTC(2026, 5, 30, 23, 30);
const dayMs = 24 * 60 * 60 * 1000;

test('a value is that of now for two days, and is then named by its day', () => {
  assert.equal(timeWords({ timestamp, nowMs: timestamp + 2 * dayMs - 1 }), 'now');
  assert.equal(timeWords({ timestamp, nowMs: timestamp + 2 * dayMs }), 'on 30 Jun 2026');
  assert.equal(timeWords({ timestamp, nowMs: timestamp - dayMs }), 'now');
});

test('a range that has ended is not the last one', () => {
  const current = { timestamp, nowMs: timestamp };
  const ended = { timestamp, nowMs: timestamp + 700 * dayMs };
  assert.equal(rangeWords('30d', current), 'in the last 30 days');
  assert.equal(rangeWords('1d', current, 'before'), 'in the last day');
  assert.equal(rangeWords('30d', ended), 'in the 30 days to 30 Jun 2026');
  assert.equal(rangeWords('30d', ended, 'before'), 'in the 30 days before');
  assert.equal(rangeWords('all', ended), 'in its whole history');
  const window = { from: timestamp - dayMs, to: timestamp };
  assert.equal(rangeWords(window, current), rangeWords(window, ended));
});
