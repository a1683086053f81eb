// Comparing names as people do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText, isSameName, lowerCase, nameKey } from '../../src/model/names.ts';
import { fc } from '../support/seed.ts';

const byKey = (a: string, b: string) => (nameKey(a) === nameKey(b) ? 0 : nameKey(a) < nameKey(b) ? -1 : 1);

test('names are ordered without regard to case and accents, and numbers in them by value', () => {
  const names = [
    'Zed',
    'plugin 10',
    'Éclair',
    'eclipse',
    'Plugin 9',
    '_bukkit_',
    'Ömer',
    'omega',
    '2b',
    '007',
  ];
  assert.deepEqual(names.toSorted(byKey), [
    '_bukkit_',
    '2b',
    '007',
    'Éclair',
    'eclipse',
    'omega',
    'Ömer',
    'Plugin 9',
    'plugin 10',
    'Zed',
  ]);
});

test('names of ASCII are in the order of the Unicode collation', () => {
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const character = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
  const name = fc.string({ unit: character, minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(name, name, (a, b) => assert.equal(Math.sign(byKey(a, b)), Math.sign(compare(a, b)))),
    { numRuns: 2000 },
  );
});

test('names that differ in case alone have one key, whose bytes have the order of its characters', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 8 });
  fc.assert(
    fc.property(name, name, (a, b) => {
      assert.equal(nameKey(a.toLowerCase()), nameKey(a));
      const [one, other] = [nameKey(a), nameKey(b)];
      assert.equal(
        Buffer.compare(Buffer.from(one), Buffer.from(other)),
        one === other ? 0 : one < other ? -1 : 1,
      );
    }),
  );
});

test('folded text has no case, accents or compatibility forms', () => {
  assert.equal(foldText('ÉLISE'), 'elise');
  assert.equal(foldText('Ｆｕｌｌ ﬁne'), 'full fine');
  assert.equal(foldText('İstanbul'), 'istanbul');
  assert.equal(foldText('℡'), 'tel');
  assert.equal(foldText('漢字 \u{1F600}'), '漢字 \u{1F600}');
});

test('a part of a text folds to a part of its folded form', () => {
  const text = fc.string({ unit: fc.constantFrom(..."aAéÉeE'’ςσΣıİIßﬁ한글 \u0301"), maxLength: 6 });
  fc.assert(
    fc.property(text, text, text, (before, part, after) => {
      const whole = before + part + after;
      if (lowerCase(whole).includes(lowerCase(part))) assert.ok(foldText(whole).includes(foldText(part)));
      assert.equal(
        isSameName(whole, whole.toUpperCase().toLowerCase()),
        whole.toLowerCase() === whole.toUpperCase().toLowerCase(),
      );
    }),
    { numRuns: 500 },
  );
});
