// Durations and names of stores on the command line; other values are tested with the commands that take them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration } from '../../src/cli/settings.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test('a duration is minutes, hours or days', () => {
  assert.equal(duration.parse('30m'), 30 * minute);
  assert.equal(duration.parse('12h'), 12 * hour);
  assert.equal(duration.parse('366d'), 366 * day);
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
    assert.equal(duration.parse(text), undefined, JSON.stringify(text));
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
