import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNode, parseJsonText } from '../../conformance/json-text.ts';

test('members keep their written order, even if their names look like integers', () => {
  const { root } = parseJsonText('{"b":1,"12":2,"__proto__":3,"9":4}');
  assert.equal(root.kind, 'object');
  assert.deepEqual(root.kind === 'object' && root.members.map(({ name }) => name), [
    'b',
    '12',
    '__proto__',
    '9',
  ]);
});

test('values keep their source text', () => {
  const { root } = parseJsonText('{"a":[1.50,{"x":"\\u0041"}],"b":1e3}');
  assert.equal(findNode(root, ['a', 0])?.text, '1.50');
  assert.equal(findNode(root, ['a', 1])?.text, '{"x":"\\u0041"}');
  assert.equal(findNode(root, ['b'])?.text, '1e3');
  assert.equal(findNode(root, ['a', 1, 'nothing', 'deeper']), undefined);
});

test('the first white space between tokens is reported, white space inside strings is not', () => {
  assert.equal(parseJsonText('{"a b":" c "}').firstSpaceAt, undefined);
  assert.equal(parseJsonText('{"a": 1}').firstSpaceAt, 5);
  assert.equal(parseJsonText('[]\n').firstSpaceAt, 2);
});

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
