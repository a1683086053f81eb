// Comparing names as people do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareNames, foldText, hashName, isSameName } from '../../src/directory/names.ts';
import { fc } from '../support/seed.ts';

test('names are ordered without regard to case and accents, and numbers in them by value', () => {
  const names = ['Zed', 'plugin 10', 'Éclair', 'eclipse', 'Plugin 9', '_bukkit_', 'Ömer', 'omega', '2b'];
  assert.deepEqual(names.toSorted(compareNames), [
    '_bukkit_',
    '2b',
    'Éclair',
    'eclipse',
    'omega',
    'Ömer',
    'Plugin 9',
    'plugin 10',
    'Zed',
  ]);
});

test('folded text has no case, accents or compatibility forms', () => {
  assert.equal(foldText('ÉLISE'), 'elise');
  assert.equal(foldText('Ｆｕｌｌ ﬁne'), 'full fine');
  assert.equal(foldText('İstanbul'), 'istanbul');
  assert.equal(foldText('℡'), 'tel');
  assert.equal(foldText('漢字 \u{1F600}'), '漢字 \u{1F600}');
});

test('names that differ only in case have the same hash', () => {
  assert.ok(isSameName('WorldEdit', 'worldEDIT'));
  assert.ok(!isSameName('Été', 'ete'));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      assert.equal(hashName(name), hashName(name.toLowerCase()));
      assert.equal(foldText(name), foldText(name.toLowerCase()));
    }),
  );
});
