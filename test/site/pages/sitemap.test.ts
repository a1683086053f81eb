// Addresses for search engines, over real HTTP and a real store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SaxesParser } from 'saxes';
import { samplePlugins, sampleSoftware } from '../../http/support/sample.ts';
import { serveSite } from './support/site-client.ts';

const site = await serveSite();
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
  assert.equal((await site.get('/favicon.svg')).headers.get('content-type'), 'image/svg+xml; charset=utf-8');
  const { status, headers } = await site.get('/favicon.ico');
  assert.deepEqual([status, headers.get('location')], [308, '/favicon.svg']);
});
