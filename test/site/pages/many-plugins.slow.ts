// More plugins than a file of the sitemap names, and than one statement passes over on the way to a page of
// the list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveText, pluginLine, softwareLine } from '../../support/archive-text.ts';
import { importText } from '../../support/stores.ts';
import { directoryOfFile } from '../../support/temporary-directory.ts';
import { serveSite } from './support/site-client.ts';

const pluginCount = 20_100;
const nameOf = (id: number) => `Plugin ${String(id).padStart(5, '0')}`;
const ids = Array.from({ length: pluginCount }, (_, index) => index + 1);
const store = directoryOfFile().at('many.db');
await importText(
  store,
  archiveText([softwareLine(), ...ids.map((id) => pluginLine({ id, name: nameOf(id) }))]),
);
const site = await serveSite(store);

const locationsIn = (text: string) =>
  [...text.matchAll(/<loc>https?:\/\/[^/]+(.*?)<\/loc>/g)].map(([, path = '']) => path);

test('the sitemap lists its files, which together have every address once', async () => {
  const files = locationsIn((await site.get('/sitemap.xml')).body);
  assert.deepEqual(files, ['/sitemap/1.xml', '/sitemap/2.xml']);
  const bodies = await Promise.all(files.map((file) => site.get(file)));
  const [first = [], second = []] = bodies.map(({ body }) => locationsIn(body));
  assert.equal(first.length, 20_000);
  // The first page and the page of the software are addresses too.
  assert.equal(new Set([...first, ...second]).size, 2 + pluginCount);
  assert.equal(first.length + second.length, 2 + pluginCount);
  assert.match(second.at(-1) ?? '', new RegExp(`/${pluginCount}$`));
});

test('a page far down the list begins where the one before it ends, in every order', async () => {
  const namesAt = async (query: string) =>
    [...(await site.get(`/?${query}`)).body.matchAll(/>(Plugin \d{5})</g)].map(([, name = '']) => name);
  const perPage = (await namesAt('sort=name')).length;
  const page = Math.floor(pluginCount / perPage) - 1;
  const skipped = (page - 1) * perPage;
  const wanted = ids.slice(skipped, skipped + perPage).map(nameOf);
  // Without a number all are equal, and come by their ids.
  for (const order of ['sort=name', 'sort=servers', 'sort=players&dir=asc'])
    assert.deepEqual(await namesAt(`${order}&page=${page}`), wanted, order);
  const fromTheEnd = ids.toReversed().slice(skipped, skipped + perPage);
  assert.deepEqual(await namesAt(`sort=name&dir=desc&page=${page}`), fromTheEnd.map(nameOf));
});
