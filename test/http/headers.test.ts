// Entity tags, conditional requests, content codings and caching.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../support/seed.ts';
import { checkCommonHeaders } from './support/common-headers.ts';
import { decodeBody } from './support/openapi-check.ts';
import { chartPath, museumChart, sampleCharts } from './support/sample.ts';
import { importSample, makeSampleStore, serveSample, serveStore } from './support/test-server.ts';
import { get, send } from './support/validated-client.ts';

const { url } = await serveSample();
const large = `${chartPath(museumChart('servers'))}/data`;
const small = chartPath(museumChart('servers'));
const longest = sampleCharts.reduce((one, other) => (one.data.length > other.data.length ? one : other));
const huge = `${chartPath(longest)}/data?maxElements=999999`;
const codings = ['br', 'gzip'] as const;

test('a 200 may be cached for a minute, and longer while it is revalidated', async () => {
  for (const target of ['/api/v1/plugins', '/api/v1/software', large, small, '/openapi.json']) {
    const { headers } = await get(url, target);
    const expected = 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400';
    assert.equal(headers.get('cache-control'), expected);
    assert.equal(headers.get('vary'), 'Accept-Encoding');
    assert.match(headers.get('etag') ?? '', /^"[A-Za-z0-9_-]{20,}"$/);
    assert.ok(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now()) < 60_000);
  }
});

test('the max-age is a setting', async () => {
  await using server = await serveStore(await makeSampleStore(), { maxAgeSeconds: 5 });
  const expected = 'public, max-age=5, stale-while-revalidate=600, stale-if-error=86400';
  for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': '*' }])
    assert.equal((await get(server.url, large, headers)).headers.get('cache-control'), expected);
});

test('two servers over two stores from the same archive send the same tags and bytes', async () => {
  await using other = await serveStore(await importSample());
  for (const target of ['/api/v1/plugins', '/api/v1/software', large, small, huge, '/openapi.json']) {
    for (const coding of ['identity', ...codings]) {
      const headers = { 'accept-encoding': coding };
      const [here, there] = [await get(url, target, headers), await get(other.url, target, headers)];
      assert.equal(there.headers.get('etag'), here.headers.get('etag'));
      assert.ok(there.bytes.equals(here.bytes));
    }
  }
});

test('different responses have different tags, and each coding has its own', async () => {
  const tags = new Set<string>();
  const targets = [...['1', '2', '3'].map((count) => `${large}?maxElements=${count}`), large, small, huge];
  for (const target of targets) tags.add((await get(url, target)).headers.get('etag') ?? '');
  assert.equal(tags.size, targets.length);
  for (const coding of codings)
    tags.add((await get(url, large, { 'accept-encoding': coding })).headers.get('etag') ?? '');
  assert.equal(tags.size, targets.length + codings.length);
  assert.ok(!tags.has(''));
});

test('the tag of a coding does not change between requests', async () => {
  for (const coding of ['identity', ...codings]) {
    const headers = { 'accept-encoding': coding };
    const etags = await Promise.all(
      Array.from({ length: 8 }, async () => (await get(url, huge, headers)).headers.get('etag')),
    );
    assert.equal(new Set(etags).size, 1);
  }
});

const conditions: readonly (readonly [string, (etag: string) => string, 200 | 304])[] = [
  ['the tag', (etag) => etag, 304],
  ['the weak form of the tag', (etag) => `W/${etag}`, 304],
  ['a star', () => '*', 304],
  ['a star with space around', () => ' * ', 304],
  ['a list with the tag last', (etag) => `"a", W/"b" ,${etag}`, 304],
  ['a list with the tag first', (etag) => `${etag},"a"`, 304],
  ['a list with empty members', (etag) => `, ,${etag},,`, 304],
  ['a list whose other tag has a comma', (etag) => `"a,b", ${etag}`, 304],
  ['a hundred tags', (etag) => `${'"aaaaaaaaaaaaaaa", '.repeat(100)}${etag}`, 304],
  ['another tag', () => '"other"', 200],
  ['another weak tag', () => 'W/"other"', 200],
  ['nothing', () => '', 200],
  ['the tag without its quotes', (etag) => etag.slice(1, -1), 200],
  ['the tag truncated', (etag) => `${etag.slice(0, -2)}"`, 200],
  ['the tag with more', (etag) => `${etag.slice(0, -1)}x"`, 200],
  ['the tag in lower case', (etag) => etag.toLowerCase(), 200],
  ['the tag inside another one', (etag) => `"a${etag.slice(1)}`, 200],
  ['a quoted star', () => '"*"', 200],
  ['garbage', () => '"""",,W/,\\"', 200],
];

for (const [what, ifNoneMatch, status] of conditions) {
  test(`If-None-Match with ${what} answers ${status}`, async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }] as Readonly<Record<string, string>>[]) {
      for (const target of [large, small]) {
        const plain = await get(url, target, headers);
        const etag = plain.headers.get('etag') ?? '';
        for (const method of ['GET', 'HEAD']) {
          const sent = { ...headers, 'if-none-match': ifNoneMatch(etag) };
          const answer = await send(url, { method, target, headers: sent });
          assert.equal(answer.status, status);
          for (const name of ['etag', 'cache-control', 'vary'])
            assert.equal(answer.headers.get(name), plain.headers.get(name));
          checkCommonHeaders(answer);
          if (status === 200 || method === 'HEAD') continue;
          assert.equal(answer.bytes.length, 0);
          assert.equal(answer.headers.get('content-type'), undefined);
          assert.equal(answer.headers.get('content-encoding'), undefined);
        }
      }
    }
  });
}

