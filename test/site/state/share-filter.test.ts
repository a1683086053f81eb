// The shares that a reader has chosen, in addresses and attributes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Query } from '../../../src/model/parameter.ts';
import { withQuery } from '../../../src/site/address/paths.ts';
import { accept, parse, write } from '../../../src/site/state/fields.ts';
import {
  filterField,
  filtersField,
  isolateShare,
  type ShareFilter,
  shareTest,
  toggleShare,
} from '../../../src/site/state/share-filter.ts';
import { fc } from '../../support/seed.ts';

const chartIds = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.~-]{0,9}$/);
const names = fc
  .uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 })
  .map((all) => all.sort());
const fields = { filters: filtersField };
const parseShareFilters = (query: Query) => parse(fields, query).filters;
const anyFilter = fc.record<ShareFilter>({ kind: fc.constantFrom('hide', 'only'), names });

test('filters of a page come back from its address', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(chartIds, anyFilter)),
      fc.constantFrom(undefined, '7d'),
      (entries, range) => {
        const filters = new Map(entries);
        const address = withQuery('/plugin', { range, ...write(fields, { filters }) });
        const { searchParams } = new URL(address, 'http://localhost');
        const found = accept(fields, searchParams).filters;
        const sorted = (map: ReadonlyMap<string, ShareFilter>) =>
          [...map].sort(([a], [b]) => (a < b ? -1 : 1));
        assert.equal(JSON.stringify(sorted(found)), JSON.stringify(sorted(filters)));
      },
    ),
  );
});

test('a filter comes back from attributes', () => {
  const filter = { kind: 'hide', names: ['Paper', 'Spigot'] } as const;
  const attributes = write({ filter: filterField }, { filter });
  assert.deepEqual(attributes, { hide: 'Paper\nSpigot' });
  assert.deepEqual(parse({ filter: filterField }, attributes), { filter });
  assert.equal(parse({ filter: filterField }, { hide: '\n', only: '' }).filter, undefined);
});

test('the same shares in a query are the same filter, and of hidden and isolated ones the isolated count', () => {
  assert.deepEqual(
    [...parseShareFilters({ hide: 'os:a', only: 'os:b' })],
    [['os', { kind: 'only', names: ['b'] }]],
  );
  assert.equal(parseShareFilters({ hide: '', only: ['', ''] }).size, 0);
  const filters = parseShareFilters({ hide: ['os:b', 'arch:x', 'os:a:b', 'none', 'os:b'], only: 'arch:y' });
  assert.deepEqual(
    [...filters],
    [
      ['arch', { kind: 'only', names: ['y'] }],
      ['os', { kind: 'hide', names: ['a:b', 'b'] }],
    ],
  );
});

test('a share is hidden and shown again, and one that is shown alone is joined by others', () => {
  const hidden = toggleShare(undefined, 'a');
  assert.deepEqual(hidden, { kind: 'hide', names: ['a'] });
  assert.deepEqual(toggleShare(hidden, 'b'), { kind: 'hide', names: ['a', 'b'] });
  assert.equal(toggleShare(hidden, 'a'), undefined);
  const alone = isolateShare(hidden, 'b');
  assert.deepEqual(alone, { kind: 'only', names: ['b'] });
  assert.deepEqual(isolateShare(alone, 'a'), { kind: 'only', names: ['a'] });
  assert.equal(isolateShare(alone, 'b'), undefined);
  assert.deepEqual(toggleShare(alone, 'a'), { kind: 'only', names: ['b', 'a'] });
  // All shares, where the last one would go.
  assert.equal(toggleShare(alone, 'b'), undefined);
});

test('a filter shows what it does not hide, or what it names alone', () => {
  const shown = (filter: ShareFilter | undefined) => ['a', 'b', undefined].filter(shareTest(filter));
  assert.deepEqual(shown(undefined), ['a', 'b', undefined]);
  assert.deepEqual(shown({ kind: 'hide', names: ['a'] }), ['b', undefined]);
  assert.deepEqual(shown({ kind: 'only', names: ['a'] }), ['a']);
});
