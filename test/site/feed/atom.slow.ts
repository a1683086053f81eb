// Atom as the parser of Python reads it, beside the JSON Feed of the same plugin.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { readFeed, serveHostileFeed } from './support/hostile-feed.ts';

const program = `
import json, sys, xml.etree.ElementTree as tree
feed = tree.fromstring(sys.stdin.buffer.read())
atom = '{http://www.w3.org/2005/Atom}'
text = lambda one, path: one.findtext('/'.join(atom + name for name in path.split('/')))
href = lambda one, rel: one.find(f"{atom}link[@rel='{rel}']").get('href')
assert feed.tag == atom + 'feed' and text(feed, 'id') and text(feed, 'updated')
print(json.dumps({
    'title': text(feed, 'title'), 'author': text(feed, 'author/name'), 'updated': text(feed, 'updated'),
    'home': href(feed, 'alternate'), 'self': href(feed, 'self'),
    'items': [[text(e, 'id'), text(e, 'title'), text(e, 'updated'), text(e, 'summary'), e.find(atom + 'category').get('term'),
        href(e, 'alternate')] for e in feed.findall(atom + 'entry')],
}))
`;

test('Atom has the entries of the JSON Feed', async () => {
  const site = await serveHostileFeed();
  for (const pluginId of [7, 8, 9]) {
    const atom = await readFeed(site, pluginId, 'atom');
    assert.equal(atom.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const { status, stdout, stderr } = spawnSync('python3', ['-c', program], { input: atom.body });
    assert.equal(status, 0, String(stderr));
    const json = JSON.parse((await readFeed(site, pluginId, 'json')).body);
    // XML has no such characters.
    const inXml = (text: string) => text.replace(/[\ufffe\uffff]/g, '\ufffd');
    assert.deepEqual(JSON.parse(String(stdout)), {
      title: json.title,
      author: json.authors[0].name,
      updated: json.items[0]?.date_modified ?? '1970-01-01T00:00:00.000Z',
      home: json.home_page_url,
      self: json.feed_url.replace(/json$/, 'atom'),
      items: json.items.map((item: Readonly<Record<string, string>>) => [
        ...[item['id'], inXml(item['title'] ?? ''), item['date_modified'], item['content_text']],
        ...[item['tags']?.[0], item['url']],
      ]),
    });
  }
});
