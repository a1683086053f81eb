import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJsonText } from '../../conformance/json-text.ts';

test('exactly the texts that JSON.parse accepts are accepted', () => {
  const texts = String.raw`| { {} [ [] [1,] {"a":1,} {"a"} {a:1} 01 - 1. .5 " "\x" "\u00e4" nul null true -0.5e+10 "\ud800" [[],{}] {}{}`;
  for (const text of [...texts.split(' '), '', '[1 2]', '{"a":1 "b":2}', 'true ', '"\u0001"'])
    assert.equal(isAccepted(parseJsonText, text), isAccepted(JSON.parse, text), text);
});

test('a duplicate member and deep nesting are refused', () => {
  assert.throws(() => parseJsonText('{"a":1,"a":1}'), SyntaxError);
  assert.throws(() => parseJsonText('['.repeat(100_000)), SyntaxError);
});

function isAccepted(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
