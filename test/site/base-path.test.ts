// A server below a path of its host, as `--public-url` says it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listApiEndpoints, openapiDocument } from '../../src/api/routes.ts';
import { ownSegments } from '../../src/cli/commands/serve.ts';
import { createSite } from '../../src/site/site.ts';
import { followLinks, pagesOfEachKind } from './pages/support/crawl.ts';
import { serveSite } from './pages/support/site-client.ts';

const base = '/metrics';
const publicUrl = `https://stats.example.org${base}`;
const site = await serveSite(undefined, { publicUrl });

test('every link of every page begins with the path, and leads to something', async () => {
  const count = await followLinks(
    { base, publicUrl, ask: site.get },
    pagesOfEachKind.map((path) => base + path),
  );
  assert.ok(count > 200, `${count} links`);
});

test('a request with the path and one without it have the same response', async () => {
  for (const path of [
    ...pagesOfEachKind,
    '/api/v1/plugins/1337',
    '/api/v1/plugins/7',
    '/embed/1337.svg',
    '/embed/7.svg',
  ]) {
    const [stripped, whole] = [await site.get(path), await site.get(base + path)];
    assert.deepEqual([whole.status, whole.body], [stripped.status, stripped.body], path);
    assert.equal(whole.headers.get('content-type'), stripped.headers.get('content-type'), path);
  }
  assert.equal((await site.get(base)).body, (await site.get('/')).body);
  assert.equal((await site.get(base + base)).status, 404);
  assert.equal((await site.get('/metricsplugin/1337')).status, 404);
});

test('redirects, the sitemap and robots.txt name the path', async () => {
  for (const path of [
    '/plugin/1337',
    `${base}/plugin/1337?range=7d`,
    '/plugin/bukkit/exampleplugin',
    '/plugin-list',
    '/?software=bukkit',
  ]) {
    const location = (await site.get(path)).headers.get('location') ?? '';
    assert.ok(location.startsWith(`${base}/`), `${path} → ${location}`);
    assert.equal((await site.get(location)).status, 200, location);
  }
  const sitemap = await site.get('/sitemap.xml');
  const addresses = Array.from(sitemap.body.matchAll(/<loc>([^<]+)/g), ([, address = '']) => address);
  assert.ok(addresses.length > 20);
  for (const address of addresses) assert.ok(address.startsWith(`${publicUrl}/`), address);
  assert.match((await site.get('/robots.txt')).body, /^Disallow: \/metrics\/compare$/m);
  assert.match(
    (await site.get('/robots.txt')).body,
    /^Sitemap: https:\/\/stats\.example\.org\/metrics\/sitemap\.xml$/m,
  );
});

test('the description of the interface names the public address, or else the root of its server', () => {
  const serversOf = (options: { readonly publicUrl?: string }) =>
    openapiDocument({ hasLiveFields: false, ...options }).servers;
  assert.deepEqual(serversOf({ publicUrl }), [{ url: publicUrl }]);
  assert.deepEqual(serversOf({}), [{ url: '/' }]);
});

test('a public address has no path that begins as one of the server', () => {
  const endpoints = [...listApiEndpoints({ hasLiveFields: false }), ...createSite().endpoints];
  const segments = endpoints.map(({ path }) => path.split('/')[1] ?? '');
  const named = segments.filter((segment) => segment !== '' && !/-[A-Z0-9]{8}\.(?:css|js)$/.test(segment));
  assert.deepEqual([...ownSegments].sort(), [...new Set(named)].sort());
});