test('the tag of another coding does not match', async () => {
  const gzip = await get(url, large, { 'accept-encoding': 'gzip' });
  const etag = gzip.headers.get('etag') ?? '';
  assert.equal((await get(url, large, { 'if-none-match': etag })).status, 200);
  assert.equal((await get(url, large, { 'if-none-match': etag, 'accept-encoding': 'br' })).status, 200);
  assert.equal((await get(url, large, { 'if-none-match': etag, 'accept-encoding': 'gzip' })).status, 304);
});

test('an error is sent in full, whatever tag the request has', async () => {
  for (const target of ['/api/v1/plugins/99', '/api/v1/plugins/x', '/api/v1/other'])
    assert.ok((await get(url, target, { 'if-none-match': '*' })).status >= 400);
});

const choices: readonly (readonly [string, string | undefined])[] = [
  ['', undefined],
  ['identity', undefined],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['zstd', undefined],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['Br', 'br'],
  ['deflate', undefined],
  ['compress, foo', undefined],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['zstd, br, gzip', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0.5, gzip;q=0.8, zstd;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0.001', 'gzip'],
  ['br;q=0', undefined],
  ['br;q=0.000, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0.1', 'br'],
  ['*, br;q=0', 'gzip'],
  ['*;q=0', undefined],
  ['*;q=0, gzip', 'gzip'],
  ['identity;q=0.5, gzip;q=0.4', undefined],
  ['identity;q=0.5, gzip;q=0.6', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0, gzip', 'gzip'],
  // No acceptable coding is left, and a response is better than none (RFC 9110 12.5.3).
  ['identity;q=0', undefined],
  ['br;q=2', undefined],
  ['br;q=-1, gzip', 'gzip'],
  ['br;q=abc, gzip', 'gzip'],
  [' gzip ; q=0.5 , br ; q = 0.4', 'gzip'],
  [',,gzip,,', 'gzip'],
  ['gzip;q=1;q=0', 'gzip'],
  ['__proto__, constructor', undefined],
  ['a,'.repeat(2000), undefined],
];

for (const [acceptEncoding, expected] of choices) {
  test(`Accept-Encoding "${acceptEncoding.slice(0, 40)}" gets ${expected ?? 'the body uncompressed'}`, async () => {
    const plain = await get(url, large);
    const answer = await get(url, large, { 'accept-encoding': acceptEncoding });
    assert.equal(answer.headers.get('content-encoding'), expected);
    assert.equal(answer.headers.get('content-length'), String(answer.bytes.length));
    assert.ok(decodeBody(answer).equals(plain.bytes));
    assert.ok(expected === undefined || answer.bytes.length < plain.bytes.length);
  });
}

test('no random Accept-Encoding breaks the response', async () => {
  const plain = await get(url, large);
  const token = fc.constantFrom('br', 'gzip', 'zstd', 'identity', '*', 'deflate', 'X-GZIP', '', ' ', 'q');
  const weight = fc.constantFrom(
    '',
    ';q=0',
    ';q=1',
    ';q=0.5',
    '; Q=0.999',
    ';q=',
    ';q',
    ';q=1.0000',
    ';;',
    ';a=b',
  );
  const list = fc.array(
    fc.tuple(token, weight).map((parts) => parts.join('')),
    { maxLength: 6 },
  );
  // Characters that a header may contain; any other is refused by the parser.
  const text = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  const header = fc.oneof(
    list.map((items) => items.join(',')),
    text,
  );
  await fc.assert(
    fc.asyncProperty(header, async (acceptEncoding) => {
      const answer = await get(url, large, { 'accept-encoding': acceptEncoding });
      assert.equal(answer.status, 200);
      assert.ok(decodeBody(answer).equals(plain.bytes));
    }),
    { numRuns: 150 },
  );
});

test('no random If-None-Match breaks the response', async () => {
  const etag = (await get(url, small)).headers.get('etag') ?? '';
  const piece = fc.constantFrom(
    etag,
    `W/${etag}`,
    '"',
    '""',
    ',',
    ' ',
    'W/',
    '"a"',
    '*',
    '\\',
    etag.slice(1),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const answer = await get(url, small, { 'if-none-match': pieces.join('') });
      assert.ok(answer.status === 200 || answer.status === 304);
    }),
    { numRuns: 100 },
  );
});

test('a body under 1 KiB is sent uncompressed, with the same tag each time', async () => {
  const plain = await get(url, small);
  assert.ok(plain.bytes.length < 1024);
  for (const coding of codings) {
    const answer = await get(url, small, { 'accept-encoding': coding });
    assert.equal(answer.headers.get('content-encoding'), undefined);
    assert.equal(answer.headers.get('etag'), plain.headers.get('etag'));
    assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
    assert.ok(answer.bytes.equals(plain.bytes));
  }
});

test('the largest response is the same in every coding', async () => {
  const plain = await get(url, huge);
  assert.equal(plain.bytes.toString(), longest.data);
  for (const coding of codings) {
    const answer = await get(url, huge, { 'accept-encoding': coding });
    assert.equal(answer.headers.get('content-encoding'), coding);
    assert.ok(decodeBody(answer).equals(plain.bytes));
  }
});

test('errors are sent uncompressed, whatever coding is accepted', async () => {
  const answer = await get(url, `/api/v1/plugins/4242/charts/${'a'.repeat(3000)}`, {
    'accept-encoding': 'gzip',
  });
  assert.equal(answer.headers.get('content-encoding'), undefined);
});
