// Times in ISO 8601, as people and programs write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTime } from '../../src/model/iso-time.ts';

const noon = Date.UTC(2026, 5, 30, 12);

test('a time may have a zone, seconds and more than milliseconds', () => {
  for (const [text, timestamp] of [
    ['2026-06-30', noon - 43_200_000],
    ['2026-06-30T12:00Z', noon],
    ['2026-06-30T12:00', noon],
    ['2026-06-30 14:00:00+02:00', noon],
    ['2026-06-30T12:00:00.5Z', noon + 500],
    ['2026-06-30T12:00:00,25Z', noon + 250],
    ['2026-06-30T12:00:00.123456Z', noon + 123],
    ['2026-06-30T12:00:00.999999999', noon + 999],
    [`${noon}`, noon],
  ] as const)
    assert.equal(parseTime(text)?.timestamp, timestamp, text);
});

test('what is no time is undefined', () => {
  for (const text of [
    '',
    '2026-06-31',
    '2026-06-30T24:00Z',
    '2026-06-30T12Z',
    '2026-06-30T12:00:00.Z',
    '20260630',
  ])
    assert.equal(parseTime(text), undefined, text);
});
