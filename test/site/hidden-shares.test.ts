// Hidden and isolated shares in the address of a page. Pictures and files have all shares.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveSite } from './pages/support/site-client.ts';

const site = await serveSite();
const page = '/plugin/bukkit/ExamplePlugin/1337';

test('a page has them in its charts and its links to other states, in any order', async () => {
  const query = 'hide=serverSoftware:Paper&hide=serverSoftware:Leaf&only=os:Linux';
  const { body: escaped } = await site.get(`${page}?${query}`);
  const body = escaped.replaceAll('&#61;', '=').replaceAll('&#38;', '&');
  assert.match(body, /chart="serverSoftware"[^>]* hide="Leaf\nPaper"/);
  assert.match(body, /chart="os"[^>]* only="Linux"/);
  assert.ok(body.includes('src="/embed/1337/os.svg?width=560&height=340"'));
  assert.ok(body.includes(`href="${page}/serverSoftware.csv"`));
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

test('pictures and files have all shares, whatever the query says of them', async () => {
  for (const path of ['/embed/1337/serverSoftware.svg', `${page}/serverSoftware.csv`]) {
    const { headers } = await site.get(path);
    for (const query of ['hide=Paper', `only=${'x'.repeat(201)}`]) {
      const { status, headers: others } = await site.get(`${path}?${query}`);
      assert.deepEqual([status, others.get('etag')], [200, headers.get('etag')], query);
    }
  }
});
