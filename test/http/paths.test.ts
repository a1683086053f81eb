// Paths with and without a slash, unknown paths, and every method.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { assertProblem } from './support/assertions.ts';
import { checkCommonHeaders } from './support/common-headers.ts';
import { chartPath, museumChart, museumId } from './support/sample.ts';
import { serveSample } from './support/test-server.ts';
import { type Answer, get, send } from './support/validated-client.ts';

const { url } = await serveSample();
const museum = `/api/v1/plugins/${museumId}`;
const known = [
  '/api/v1/plugins',
  museum,
  `${museum}/charts`,
  chartPath(museumChart('servers')),
  `${chartPath(museumChart('servers'))}/data`,
  `${chartPath(museumChart('os'))}/data`,
  '/api/v1/software',
  '/openapi.json',
];

for (const path of known) {
  test(`${path} answers the same with a trailing slash, without a redirect`, async () => {
    for (const query of ['', '?', '?a=b', '?maxElements=3']) {
      const plain = await get(url, `${path}${query}`);
      const slashed = await get(url, `${path}/${query}`);
      assert.equal(plain.status, 200);
      assert.deepEqual(comparable(slashed), comparable(plain));
      assert.ok(slashed.bytes.equals(plain.bytes));
    }
  });

  test(`${path} answers HEAD with the headers of GET and no body`, async () => {
    for (const headers of [
      {},
      { 'accept-encoding': 'gzip' },
      { 'accept-encoding': 'br' },
      { 'if-none-match': '*' },
    ]) {
      for (const target of [path, `${path}/`]) {
        const plain = await get(url, target, headers);
        const head = await send(url, { method: 'HEAD', target, headers });
        assert.deepEqual(comparable(head), comparable(plain));
        assert.equal(head.bytes.length, 0);
      }
    }
  });

  test(`${path} answers OPTIONS with the allowed methods`, async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    for (const target of [path, `${path}/`, `${path}?a=1`]) {
      for (const sent of [{}, { ...headers, 'access-control-request-headers': 'x-a' }]) {
        const answer = await send(url, { method: 'OPTIONS', target, headers: sent });
        assert.equal(answer.status, 204);
        assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
        assert.equal(answer.headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS');
        assert.equal(answer.headers.get('access-control-allow-headers'), '*');
        assert.equal(answer.headers.get('content-length'), undefined);
        checkCommonHeaders(answer);
      }
    }
  });
}

const bodies: readonly { readonly headers: Readonly<Record<string, string>>; readonly body?: string }[] = [
  { headers: {} },
  { headers: { 'content-length': '0' } },
  { headers: { 'content-type': 'application/json', 'content-length': '2' }, body: '{}' },
  { headers: { 'content-type': 'application/json', 'content-length': '2' }, body: '{"' },
  { headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }, body: '[1,2' },
  { headers: { 'content-type': 'no/such;;;type', 'content-length': '3' }, body: 'a=b' },
  {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '9' },
    body: '_method=G',
  },
  { headers: { 'content-encoding': 'gzip', 'content-length': '3' }, body: 'abc' },
];

// CONNECT has a test of its own, since it has no path.
const refused = http.METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method));

for (const method of refused) {
  test(`${method} is not allowed on any path, with any body`, async () => {
    const isCommon = ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'].includes(method);
    for (const sent of isCommon ? bodies : bodies.slice(0, 1)) {
      for (const target of isCommon ? known : known.slice(0, 1)) {
        const answer = await send(url, { method, target, ...sent });
        assertProblem(answer, { status: 405, kind: 'method-not-offered', detail: new RegExp(`^${method} `) });
        assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
      }
      const answer = await send(url, { method, target: '/api/v1/other', ...sent });
      assertProblem(answer, { status: 404, kind: 'unknown-path', detail: /\/api\/v1\/other/ });
    }
  });
}

test('a header or parameter that names another method is ignored', async () => {
  const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'PUT', 'x-http-method': 'POST' };
  assert.equal((await get(url, '/api/v1/plugins?_method=DELETE', headers)).status, 200);
});

