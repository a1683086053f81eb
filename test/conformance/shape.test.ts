import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJsonText } from '../../conformance/json-text.ts';
import { compileShape } from '../../conformance/shape.ts';

/** Every keyword: a shape, a text that keeps it and texts that break it. */
const keywords = `
{"type":"object"}  {}  []  null  "{}"
{"type":"array"}  []  {}  null
{"type":"integer"}  -12  1.0  1e3  "1"  null
{"type":"number"}  1.5  "1.5"  true
{"type":["number","null"]}  null  "x"  {}
{"type":"boolean"}  false  0  "false"
{"const":"ab"}  "\\u0061b"  "b"  1
{"const":5}  5  6  "5"
{"minimum":1}  1  0  -5
{"maximum":3}  3  3.1
{"shortestNumber":true}  0.1  1.0  1e3  0.10  -0  0.100000000000000005
{"pattern":"^a+$"}  "aa"  "b"  ""
{"minLength":1}  "😀"  ""
{"maxLength":1}  "😀"  "ab"
{"minItems":1}  [1]  []
{"maxItems":1}  [1]  [1,2]
{"items":{"type":"string"}}  ["a"]  ["a",1]
{"prefixItems":[{"type":"integer"},{"type":"string"}]}  [1,"a"]  ["a",1]  [1]
{"properties":{"a":{"const":1}}}  {"b":2}  {"a":2}
{"values":{"type":"null"}}  {"a":null}  {"a":null,"b":0}
{"names":"^[a-z]+$"}  {"a":1}  {"A":1}
{"required":["a"]}  {"b":1,"a":1}  {"b":1}  {}
{"forbidden":["a"]}  {"b":1}  {"a":null}
{"members":["b","1"]}  {"b":1,"1":2}  {"1":2,"b":1}  {"b":1}  {"b":1,"1":2,"c":3}
{"firstMembers":["b","a"]}  {"b":1,"a":2,"c":3}  {"a":1,"b":2}  {"b":1}
{"orderedBy":["id"]}  [{"id":2},{"id":10}]  [{"id":10},{"id":2}]  [{"id":1},{"id":1}]
{"orderedBy":[0]}  [[1,9],[2,1]]  [[2,0],[1,1]]
{"orderedBy":["p","@name"]}  {"b":{"p":0},"10":{"p":1},"9":{"p":1},"Z":{"p":1}}  {"9":{"p":1},"10":{"p":1}}  {"a":{"p":1},"Z":{"p":1}}
{"uniqueBy":["id"]}  [{"id":1},{"id":2}]  [{"id":1},{"id":2},{"id":1}]
{"allOf":[{"minimum":1},{"maximum":2}]}  2  0  3
{"is":"named"}  "x"  1
{"when":{"if":{"properties":{"t":{"const":"x"}}},"must":{"required":["u"]}}}  {"t":"y"}  {"t":"x"}
`;

test('every keyword of a shape accepts what keeps it and rejects what breaks it', () => {
  for (const line of keywords.trim().split('\n')) {
    const [shape = '', good = '', ...bad] = line.split('  ');
    const check = compileShape(JSON.parse(shape), { named: { type: 'string' } });
    assert.deepEqual(check(parseJsonText(good).root, 'body'), [], line);
    for (const text of bad)
      assert.notDeepEqual(check(parseJsonText(text).root, 'body'), [], `${shape} ${text}`);
  }
});

test('an unknown keyword is refused, even if no value reaches it', () => {
  assert.throws(() => compileShape({ items: { maxItem: 1 } }, {}), /maxItem/);
  assert.throws(() => compileShape({ type: 'int' }, {}), /int/);
  assert.throws(() => compileShape({ is: 'unknown' }, {}), TypeError);
});

test('a list of many wrong items yields a few findings', () => {
  const check = compileShape({ items: { type: 'string' } }, {});
  const findings = check(parseJsonText(`[${Array(1000).fill(1).join(',')}]`).root, 'body');
  assert.equal(findings.length, 3);
});
