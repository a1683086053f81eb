// The shares that a reader has chosen, in addresses and attributes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  filterInAttributes,
  filtersInQuery,
  isolateShare,
  isShareShown,
  type ShareFilter,
  toggleShare,
  withFilters,
} from '../../../src/site/state/share-filter.ts';
import { fc } from '../../support/seed.ts';

const chartIds = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.~-]{0,9}$/);
const names = fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 });
const anyFilter = fc.record<ShareFilter>({ kind: fc.constantFrom('hide', 'only'), names });

test('filters of a page come back from its address', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(chartIds, anyFilter)),
      fc.constantFrom('', '?range=7d'),
      (entries, query) => {
        const filters = new Map(entries);
        const address = withFilters(`/plugin${query}`, filters);
        const found = filtersInQuery(new URL(address, 'http://localhost').searchParams);
        const sorted = (map: ReadonlyMap<string, ShareFilter>) =>
          [...map].sort(([a], [b]) => (a < b ? -1 : 1));
        assert.equal(JSON.stringify(sorted(found)), JSON.stringify(sorted(filters)));
      },
    ),
  );
});

test('a filter comes back from attributes', () => {
  const read = (name: string) => (name === 'hide' ? 'Paper\nSpigot\n' : null);
  assert.deepEqual(filterInAttributes(read), { kind: 'hide', names: ['Paper', 'Spigot'] });
  assert.equal(
    filterInAttributes(() => '\n'),
    undefined,
  );
});

test('what is toggled twice is as before, and what is isolated twice is all', () => {
  const hidden = toggleShare(undefined, 'a');
  assert.deepEqual(
    [isShareShown(hidden, 'a'), isShareShown(hidden, 'b'), isShareShown(hidden, undefined)],
    [false, true, true],
  );
  assert.equal(toggleShare(hidden, 'a'), undefined);
  const alone = isolateShare(hidden, 'b');
  assert.deepEqual(
    [isShareShown(alone, 'a'), isShareShown(alone, 'b'), isShareShown(alone, undefined)],
    [false, true, false],
  );
  assert.deepEqual(toggleShare(alone, 'a'), { kind: 'only', names: ['b', 'a'] });
  assert.equal(isolateShare(alone, 'b'), undefined);
  assert.equal(toggleShare(alone, 'b'), undefined);
});
