// Filters of charts: bounds of lines, names by text and by pattern, and settings that are no filter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clampOf, nameRuleOf } from '../../src/collect/chart-filter.ts';
import { trustedJson } from '../../src/model/json-text.ts';

const filterOf = (settings: unknown) => {
  const json = trustedJson(JSON.stringify(settings));
  return { clamp: clampOf(json), allows: nameRuleOf(json) };
};
const clamp = (filter: object, value: number) =>
  filterOf({ filter: { enabled: true, ...filter } }).clamp(value);
const names = (filter: object) => {
  const { allows } = filterOf({ filter: { enabled: true, ...filter } });
  return ['Paper', 'paper', 'Paperback', '8', '128', 'a\nb'].filter(allows);
};
const all = names({ enabled: false });

test('bounds move a value to the nearer one', () => {
  const filter = { minValue: 0, maxValue: 200 };
  assert.deepEqual(
    [-1, 0, 5, 200, 201, 1e300].map((value) => clamp(filter, value)),
    [0, 0, 5, 200, 200, 200],
  );
  assert.equal(clamp({ minValue: 200, maxValue: 0 }, 500), 200);
  assert.equal(clamp({ minValue: null, maxValue: 10 }, -500), -500);
  assert.equal(clamp({ minValue: '0', maxValue: 10 }, -500), -500);
  assert.equal(clamp({ minValue: 5 }, 1), 5);
  assert.equal(clamp({}, 1), 1);
});

test('a filter that is not enabled, or is none, lets everything pass', () => {
  for (const settings of [{}, [], null, 5, { filter: null }, { filter: { minValue: 3, maxValue: 3 } }]) {
    assert.equal(filterOf(settings).clamp(7), 7);
    assert.equal(filterOf(settings).allows('x'), true);
  }
  assert.equal(clamp({ enabled: 'yes', maxValue: 1 }, 7), 7);
});

test('names are those that the filter has, or all others', () => {
  assert.deepEqual(names({ filter: ['Paper', '8'] }), ['Paper', '8']);
  assert.deepEqual(names({ filter: ['Paper', '8'], blacklist: true }), ['paper', 'Paperback', '128', 'a\nb']);
  assert.deepEqual(names({ filter: [] }), []);
  assert.deepEqual(names({ filter: [], blacklist: true }), all);
  assert.deepEqual(names({ filter: 'Paper' }), all);
  assert.deepEqual(names({ filter: [5, null, 'Paper'] }), ['Paper']);
});

test('patterns match whole names', () => {
  assert.deepEqual(names({ filter: ['([0-9]){1,2}'], useRegex: true }), ['8']);
  assert.deepEqual(names({ filter: ['(?i)paper', '1.*'], useRegex: true }), ['Paper', 'paper', '128']);
  assert.deepEqual(names({ filter: ['Paper'], useRegex: true }), ['Paper']);
  assert.deepEqual(names({ filter: ['Pap|er'], useRegex: true }), []);
  assert.deepEqual(names({ filter: ['.*'], useRegex: true }), all.slice(0, -1));
});

test('a pattern that does not compile matches nothing', () => {
  for (const pattern of ['(', 'a**', '(?=x)', '\\1', '(a{1,1000}){1,1000}', '[z-a]']) {
    assert.deepEqual(names({ filter: [pattern], useRegex: true }), []);
    assert.deepEqual(names({ filter: [pattern], useRegex: true, blacklist: true }), all);
    assert.deepEqual(names({ filter: [pattern, '8'], useRegex: true }), ['8']);
  }
});

test('a pattern that others take years for is matched in one walk over the name', () => {
  const { allows } = filterOf({ enabled: true, useRegex: true, filter: ['(a+)+b', '(x+x+)+y'] });
  assert.equal(allows('a'.repeat(200)), false);
  assert.equal(allows('x'.repeat(200)), false);
});