test('a large body of a method that is not allowed leaves the connection usable', async () => {
  const body = Buffer.alloc(2 * 1024 * 1024, 'a');
  const headers = { 'content-length': String(body.length) };
  assert.equal((await send(url, { method: 'POST', target: '/api/v1/plugins', headers, body })).status, 405);
  assert.equal((await get(url, '/api/v1/plugins')).status, 200);
});

const unknown = [
  '/',
  '/?a=1',
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v1/plugin',
  '/api/v1/Plugins',
  '/API/v1/plugins',
  '/api/v1/pluginss',
  '/api/v1/plugins.json',
  '/api/v1/plugins;a=1',
  '/api/v3/plugins',
  '/api/v1/software/1',
  '/api/v1/__proto__',
  '/api/v1/constructor/',
  '/v1/plugins',
  '/plugins',
  '/openapi.json/x',
  '/openapi.jsonx',
  '/openapixjson',
  '/favicon.ico',
  '/metrics',
  '//api/v1/plugins',
  '/api//v1/plugins',
  '/api/v1//plugins',
  '/api/v1/software//',
  '/openapi.json//',
  '//openapi.json',
  `${museum}//`,
  `${museum}//charts`,
  `${museum}/charts/servers//`,
  `${museum}/charts/servers//data`,
  `${museum}/charts/servers/data//`,
  `${museum}/chart`,
  `${museum}/data`,
  `${museum}/Charts`,
  `${museum}/charts/servers/Data`,
  `${museum}/charts/servers/data/1`,
  `${museum}/charts/servers/datas`,
  `/api/v1/plugins/../software`,
  `/api/v1/./software`,
  `/api/v1/plugins%2F${museumId}`,
  `/${'a/'.repeat(2000)}`,
  '/%E2%98%83',
];

test('an unknown path answers 404 to every method, with the path in its message', async () => {
  for (const target of unknown) {
    const [path = ''] = target.split('?');
    const expected = { status: 404, kind: 'unknown-path' };
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const answer = await send(url, { method, target });
      assertProblem(answer, expected);
      const { detail } = JSON.parse(answer.bytes.toString());
      assert.ok(detail.includes(path.slice(0, 200)), `${method} ${target}: ${detail}`);
    }
    const head = await send(url, { method: 'HEAD', target });
    assert.deepEqual(comparable(head), comparable(await get(url, target)));
  }
});

test('an empty chart id is unknown', async () => {
  for (const rest of ['charts//', 'charts//data'])
    assert.equal((await get(url, `${museum}/${rest}`)).status, 404, rest);
});

test('a path with percent-encoded letters is the same path, for every method', async () => {
  const target = '/api/v1/%70lugins';
  assert.equal((await get(url, target)).status, (await get(url, '/api/v1/plugins')).status);
  assert.equal((await send(url, { method: 'OPTIONS', target })).status, 204);
  assert.equal((await send(url, { method: 'POST', target })).status, 405);
});

test('other request headers change nothing', async () => {
  const plain = await get(url, '/api/v1/plugins');
  for (const headers of [
    { 'user-agent': '' },
    { 'user-agent': 'curl/8' },
    { 'user-agent': 'Mozilla/5.0 (compatible; bot)' },
    { accept: 'text/html' },
    { accept: 'application/xml;q=1, */*;q=0' },
    { 'accept-charset': 'iso-8859-1' },
    { origin: 'https://a.example' },
    { authorization: 'Bearer x' },
    { cookie: 'a=b' },
    { range: 'bytes=0-1' },
    { 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
    { 'if-match': '"x"' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  ]) {
    const answer = await get(url, '/api/v1/plugins', headers);
    assert.deepEqual(comparable(answer), comparable(plain), JSON.stringify(headers));
    assert.ok(answer.bytes.equals(plain.bytes));
  }
});

/** Status and headers without the clock. */
function comparable({ status, headers }: Answer): object {
  return { status, headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date')) };
}
