// Truncating JSON text to valid JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutJson } from '../../../src/site/charts/cut-json.ts';
import { fc } from '../../support/seed.ts';

test('a text that fits is not changed', () => {
  for (const json of ['[]', '{"a":[1,2]}', '"text"', '-1.5e300'])
    assert.deepEqual(cutJson(json, 100), { text: json, isCut: false });
});

test('a longer text ends after the last complete value', () => {
  const cases = [
    ['[1,22,333]', 5, '[1]'],
    ['[1,22,333]', 6, '[1,22]'],
    ['{"a":1,"b":{"c":[1,2,3]}}', 20, '{"a":1,"b":{"c":[1]}}'],
    ['{"a":"x,]}\\"y","b":2}', 16, '{"a":"x,]}\\"y"}'],
    ['[[[[1]]]]', 3, '[[[]]]'],
    ['["a long text"]', 5, '[]'],
  ] as const;
  for (const [json, maxLength, text] of cases)
    assert.deepEqual(cutJson(json, maxLength), { text, isCut: true }, json);
});

test('any JSON truncated anywhere is JSON, and a prefix of the value', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.nat({ max: 300 }), (anyJson, maxLength) => {
      const json = JSON.stringify(JSON.parse(anyJson));
      const { text, isCut } = cutJson(json, maxLength);
      JSON.parse(text);
      if (!isCut) assert.equal(text, json);
      assert.ok(json.startsWith(text.replace(/[\]}]*$/, '')));
    }),
  );
});

test('JSON nested too deeply for recursion is truncated', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const { text, isCut } = cutJson(deep, 1_000_000);
  assert.ok(isCut && text.length < 200, `${text.length}`);
  JSON.parse(text);
});
