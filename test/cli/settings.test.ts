// Durations, past dates and names of stores on the command line; other values are tested with the commands that take them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration, parsePastDate } from '../../src/cli/settings.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { AppError } from '../../src/model/app-error.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test('a duration is minutes, hours or days', () => {
  assert.equal(parseDuration('30m'), 30 * minute);
  assert.equal(parseDuration('12h'), 12 * hour);
  assert.equal(parseDuration('366d'), 366 * day);
  for (const text of [
    '',
    '30',
    'm',
    '0m',
    '1s',
    '1.5h',
    '-1d',
    '30 m',
    '367d',
    '1D',
    '9'.repeat(400),
    '30m\n',
  ]) {
    assert.throws(
      () => parseDuration(text),
      (error) =>
        error instanceof AppError && error.message.startsWith('it must be a duration from 1m to 366d'),
      JSON.stringify(text),
    );
  }
});

test('a past date is at most now, to the millisecond', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');
  const past: ReadonlyArray<readonly [text: string, timestamp: number]> = [
    ['0d', now],
    ['2026-06-01T12:00:00Z', now],
    ['2026-06-01T14:00:00+02:00', now],
    ['2026-06-01', now - 12 * hour],
    ['1d', now - day],
  ];
  for (const [text, timestamp] of past) assert.equal(parsePastDate(text, now), timestamp);
  for (const text of ['2026-06-01T12:00:00.001Z', '2026-06-01T12:00:00-00:01', '2026-06-02', '2062-06-01']) {
    assert.throws(
      () => parsePastDate(text, now),
      new AppError(
        'invalid',
        `it must not be after now (2026-06-01T12:00:00.000Z), as --after DATE alone removes what lies in the future`,
      ),
    );
  }
});

test('a name with the prefix of a connection string is a store on a server', () => {
  for (const name of ['postgres://h', 'postgresql://h']) assert.equal(parseStoreName(name).file, undefined);
  assert.throws(() => parseStoreName('postgres:x'), { code: 'invalid' });
});

test('any other name is a file', () => {
  for (const [name, path] of [
    ['sqlite:postgres', 'postgres'],
    ['postgres.db', 'postgres.db'],
    ['a/postgres.db', 'a/postgres.db'],
  ] as const)
    assert.equal(parseStoreName(name).file?.path, path);
});
