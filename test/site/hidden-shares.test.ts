// Hidden and isolated shares in the address of a page, and of the picture of a pie.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSvg } from '../support/read-svg.ts';
import { assertSvg } from './images/support/assert-svg.ts';
import { serveSite } from './pages/support/site-client.ts';

const site = await serveSite();
const picture = '/embed/1337/serverSoftware.svg';
const page = '/plugin/bukkit/ExamplePlugin/1337';

async function pictureOf(path: string): Promise<string> {
  const { status, body } = await site.get(path);
  assert.equal(status, 200, path);
  assertSvg(body);
  return body;
}

test('a pie without its hidden shares keeps the colours of the others, which add up to a whole', async () => {
  const fillsIn = (svg: string) =>
    readSvg(svg)
      .filter(({ name, attributes }) => name === 'rect' && attributes['rx'] === '2')
      .map(({ attributes }) => attributes['fill']);
  const wordsIn = (svg: string) => readSvg(svg).find(({ name }) => name === 'desc')?.text ?? '';
  const [all, hidden] = [await pictureOf(picture), await pictureOf(`${picture}?hide=Paper`)];
  assert.deepEqual(fillsIn(hidden).slice(1), fillsIn(all).slice(1));
  assert.doesNotMatch(wordsIn(hidden), /Paper/);
  const alone = await pictureOf(`${picture}?only=Spigot&hide=Spigot`);
  assert.match(wordsIn(alone), /: Spigot 100%$/);
  assert.match(hidden, /text-decoration="line-through"[^>]*>Paper</);
  assert.equal(await pictureOf(`${picture}?hide=Nothing+like+it`), all);
  const none = await pictureOf(`${picture}?only=Nothing+like+it`);
  assert.match(none, />Server Software \(all would be hidden, so all are shown\)</);
  assert.equal(wordsIn(none), wordsIn(all));
});

test('a map of now shows all, as its page does', async () => {
  const map = '/embed/1337/locationMap.svg';
  assert.equal(await pictureOf(`${map}?only=Germany`), await pictureOf(map));
});

test('a page has them in its charts, its pictures and its links, in any order', async () => {
  const query = 'hide=serverSoftware:Paper&hide=serverSoftware:Leaf&only=os:Linux';
  const { body: escaped } = await site.get(`${page}?${query}`);
  const body = escaped.replaceAll('&#61;', '=').replaceAll('&#38;', '&');
  assert.match(body, /chart="serverSoftware"[^>]* hide="Leaf\nPaper"/);
  assert.match(body, /chart="os"[^>]* only="Linux"/);
  assert.ok(body.includes('src="/embed/1337/os.svg?only=Linux&width=560&height=340"'));
  assert.ok(body.includes(`href="${page}/serverSoftware.csv?hide=Leaf&hide=Paper"`));
  assert.ok(body.includes('<input type="hidden" name="only" value="os:Linux">'));
  const turned =
    'only=os:Linux&hide=serverSoftware:Leaf&only=os:Linux&hide=serverSoftware:Paper&hide=os:Linux&hide=x';
  assert.equal(
    (await site.get(`${page}?${turned}`)).headers.get('etag'),
    (await site.get(`${page}?${query}`)).headers.get('etag'),
  );
  const { headers } = await site.get(`/plugin/1337?${query}`);
  const [path, found] = (headers.get('location') ?? '').split('?');
  assert.equal(path, page);
  assert.deepEqual([...new URLSearchParams(found)].sort(), [...new URLSearchParams(query)].sort());
});

test('a page refuses more names for a chart than a picture takes', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `hide=os:${index}`).join('&');
  assert.equal((await site.get(`${page}?${many(100)}`)).status, 200);
  assert.equal((await site.get(`${page}?${many(101)}`)).status, 400);
  assert.equal((await site.get(`${page}?only=os:${'x'.repeat(201)}`)).status, 400);
});
