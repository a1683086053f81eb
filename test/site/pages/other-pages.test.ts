// The page about the numbers, error pages, and addresses for search engines.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SaxesParser } from 'saxes';
import { AppError } from '../../../src/model/app-error.ts';
import { samplePlugins, sampleSoftware } from '../../http/support/sample.ts';
import { makeStore, replaceMethods } from '../../http/support/test-server.ts';
import { checkHtml } from './support/html-check.ts';
import { serveSite } from './support/site-client.ts';

const site = await serveSite();

test('every page links to the page about the numbers, and none to raw data', async () => {
  for (const path of [
    '/',
    '/about',
    '/software/bukkit',
    '/plugin/bukkit/ExamplePlugin/1337',
    '/compare',
    '/none',
  ]) {
    const { body } = await site.get(path);
    const footer = body.slice(body.indexOf('<footer'));
    assert.match(footer, /href="\/about"/, path);
    assert.doesNotMatch(footer, /json/);
  }
});

test('the page says what this store has, and its links lead somewhere', async () => {
  const { status, body } = await site.get('/about');
  assert.equal(status, 200);
  const tags = checkHtml(body, site.url);
  assert.match(body, /<a href="\/">16 plugins<\/a> for 6 kinds of software/);
  assert.match(body, /<time datetime="2026-06-30T23:30:00\.000Z">30 Jun 2026, 23:30 UTC<\/time>/);
  const addresses = new Set(
    tags.flatMap(({ name, attributes }) => (name === 'a' ? (attributes.get('href') ?? []) : [])),
  );
  for (const address of addresses)
    if (!address.startsWith('#')) assert.equal((await site.get(address)).status, 200, address);
  assert.ok(addresses.has('/api/v1/plugins') && addresses.has('/openapi.json'));
});

test('the page of a store without numbers claims none', async () => {
  const empty = await serveSite(await makeStore([]));
  const { status, body } = await empty.get('/about');
  assert.equal(status, 200);
  assert.match(body, /This server has no plugins yet\./);
  assert.doesNotMatch(body, /<time/);
});

const unavailable = () => {
  throw new AppError('store-unavailable', 'secret.db is gone');
};
const broken = await serveSite(undefined, {
  wrap: (reader) => replaceMethods(reader, () => ({ findPlugins: unavailable, getPlugin: unavailable })),
});

describe('an error page', () => {
  test('offers a search and a link to the first page', async () => {
    const { status, headers, body } = await site.get('/nothing/here');
    assert.equal(status, 404);
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    assert.match(headers.get('vary') ?? '', /Accept/);
    const tags = checkHtml(body, site.url);
    assert.ok(tags.some(({ name, attributes }) => name === 'form' && attributes.get('action') === '/'));
    assert.ok(tags.some(({ attributes }) => attributes.get('href') === '/'));
    assert.ok(tags.some(({ attributes }) => attributes.get('content') === 'noindex'));
  });

  test('says what is wrong in an address, and leads back to the page that was meant', async () => {
    const plugin = '/plugin/bukkit/ExamplePlugin/1337';
    const usual = (path: string) =>
      `<a href="${path.replaceAll('&', '&#38;').replaceAll('=', '&#61;')}">This page as it usually is</a> · <a href="/">`;
    for (const [path, status, title, sentence, way] of [
      [`${plugin}?range=7dd`, 400, 'This address cannot be read', 'Range must be ', usual(plugin)],
      [
        `${plugin}?from=2026-06-09&to=2026-06-01`,
        400,
        'This address',
        'A window must begin before it ends: from is 2026-06-09, to is 2026-06-01.',
        usual(plugin),
      ],
      ['/compare?range=%3Cb%3E', 400, 'This address', 'got &#34;&#60;b&#62;&#34;', usual('/compare')],
      [
        '/compare?charts=1337:players,42:players&range=3d&mode=sum',
        ...[400, 'This address', 'Range must be '],
        usual('/compare?charts=1337:players,42:players&mode=sum'),
      ],
      [
        `${plugin}?view=history&from=2026-06-09&to=2026-06-01`,
        ...[400, 'This address', 'A window must begin before it ends'],
        usual(`${plugin}?view=history`),
      ],
      ['/?q=a%20b&sort=foo', 400, 'This address', 'Sort must be ', usual('/?q=a+b')],
      ['/?page=0', 400, 'This address', 'Page must be ', usual('/')],
      ['/owner/x', 400, 'This address', 'The id of an owner must be ', '<p class="by"><a href="/">'],
      ['/plugin/99999', 404, 'There is no such plugin', 'There is no plugin ', '<p class="by"><a href="/">'],
      ['/owner/99999', 404, 'There is no such owner', 'There is no owner ', '<p class="by"><a href="/">'],
      ['/nothing', 404, 'There is no such page', 'may be mistyped', '<p class="by"><a href="/">'],
    ] as const) {
      const page = await site.get(path);
      assert.equal(page.status, status, path);
      for (const part of [`<h1>${title}`, sentence, way])
        assert.ok(page.body.includes(part), `${path}: ${part}`);
      checkHtml(page.body, site.url);
    }
  });

  test('works while the store is unreadable, and reveals nothing about it', async () => {
    for (const path of [
      '/',
      '/plugin/1337',
      '/plugin/bukkit/ExamplePlugin/1337',
      '/compare?charts=1337:players',
    ]) {
      const { status, headers, body } = await broken.get(path);
      assert.deepEqual([status, headers.get('retry-after')], [503, '5'], path);
      assert.match(body, /Try again in a few seconds/);
      assert.doesNotMatch(body, /secret/);
      checkHtml(body, broken.url);
    }
  });
});

const publicSite = await serveSite(undefined, { publicUrl: 'https://metrics.example.org' });

function locationsIn(xml: string): string[] {
  const locations: string[] = [];
  let isLocation = false;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    isLocation = name === 'loc';
  });
  parser.on('text', (text) => {
    if (isLocation && text.trim() !== '') locations.push(text);
  });
  parser.write(xml).close();
  return locations;
}

describe('the sitemap', () => {
  test('has the list, every software and every plugin, each at its canonical address', async () => {
    const { headers, body } = await site.get('/sitemap.xml');
    assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8');
    const locations = locationsIn(body);
    assert.equal(locations.length, 1 + sampleSoftware.length + samplePlugins.length);
    assert.equal(new Set(locations).size, locations.length);
    for (const location of locations) {
      assert.ok(location.startsWith(`${site.url}/`));
      const page = await site.get(location.slice(site.url.length));
      assert.equal(page.status, 200, location);
      assert.ok(page.body.includes(`<link rel="canonical" href="${location}">`), location);
    }
  });

  test('is linked from robots.txt, under the public address', async () => {
    const { body } = await publicSite.get('/robots.txt');
    const [, address] = /^Sitemap: https:\/\/metrics\.example\.org(\/\S+)$/m.exec(body) ?? [];
    assert.equal(locationsIn((await publicSite.get(address ?? '')).body)[0], 'https://metrics.example.org/');
  });

  test('answers 404 for a missing part, with a link to the whole', async () => {
    assert.equal((await site.get('/sitemap/2.xml')).headers.get('location'), '/sitemap.xml');
    assert.equal((await site.get('/sitemap/x.xml')).status, 404);
  });
});

test('the icon is also at the address that browsers request by default', async () => {
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const { status, headers } = await site.get(path);
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
  }
});
