// Durations and names of stores on the command line; other values are tested with the commands that take
// them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationSetting, timeSetting } from '../../src/cli/settings.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test('a duration is minutes, hours or days', () => {
  assert.equal(durationSetting.parse('30m'), 30 * minute);
  assert.equal(durationSetting.parse('12h'), 12 * hour);
  assert.equal(durationSetting.parse('366d'), 366 * day);
  for (const text of ['', '30', '0m', '1s', '1.5h', '367d', '30m\n'])
    assert.equal(durationSetting.parse(text), undefined, JSON.stringify(text));
});

test('digits alone are Unix milliseconds from twelve on, and 0', () => {
  assert.equal(timeSetting.parse('0'), 0);
  assert.equal(timeSetting.parse('100000000000'), 100_000_000_000);
  assert.equal(timeSetting.parse('1782257400000'), 1_782_257_400_000);
  for (const text of ['00', '1', '2026', '20260601', '1782257400', '99999999999', '9999999999999999'])
    assert.equal(timeSetting.parse(text), undefined, text);
});
