import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../conformance/json.ts';
import { parseJsonText } from '../../conformance/json-text.ts';
import { compileShape } from '../../conformance/shape.ts';

/** Every keyword with a text that keeps it and texts that break it. */
const KEYWORDS: readonly { readonly shape: Json; readonly good: string; readonly bad: readonly string[] }[] =
  [
    { shape: { type: 'object' }, good: '{}', bad: ['[]', 'null', '"{}"'] },
    { shape: { type: 'array' }, good: '[]', bad: ['{}', 'null'] },
    { shape: { type: 'integer' }, good: '-12', bad: ['1.0', '1e3', '"1"', 'null'] },
    { shape: { type: 'number' }, good: '1.5', bad: ['"1.5"', 'true'] },
    { shape: { type: ['number', 'null'] }, good: 'null', bad: ['"x"', '{}'] },
    { shape: { type: 'boolean' }, good: 'false', bad: ['0', '"false"'] },
    { shape: { const: 'a"b' }, good: '"a\\u0022b"', bad: ['"ab"', '1'] },
    { shape: { const: 5 }, good: '5', bad: ['6', '"5"'] },
    { shape: { minimum: 1 }, good: '1', bad: ['0', '-5'] },
    { shape: { maximum: 3 }, good: '3', bad: ['3.1'] },
    {
      shape: { shortestNumber: true },
      good: '0.1',
      bad: ['1.0', '1e3', '0.10', '-0', '0.100000000000000005'],
    },
    { shape: { pattern: '^a+$' }, good: '"aa"', bad: ['"b"', '""'] },
    { shape: { minLength: 1 }, good: '"😀"', bad: ['""'] },
    { shape: { maxLength: 1 }, good: '"😀"', bad: ['"ab"'] },
    { shape: { minItems: 1 }, good: '[1]', bad: ['[]'] },
    { shape: { maxItems: 1 }, good: '[1]', bad: ['[1,2]'] },
    { shape: { items: { type: 'string' } }, good: '["a"]', bad: ['["a",1]'] },
    {
      shape: { prefixItems: [{ type: 'integer' }, { type: 'string' }] },
      good: '[1,"a"]',
      bad: ['["a",1]', '[1]'],
    },
    { shape: { properties: { a: { const: 1 } } }, good: '{"b":2}', bad: ['{"a":2}'] },
    { shape: { values: { type: 'null' } }, good: '{"a":null}', bad: ['{"a":null,"b":0}'] },
    { shape: { names: '^[a-z]+$' }, good: '{"a":1}', bad: ['{"A":1}'] },
    { shape: { required: ['a'] }, good: '{"b":1,"a":1}', bad: ['{"b":1}', '{}'] },
    { shape: { forbidden: ['a'] }, good: '{"b":1}', bad: ['{"a":null}'] },
    {
      shape: { members: ['b', '1'] },
      good: '{"b":1,"1":2}',
      bad: ['{"1":2,"b":1}', '{"b":1}', '{"b":1,"1":2,"c":3}'],
    },
    { shape: { firstMembers: ['b', 'a'] }, good: '{"b":1,"a":2,"c":3}', bad: ['{"a":1,"b":2}', '{"b":1}'] },
    {
      shape: { orderedBy: ['id'] },
      good: '[{"id":2},{"id":10}]',
      bad: ['[{"id":10},{"id":2}]', '[{"id":1},{"id":1}]'],
    },
    { shape: { orderedBy: [0] }, good: '[[1,9],[2,1]]', bad: ['[[2,0],[1,1]]'] },
    {
      shape: { orderedBy: ['p', '@name'] },
      good: '{"b":{"p":0},"10":{"p":1},"9":{"p":1},"Z":{"p":1},"a":{"p":1}}',
      bad: ['{"9":{"p":1},"10":{"p":1}}', '{"a":{"p":1},"Z":{"p":1}}', '{"a":{"p":1},"b":{"p":0}}'],
    },
    { shape: { uniqueBy: ['id'] }, good: '[{"id":1},{"id":2}]', bad: ['[{"id":1},{"id":2},{"id":1}]'] },
    { shape: { allOf: [{ minimum: 1 }, { maximum: 2 }] }, good: '2', bad: ['0', '3'] },
    { shape: { is: 'named' }, good: '"x"', bad: ['1'] },
    {
      shape: { when: { if: { properties: { t: { const: 'x' } } }, must: { required: ['u'] } } },
      good: '{"t":"y"}',
      bad: ['{"t":"x"}'],
    },
  ];

for (const { shape, good, bad } of KEYWORDS) {
  test(`the shape ${JSON.stringify(shape)} accepts ${good} and rejects ${bad.join(' ')}`, () => {
    const check = compileShape(shape, { named: { type: 'string' } });
    assert.deepEqual(check(parseJsonText(good).root, 'body'), []);
    for (const text of bad) assert.notDeepEqual(check(parseJsonText(text).root, 'body'), [], text);
  });
}

test('an unknown keyword is refused, even if no value reaches it', () => {
  assert.throws(() => compileShape({ items: { maxItem: 1 } }, {}), /maxItem/);
  assert.throws(() => compileShape({ type: 'int' }, {}), /int/);
  assert.throws(() => compileShape({ is: 'unknown' }, {}), TypeError);
});

test('a finding names the position, the expected value and the actual one', () => {
  const check = compileShape({ items: { properties: { id: { type: 'integer' } } } }, {});
  assert.deepEqual(check(parseJsonText('[{"id":1},{"id":"x"}]').root, 'body'), [
    { expected: 'integer at body[1].id', got: '"x"' },
  ]);
});

test('a list of many wrong items yields a few findings', () => {
  const check = compileShape({ items: { type: 'string' } }, {});
  const findings = check(parseJsonText(`[${Array(1000).fill(1).join(',')}]`).root, 'body');
  assert.equal(findings.length, 3);
});
