// JSON from outside: its bounds, and the texts that are cut out of it and kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberText, parseJson, partsOf, storedJson } from '../../src/json/parse-json.ts';
import { fc } from '../support/seed.ts';

const awkwardStrings = fc.constantFrom(
  ...[
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
    '},{',
    ':',
    ',',
    '😀 ',
    '__proto__',
    '2',
    '1',
  ],
);
const anyJson = fc.oneof(
  fc.jsonValue(),
  fc.array(awkwardStrings),
  fc.dictionary(awkwardStrings, fc.oneof(fc.array(awkwardStrings), fc.jsonValue())),
);
const anyIndent = fc.constantFrom(undefined, 1, '\t', ' \n\r\t');

test('stored text is the same as from JSON.stringify, whatever white space is between the tokens', () => {
  fc.assert(
    fc.property(anyJson, anyIndent, (value, indent) => {
      const expected = JSON.stringify(value);
      assert.equal(storedJson(` \r\n${JSON.stringify(value, undefined, indent)}\t`, ''), expected);
      assert.equal(storedJson(expected, ''), expected);
    }),
    { numRuns: 500 },
  );
});

test('stored text keeps order, digits and escapes', () => {
  const text =
    '{ "b" : 1.0 , "a" : [ 1e2, 12345678901234567890 , -0 ], "10" : "\\u0041 \\/", "__proto__" : null }';
  assert.equal(
    storedJson(text, ''),
    '{"b":1.0,"a":[1e2,12345678901234567890,-0],"10":"\\u0041 \\/","__proto__":null}',
  );
});

test('an array and an object are cut into the texts of their parts', () => {
  fc.assert(
    fc.property(anyJson, anyIndent, (value, indent) => {
      if (typeof value !== 'object' || value === null) return;
      const parts = Array.from(partsOf(JSON.stringify(value, undefined, indent)), ({ name, text }) => [
        name,
        storedJson(text, ''),
      ]);
      const expected = Object.entries(value).map(([name, part]) => [
        Array.isArray(value) ? '' : name,
        JSON.stringify(part),
      ]);
      assert.deepEqual(parts, expected);
    }),
    { numRuns: 500 },
  );
});

test('a member is found by its name, however it is written, and of two the last, as JSON.parse does', () => {
  const text = '{"a":{"data":1},"d\\u0061ta": [1.0, "}"] ,"x":"\\"data\\":2"}';
  assert.equal(memberText(text, 'data'), '[1.0, "}"]');
  assert.equal(memberText('{"data":1,"data":2.0}', 'data'), '2.0');
  assert.equal(memberText(text, 'none'), undefined);
});

test('text that is not JSON is refused with the fault and little of the text', () => {
  for (const text of [
    '',
    '{"a":tru}',
    '[1,]',
    `["${'x'.repeat(1e6)}`,
    `${'[1],'.repeat(1e5)}`,
    '\ufeff{}',
    '[01]',
  ])
    assert.throws(() => parseJson(text), /^AppError: it is not valid JSON: .{1,120}$/s);
});

test('text is refused before it takes memory: a hundred levels, a million arrays and objects', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  parseJson(nested(100));
  parseJson(`["${'['.repeat(101)}\\"["]`);
  assert.throws(() => parseJson(nested(101)), { message: 'it is nested deeper than 100 levels' });
  assert.throws(() => parseJson('['.repeat(2 ** 24)), { message: 'it is nested deeper than 100 levels' });
  assert.throws(() => parseJson(`[${'{},'.repeat(1_000_000)}0]`), {
    message: 'it has more than 1000000 arrays and objects',
  });
  assert.throws(() => parseJson('[{},{}]', 2), { message: 'it has more than 2 arrays and objects' });
});

test('members keep the order of the text, also where names are integers or given twice', () => {
  assert.deepEqual(
    Array.from(partsOf('{"2":1,"1":2,"2":3}'), ({ name }) => name),
    ['2', '1', '2'],
  );
});
