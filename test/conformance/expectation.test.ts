import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Answer, makeAnswer } from '../../conformance/answer.ts';
import { compileExpectation } from '../../conformance/expectation.ts';
import type { Json, JsonObject } from '../../conformance/json.ts';

const VOCABULARY = { shapes: {}, headerSets: { set: { 'X-Set': 'yes' } } };

interface Sketch {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Every rule of an expectation, with a response that keeps it and responses that break it; `other` is given. */
const RULES: readonly { expect: JsonObject; other?: Sketch; good: Sketch; bad: readonly Sketch[] }[] = [
  { expect: { status: 200 }, good: { status: 200 }, bad: [{ status: 201 }] },
  { expect: { status: [400, 404] }, good: { status: 404 }, bad: [{ status: 500 }] },
  {
    expect: { headers: { Allow: 'GET' } },
    good: { headers: { allow: 'GET' } },
    bad: [{}, { headers: { allow: 'get' } }],
  },
  {
    expect: { headers: { Vary: { matches: '^accept-encoding$' } } },
    good: { headers: { Vary: 'Accept-Encoding' } },
    bad: [{}, { headers: { Vary: '*' } }],
  },
  { expect: { headers: { ETag: { present: true } } }, good: { headers: { ETag: '' } }, bad: [{}] },
  { expect: { headers: { ETag: { absent: true } } }, good: {}, bad: [{ headers: { ETag: '"x"' } }] },
  {
    expect: { headers: { A: { includes: ['GET', 'ETag'] } } },
    good: { headers: { A: 'etag , get' } },
    bad: [{}, { headers: { A: 'ETag' } }, { headers: { A: 'ETags, GET' } }],
  },
  { expect: { headers: { A: { oneOf: ['x', null] } } }, good: {}, bad: [{ headers: { A: 'y' } }] },
  { expect: { headers: { A: { oneOf: ['x'] } } }, good: { headers: { A: 'x' } }, bad: [{}] },
  {
    expect: { headers: { ETag: { sameAs: 'other' } } },
    other: { headers: { ETag: '"1"' } },
    good: { headers: { ETag: '"1"' } },
    bad: [{}, { headers: { ETag: '"2"' } }],
  },
  {
    expect: { headers: { ETag: { sameAs: 'other' } } },
    other: { headers: { ETag: '' } },
    good: { headers: { ETag: '' } },
    bad: [{}],
  },
  {
    expect: { headers: { ETag: { differsFrom: 'other' } } },
    other: { headers: { ETag: '"1"' } },
    good: { headers: { ETag: '"2"' } },
    bad: [{}, { headers: { ETag: '"1"' } }],
  },
  { expect: { headersOf: ['set'] }, good: { headers: { 'X-Set': 'yes' } }, bad: [{}] },
  {
    expect: { sameHeadersAs: 'other' },
    other: { headers: { A: '1', Date: 'x' } },
    good: { headers: { a: '1', Date: 'y' } },
    bad: [{}, { headers: { A: '2' } }, { headers: { A: '1', B: '1' } }],
  },
  { expect: { body: { empty: true } }, good: {}, bad: [{ body: ' ' }] },
  {
    expect: { body: { json: true } },
    good: { body: '[ ]' },
    bad: [{}, { body: '<html>' }, { body: Buffer.from([0x22, 0xff, 0x22]) }],
  },
  {
    expect: { body: { compactJson: true } },
    good: { body: '[" "]' },
    bad: [{ body: '[1, 2]' }, { body: '[]\n' }, { body: '\ufeff[]' }],
  },
  { expect: { body: { shape: { type: 'array' } } }, good: { body: '[]' }, bad: [{ body: '{}' }, {}] },
  {
    expect: { body: { sameAs: { answer: 'other' } } },
    other: { body: '[1]' },
    good: { body: '[1]' },
    bad: [{ body: '[1.0]' }, {}],
  },
  {
    expect: { body: { sameAs: { answer: 'other', at: ['charts', 'x'] } } },
    other: { body: '{"charts":{"x":{"b":1,"1":2}}}' },
    good: { body: '{"b":1,"1":2}' },
    bad: [{ body: '{"1":2,"b":1}' }],
  },
  {
    expect: { body: { sameAs: { answer: 'other', at: ['x'], hereAt: ['x'] } } },
    other: { body: '{"x":1}' },
    good: { body: '{"x":1}' },
    bad: [{ body: '{}' }],
  },
  {
    expect: { body: { differsFrom: { answer: 'other', at: ['type'], hereAt: ['type'] } } },
    other: { body: '{"type":"a"}' },
    good: { body: '{"type":"b"}' },
    bad: [{ body: '{"type":"a"}' }, { body: '{}' }, {}],
  },
  {
    expect: { body: { lastOf: { answer: 'other', count: 2 } } },
    other: { body: '[1,2,3]' },
    good: { body: '[2,3]' },
    bad: [{ body: '[1,2]' }, { body: '[1,2,3]' }, { body: '[3]' }, { body: '{}' }],
  },
  {
    expect: { body: { lastOf: { answer: 'other', count: 0 } } },
    other: { body: '[1]' },
    good: { body: '[]' },
    bad: [{ body: '[1]' }],
  },
  {
    expect: { body: { lastOf: { answer: 'other', count: 9 } } },
    other: { body: '[1]' },
    good: { body: '[1]' },
    bad: [{ body: '[]' }],
  },
  {
    expect: { body: { shape: { maxItems: 0 } } },
    good: { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('[]') },
    bad: [
      { headers: { 'Content-Encoding': 'gzip' }, body: '[]' },
      { headers: { 'Content-Encoding': 'nonsense' }, body: '[]' },
      { body: gzipSync('[]') },
    ],
  },
];

for (const { expect, other, good, bad } of RULES) {
  test(`the expectation ${JSON.stringify(expect)} passes a good response and fails bad ones`, async () => {
    const given = new Map([['other', await sketchAnswer(other ?? {})]]);
    const [check] = compileExpectation(expect, VOCABULARY);
    assert.deepEqual(check(await sketchAnswer(good), given), []);
    for (const sketch of bad) {
      assert.notDeepEqual(check(await sketchAnswer(sketch), given), [], JSON.stringify(sketch));
    }
  });
}

test('an expectation that no runner could understand is refused', () => {
  const wrong: readonly Json[] = [
    null,
    { statuses: 200 },
    { status: '200' },
    { headers: { A: { exactly: 'x' } } },
    { headersOf: ['unknown'] },
    { body: { compact: true } },
    { body: { sameAs: { answr: 'x' } } },
    { next: [{ state: 1 }] },
  ];
  for (const expect of wrong) {
    assert.throws(() => compileExpectation(expect, VOCABULARY), TypeError, JSON.stringify(expect));
  }
});

test('a comparison with a response that was not requested is refused', async () => {
  const answer = await sketchAnswer({ headers: { ETag: '"x"' }, body: '1' });
  for (const expect of [
    { headers: { ETag: { differsFrom: 'none' } } },
    { body: { sameAs: { answer: 'none' } } },
  ]) {
    const [check] = compileExpectation(expect, VOCABULARY);
    assert.throws(() => check(answer, new Map()), TypeError);
  }
});

function sketchAnswer({ status = 200, headers = {}, body = '' }: Sketch): Promise<Answer> {
  return makeAnswer(status, Object.entries(headers).flat(), Buffer.from(body));
}
