// The test client against responses that are each wrong in one way: a check that cannot fail is a defect.
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { checkAnswer } from './support/openapi-check.ts';
import { serveSample } from './support/test-server.ts';
import { type Answer, send } from './support/validated-client.ts';

const server = await serveSample();
const target = '/api/v1/software';
const good = await send(server.url, { target });
const missing = await send(server.url, { target: '/api/v1/plugins/9' });

test('a documented response passes', () => {
  checkAnswer({ method: 'GET', target }, good);
  checkAnswer({ method: 'GET', target: `http://host${target}/?foo=1` }, good);
  checkAnswer({ method: 'GET', target: '/api/v1/plugins/9' }, missing);
});

const wrong: readonly (readonly [string, RegExp, Partial<Answer>, string?])[] = [
  ['an undocumented status', /status is not described/, { status: 206 }],
  ['a body without the fields of its schema', /body: .*required property/, { bytes: Buffer.from('[{}]') }],
  ['a field too many', /additional properties/, { bytes: edit('"id":1,', '"id":1,"more":1,') }],
  ['a field of another type', /must be integer/, { bytes: edit('"id":1,', '"id":"1",') }],
  ['a body that is not JSON', /body is not JSON/, { bytes: Buffer.from('[') }],
  ['a body that is not UTF-8', /body is not JSON/, { bytes: Buffer.from('["\xff"]', 'latin1') }],
  ['a missing header', /header etag is missing/, { headers: without('etag') }],
  ['a header against its schema', /header etag: .*pattern/, { headers: and('etag', 'W/"1"') }],
  ['an undocumented header', /header x-more is not described/, { headers: and('x-more', '1') }],
  ['an undocumented media type', /media type text/, { headers: and('content-type', 'text/html') }],
  ['an undocumented body', /body is not described/, { status: 304, headers: bare() }],
  ['a good response at an undocumented path', /must answer an error/, {}, '/api/v1/other'],
  ['an error of an undocumented kind', /problem type \S+ is not/, problem('other'), '/api/v1/other'],
  ['an error without a type at an undocumented path', /type undefined/, problem(undefined), '/api/v1/other'],
];

for (const [name, message, change, at] of wrong) {
  test(`the client refuses ${name}`, () => {
    assert.throws(
      () => checkAnswer({ method: 'GET', target: at ?? target }, { ...good, ...change }),
      message,
    );
  });
}

test('the client refuses a wrong response from a server', async () => {
  const liar = http.createServer((_request, response) => response.end('[]')).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => liar.once('listening', resolve));
    const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
    await assert.rejects(send(url, { target }), /header \S+ is missing/);
  } finally {
    liar.close();
    liar.closeAllConnections();
  }
});

function edit(from: string, to: string): Buffer {
  return Buffer.from(good.bytes.toString().replace(from, to));
}

function without(name: string): ReadonlyMap<string, string> {
  return new Map([...good.headers].filter(([candidate]) => candidate !== name));
}

function and(name: string, value: string): ReadonlyMap<string, string> {
  return new Map([...good.headers, [name, value]]);
}

function bare(): ReadonlyMap<string, string> {
  return new Map([...good.headers].filter(([name]) => name !== 'content-encoding'));
}

function problem(kind: string | undefined): Partial<Answer> {
  const type = kind === undefined ? undefined : `/openapi.json#/components/responses/${kind}`;
  const bytes = Buffer.from(JSON.stringify({ ...JSON.parse(missing.bytes.toString()), type }));
  return { ...missing, bytes };
}
