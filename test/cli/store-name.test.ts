// The kind of store that a value of --store selects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';

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
