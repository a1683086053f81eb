// Text in SVG: escaped, isolated from its neighbours, and cut between characters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText, escapeXml, measureText } from '../../src/draw/svg.ts';
import { readSvg } from '../support/read-svg.ts';
import { fc } from '../support/seed.ts';

test('any text is well-formed in an element and in an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeXml(text);
      const [element] = readSvg(`<t a="${escaped}">${escaped}</t>`);
      assert.ok(element !== undefined);
      if (/^[\w <>&"']*$/.test(text)) assert.equal(element.text, text);
    }),
  );
});

test('characters that XML forbids and lone surrogates are replaced', () => {
  assert.equal(escapeXml('a\u0000b\ufffec\ud800d'), 'a\ufffdb\ufffdc\ufffdd');
  assert.equal(escapeXml('"><script>&'), '&quot;&gt;&lt;script&gt;&amp;');
});

test('right-to-left text is isolated, and cannot end its isolation', () => {
  assert.equal(escapeXml('שלום'), '\u2068שלום\u2069');
  assert.equal(escapeXml('a\u202egnp\u2069'), '\u2068agnp\u2069');
});

test('a text is cut between visible characters', () => {
  const family = '👩‍👩‍👧‍👦';
  const cut = cutText(family.repeat(5), measureText(family, 12) * 2 + measureText('…', 12), { size: 12 });
  assert.equal(cut, `${family.repeat(2)}…`);
  assert.equal(cutText('short', 100, { size: 12 }), 'short');
  assert.equal(cutText('nothing fits', 3, { size: 12 }), '');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(200), (text, width) => {
      const shown = cutText(text, width, { size: 12 });
      assert.ok(measureText(shown, 12) <= width);
      assert.ok(shown.isWellFormed());
    }),
  );
});
