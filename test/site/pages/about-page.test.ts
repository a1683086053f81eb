// The page about the numbers: what it says of the store, and its links.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStore } from '../../http/support/test-server.ts';
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

test('the command that it names is one of the program', async () => {
  const { body } = await site.get('/about');
  const [, command = ''] = /<pre>(plugin-metrics add plugin [^<]*)<\/pre>/.exec(body) ?? [];
  assert.match(command, /--software bukkit$/);
  const { knownSoftware } = await import('../../../src/collect/default-charts.ts');
  assert.ok(knownSoftware.has('bukkit'));
});

test('the page of a store without numbers claims none', async () => {
  const empty = await serveSite(await makeStore([]));
  const { status, body } = await empty.get('/about');
  assert.equal(status, 200);
  assert.match(body, /This server has no plugins yet\./);
  assert.doesNotMatch(body, /<time/);
});
