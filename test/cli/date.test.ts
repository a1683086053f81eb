// Durations on the command line; dates are tested with the commands that take them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../../src/cli/date.ts';
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
