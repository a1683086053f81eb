// The paths of images, and the features of every endpoint: HEAD, OPTIONS, entity tags, codings and cache keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';
import { chartTypes, serveImages } from './support/image-server.ts';

const server = await serveImages();
const svgType = 'image/svg+xml; charset=utf-8';
const svgPaths = [
  '/embed/1.svg',
  '/embed/1/players.svg',
  '/signatures/bukkit/Example.Plugin.svg',
  '/badge/1/players.svg',
];

test('a chart of every type is a picture and a badge', async () => {
  for (const [chartId] of chartTypes) {
    for (const path of [`/embed/1/${chartId}.svg`, `/badge/1/${chartId}.svg`]) {
      const { status, headers, text } = await ask(server, path);
      assert.deepEqual([status, headers['content-type']], [200, svgType], path);
      assertSvg(text);
      if (path.startsWith('/embed')) assert.match(text, new RegExp(RegExp.escape(`Title of ${chartId}`)));
    }
  }
});

test('a path may have a trailing slash, without a redirect', async () => {
  for (const path of svgPaths) {
    const one = await ask(server, path);
    const other = await ask(server, `${path}/`);
    assert.equal(other.status, 200, path);
    assert.equal(other.text, one.text);
  }
});

test('the last extension counts: a chart id may contain dots and end in another extension', async () => {
  assert.equal((await ask(server, '/embed/1/logo.svg.svg')).status, 200);
  assert.equal((await ask(server, '/embed/1/logo.svg')).status, 404);
  assert.equal((await ask(server, '/embed/1/a.png.svg')).status, 200);
  assert.equal((await ask(server, '/embed/1/v1.2.svg')).status, 200);
});

test('an unsupported extension is unknown', async () => {
  for (const path of [
    '/embed/1',
    '/embed/1.gif',
    '/embed/1/players',
    '/embed/1/players.jpeg',
    '/embed/',
    '/badge/1/players.png',
    '/badge/1/players',
    '/signatures/bukkit/Twice.png',
    '/signatures/bukkit/Twice',
    '/embed/1/players.SVG',
  ])
    assert.equal((await ask(server, path)).status, 404, path);
});

test('pictures have the headers of the interface, and a policy that blocks scripts', async () => {
  for (const path of [...svgPaths, '/embed/1/nothing.svg']) {
    const { headers } = await ask(server, path);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  }
  const { headers } = await ask(server, '/embed/1.svg');
  assert.match(headers['cache-control'] ?? '', /^public, max-age=60,/);
});

test('SVG is compressed if the client accepts it, PNG is not', async () => {
  const plain = await ask(server, '/embed/1/players.svg');
  const coded = await ask(server, '/embed/1/players.svg', { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(coded.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(coded.body).toString('utf8'), plain.text);
  const png = await ask(server, '/embed/1/players.png', { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(png.headers['content-encoding'], undefined);
});

test('a picture has one cache key: defaults, their order and unknown parameters make no difference', async () => {
  const first = await ask(server, '/embed/1/players.svg?theme=dark&width=640');
  const before = await server.count('responses_total', { cache: 'miss' });
  for (const query of [
    'width=640&theme=dark',
    'theme=dark&width=0640&height=300',
    'theme=dark&width=640&range=30d&title=&scale=3',
    'theme=dark&width=640&scale=nonsense&other=1&other=2',
    'theme=dark&width=640&height=&range=%20',
  ])
    assert.equal((await ask(server, `/embed/1/players.svg?${query}`)).text, first.text, query);
  for (const query of ['height=301', 'theme=auto&height=301', 'scale=2&theme=light&width=800&height=301'])
    await ask(server, `/embed/1/players.png?${query}`);
  await ask(server, '/badge/1/map.json?style=plastic&color=blue&label=one');
  await ask(server, '/badge/1/map.json?label=one');
  assert.equal((await server.count('responses_total', { cache: 'miss' })) - before, 2);
});
