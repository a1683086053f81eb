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

type Given = string | Sketch;

/**
 * Every rule of an expectation, with an answer that keeps it and answers that break it. A text is a body. The last one is that of
 * the request `other`.
 */
const rules: readonly (readonly [expect: JsonObject, good: Given, bad: readonly Given[], other?: Given])[] = [
  [{ status: 200 }, { status: 200 }, [{ status: 201 }]],
  [{ status: [400, 404] }, { status: 404 }, [{ status: 500 }]],
  [{ headers: { A: 'GET' } }, a('GET'), ['', a('get')]],
  [{ headers: { A: { matches: '^accept$' } } }, a('Accept'), ['', a('*')]],
  [{ headers: { A: { present: true } } }, a(''), ['']],
  [{ headers: { A: { absent: true } } }, '', [a('x')]],
  [{ headers: { A: { includes: ['GET', 'ETag'] } } }, a('etag , get'), ['', a('ETag'), a('ETags, GET')]],
  [{ headers: { A: { oneOf: ['x', null] } } }, '', [a('y')]],
  [{ headers: { A: { oneOf: ['x'] } } }, a('x'), ['']],
  [{ headers: { A: { sameAs: 'other' } } }, a('1'), ['', a('2')], a('1')],
  [{ headers: { A: { sameAs: 'other' } } }, a(''), [''], a('')],
  [{ headers: { A: { differsFrom: 'other' } } }, a('2'), ['', a('1')], a('1')],
  [{ headersOf: ['set'] }, { headers: { 'X-Set': 'yes' } }, ['']],
  [
    { sameHeadersAs: 'other' },
    { headers: { a: '1', Date: 'y' } },
    ['', a('2'), { headers: { A: '1', B: '1' } }],
    { headers: { A: '1', Date: 'x' } },
  ],
  [{ body: { empty: true } }, '', [' ']],
  [{ body: { json: true } }, '[ ]', ['', '<html>', { body: Buffer.from([0x22, 0xff, 0x22]) }]],
  [{ body: { compactJson: true } }, '[" "]', ['[1, 2]', '[]\n', '\ufeff[]']],
  [{ body: { shape: { type: 'array' } } }, '[]', ['{}', '']],
  [{ body: { sameAs: { answer: 'other' } } }, '[1]', ['[1.0]', ''], '[1]'],
  [
    { body: { sameAs: { answer: 'other', at: ['charts', 'x'] } } },
    '{"b":1,"1":2}',
    ['{"1":2,"b":1}'],
    '{"charts":{"x":{"b":1,"1":2}}}',
  ],
  [{ body: { sameAs: { answer: 'other', at: ['x'], hereAt: ['x'] } } }, '{"x":1}', ['{}'], '{"x":1}'],
  [
    { body: { differsFrom: { answer: 'other', at: ['x'], hereAt: ['x'] } } },
    '{"x":"b"}',
    ['{"x":"a"}', '{}', ''],
    '{"x":"a"}',
  ],
  [
    { body: { lastOf: { answer: 'other', count: 2 } } },
    '[2,3]',
    ['[1,2]', '[1,2,3]', '[3]', '{}'],
    '[1,2,3]',
  ],
  [{ body: { lastOf: { answer: 'other', count: 0 } } }, '[]', ['[1]'], '[1]'],
  [{ body: { lastOf: { answer: 'other', count: 9 } } }, '[1]', ['[]'], '[1]'],
  [
    { body: { shape: { maxItems: 0 } } },
    coded('gzip', gzipSync('[]')),
    [coded('gzip', '[]'), coded('nonsense', '[]'), { body: gzipSync('[]') }],
  ],
];

/** An answer with one header. */
function a(value: string): Sketch {
  return { headers: { A: value } };
}

function coded(coding: string, body: string | Buffer): Sketch {
  return { headers: { 'Content-Encoding': coding }, body };
}

for (const [expect, good, bad, other = ''] of rules) {
  test(`the expectation ${JSON.stringify(expect)} passes a good response and fails bad ones`, async () => {
    const given = new Map([['other', await sketchAnswer(other)]]);
    const [check] = compileExpectation(expect, VOCABULARY);
    assert.deepEqual(check(await sketchAnswer(good), given), []);
    for (const one of bad)
      assert.notDeepEqual(check(await sketchAnswer(one), given), [], JSON.stringify(one));
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

function sketchAnswer(given: Given): Promise<Answer> {
  const { status = 200, headers = {}, body = '' } = typeof given === 'string' ? { body: given } : given;
  return makeAnswer(status, Object.entries(headers).flat(), Buffer.from(body));
}
