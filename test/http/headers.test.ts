// Entity tags, conditional requests, content codings and caching. The conformance cases have the rules; here
// is what they leave open.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { makeBody, StreamedBody } from '../../src/http/make-body.ts';
import { fc } from '../support/seed.ts';
import { decodeBody } from './support/openapi-check.ts';
import { chartPath, museumChart, sampleCharts } from './support/sample.ts';
import { openApp, requestFor } from './support/test-app.ts';
import { makeSampleStore } from './support/test-server.ts';

const { app, ask } = openApp(await makeSampleStore());
const large = `${chartPath(museumChart('servers'))}/data`;
const small = chartPath(museumChart('servers'));
const longest = sampleCharts.reduce((one, other) => (one.data.length > other.data.length ? one : other));
const huge = `${chartPath(longest)}/data?maxElements=999999`;
const targets = ['/api/v1/plugins', '/api/v1/software', large, small, huge, '/openapi.json'];
const codings = ['identity', 'br', 'gzip'];

test('a 200 and a 304 may be cached for a minute, and longer while they are revalidated', async () => {
  const hasty = openApp(await makeSampleStore(), { maxAgeSeconds: 5 });
  for (const target of targets)
    for (const [app, seconds] of [
      [{ ask }, 60],
      [hasty, 5],
    ] as const)
      for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': '*' }]) {
        const answer = await app.ask(target, headers);
        const expected = `public, max-age=${seconds}, stale-while-revalidate=600, stale-if-error=86400`;
        assert.equal(answer.headers.get('cache-control'), expected);
        assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
      }
});

test('If-None-Match names the tag exactly, and that of the coding', async () => {
  for (const acceptEncoding of codings) {
    const etag = (await ask(large, { 'accept-encoding': acceptEncoding })).headers.get('etag') ?? '';
    for (const [ifNoneMatch, status] of [
      [etag, 304],
      [` * `, 304],
      [`${'"aaaaaaaaaaaaaaa", '.repeat(100)}${etag}`, 304],
      [etag.slice(1, -1), 200],
      [`${etag.slice(0, -2)}"`, 200],
      [`${etag.slice(0, -1)}x"`, 200],
      [etag.toLowerCase(), 200],
      [`"a${etag.slice(1)}`, 200],
      ['"""",,W/,\\"', 200],
    ] as const)
      for (const method of ['GET', 'HEAD'])
        assert.equal(
          (await ask(large, { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch }, method))
            .status,
          status,
          ifNoneMatch,
        );
    for (const another of codings)
      if (another !== acceptEncoding)
        assert.equal((await ask(large, { 'accept-encoding': another, 'if-none-match': etag })).status, 200);
  }
});

test('a cached response has one 304, whose message is made once for each Date', async () => {
  const answer = () => app.answer(requestFor(large, { 'if-none-match': '*' }));
  const [, first, second] = [await answer(), await answer(), await answer()];
  assert.equal(first.status, 304);
  assert.equal(first, second);
});

const choices: readonly (readonly [string, string | undefined])[] = [
  ['zstd', undefined],
  ['x-gzip', 'gzip'],
  ['compress, foo', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['zstd, br, gzip', 'br'],
  ['br;q=0.5, gzip;q=0.8, zstd;q=0.9', 'gzip'],
  ['br;q=0.000, gzip;q=0', undefined],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['*;q=0', undefined],
  ['identity;q=0.5, gzip;q=0.4', undefined],
  ['identity, gzip;q=0.5', undefined],
  // No acceptable coding is left, and a response is better than none (RFC 9110 12.5.3).
  ['identity;q=0', undefined],
  ['br;q=2', undefined],
  ['br;q=-1, gzip', 'gzip'],
  [' gzip ; q=0.5 , br ; q = 0.4', 'gzip'],
  ['gzip;q=1;q=0', 'gzip'],
  ['__proto__, constructor', undefined],
  ['a,'.repeat(2000), undefined],
];

test('the coding that a client likes best is chosen, brotli before gzip', async () => {
  const plain = await ask(large);
  for (const [acceptEncoding, expected] of choices) {
    const answer = await ask(large, { 'accept-encoding': acceptEncoding });
    assert.equal(answer.headers.get('content-encoding'), expected, acceptEncoding);
    assert.ok(decodeBody(answer).equals(plain.bytes));
    assert.ok(expected === undefined || answer.bytes.length < plain.bytes.length);
  }
});

const isWanted = () => true;
const decoders = { identity: (bytes: Uint8Array) => bytes, gzip: gunzipSync, br: brotliDecompressSync };

async function* inTurns<Part>(parts: Iterable<Part>, onEnd = () => {}): AsyncGenerator<Part> {
  try {
    for (const part of parts) yield part;
  } finally {
    onEnd();
  }
}

test('goes on in the turns of its networks where it is a stream, whoever takes it', async () => {
  const networks = new AsyncLocalStorage<string>();
  const seen = new Set<string | undefined>();
  async function* parts() {
    for (let part = 0; part < 9; part++) {
      seen.add(networks.getStore());
      yield 'x'.repeat(100_000);
    }
  }
  for (const coding of ['identity', 'gzip'] as const) {
    const forecast = { minBytes: 1e9 };
    const made = await networks.run('one', () => makeBody(parts(), { coding, isWanted, forecast }));
    assert.ok('content' in made && made.content instanceof StreamedBody);
    await Array.fromAsync(made.content.chunks);
  }
  assert.deepEqual([...seen], ['one']);
});

test('is the same whether its parts are there at once or come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string(), fc.uint8Array(), fc.constant('x'.repeat(3000)))),
      fc.constantFrom('identity', 'gzip', 'br'),
      async (parts, coding) => {
        const text = Buffer.concat(parts.map((part) => Buffer.from(part)));
        const digest = createHash('sha256').update(text).digest('base64url');
        // Parts belong to who takes them.
        const copied = () => parts.map((part) => (typeof part === 'string' ? part : Uint8Array.from(part)));
        for (const some of [copied(), inTurns(copied())]) {
          const made = await makeBody(some, { coding, isWanted });
          const coded = text.length < 1024 ? 'identity' : coding;
          assert.ok('content' in made && made.content instanceof Uint8Array);
          assert.equal(made.etag, coded === 'identity' ? `"${digest}"` : `"${digest}-${coded}"`);
          assert.equal(made.coding, coded);
          assert.ok(text.equals(decoders[coded](made.content)));
        }
      },
    ),
    { numRuns: 50 },
  );
});
