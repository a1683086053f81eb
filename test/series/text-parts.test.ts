// Text in parts, compared with the platform's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { release } from '../../src/runtime/releasable-memory.ts';
import { TextParts } from '../../src/series/text-parts.ts';
import { anyValue } from '../support/points.ts';
import { fc } from '../support/seed.ts';

test('texts and numbers are joined as they were written, and what is no finite number as null', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => JSON.stringify(text)),
    fc.array(fc.oneof(anyValue, fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY)), { maxLength: 100 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const json = new TextParts();
      const parts: Uint8Array[] = [];
      for (const one of pieces) {
        if (typeof one === 'string') json.text(one);
        else parts.push(...json.numbers(Float64Array.from(one)));
      }
      parts.push(json.take());
      const expected = pieces.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('');
      assert.equal(Buffer.concat(parts).toString(), expected);
    }),
  );
});

test('long arrays and long texts come in parts, and none is changed by a later one', () => {
  const numbers = Float64Array.from({ length: 50_000 }, (_, index) => index / 7);
  const text = JSON.stringify('\u20ac'.repeat(100_000));
  const json = new TextParts();
  const parts: Uint8Array[] = [];
  const copies: Buffer[] = [];
  const take = (part: Uint8Array) => {
    parts.push(part);
    copies.push(Buffer.from(part));
  };
  for (const part of json.numbers(numbers)) take(part);
  json.text(text);
  for (const part of json.numbers(numbers)) take(part);
  take(json.take());
  const array = `[${numbers.join(',')}]`;
  assert.equal(Buffer.concat(parts).toString(), array + text + array);
  assert.deepEqual(parts.map(Buffer.from), copies);
  const sizes = parts.map(({ length }) => length).filter((length) => length > 66_000);
  // Only the part with the long text is longer.
  assert.equal(sizes.length, 1);
});

test('a part may be freed, also an empty one', () => {
  const numbers = Float64Array.of(1.5, -7);
  for (const expected of ['', '\u20ac,-7;', '']) {
    const rows = new TextParts();
    if (expected !== '') {
      rows.bytes(Buffer.from('\u20ac,'));
      rows.number(numbers, 1);
      rows.bytes(Buffer.from(';'));
    }
    const part = rows.take();
    assert.equal(Buffer.from(part).toString(), expected);
    release(part);
  }
});
