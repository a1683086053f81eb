// JSON kept as text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactJson } from '../../src/model/json-text.ts';
import { fc } from '../support/seed.ts';

const compact = (text: string) => Buffer.from(compactJson(Buffer.from(text))).toString();

const awkwardStrings = fc.constantFrom(
  '',
  ' ',
  '"',
  '\\',
  '\\"',
  ' " ',
  '\\\\" ',
  'a\tb',
  '\u2028',
  '[ 1 ]',
  '😀 ',
);
const anyJson = fc.oneof(
  fc.jsonValue(),
  fc.array(awkwardStrings),
  fc.dictionary(awkwardStrings, fc.array(awkwardStrings)),
);

test('compacting gives the same as JSON.stringify, whatever white space is between the tokens', () => {
  fc.assert(
    fc.property(anyJson, fc.constantFrom(0, 1, '\t', ' \n\r\t'), (value, indent) => {
      const expected = JSON.stringify(value);
      const loose = ` \r\n${JSON.stringify(value, undefined, indent)}\t`;
      assert.equal(compact(loose), expected);
      assert.equal(compact(expected), expected);
    }),
    { numRuns: 500 },
  );
});

test('compacting keeps order, digits and escapes', () => {
  const text =
    '{ "b" : 1.0 , "a" : [ 1e2, 12345678901234567890 , -0 ], "10" : "\\u0041 \\/", "__proto__" : null }';
  assert.equal(
    compact(text),
    '{"b":1.0,"a":[1e2,12345678901234567890,-0],"10":"\\u0041 \\/","__proto__":null}',
  );
});

test('strings and white space of many megabytes are compacted', () => {
  const long = 'x y'.repeat(6_000_000);
  const text = `["${long}"${' '.repeat(20_000_000)}]`;
  assert.ok(compact(text) === `["${long}"]`);
  const escapes = `"${'\\"'.repeat(9_000_000)}"`;
  assert.ok(compact(escapes) === escapes);
});
