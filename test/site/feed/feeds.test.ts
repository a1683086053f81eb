// JSON Feed over a real store, against the rules of its specification, and what both feeds have in common.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { hostileNames } from '../../support/hostile-names.ts';
import { readFeed, serveHostileFeed, start, titles } from './support/hostile-feed.ts';

const site = await serveHostileFeed();
const [name = '', owner] = hostileNames;

const text = { type: 'string', minLength: 1 };
const url = { type: 'string', pattern: '^https?://\\S+$' };
const date = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };
const object = { type: 'object', additionalProperties: false };

/** The members that jsonfeed.org/version/1.1 has, of those that feeds use. */
const jsonFeedSchema = {
  ...object,
  required: ['version', 'title', 'items'],
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    home_page_url: url,
    feed_url: url,
    authors: { type: 'array', minItems: 1, items: { ...object, properties: { name: text } } },
    items: {
      type: 'array',
      items: {
        ...object,
        required: ['id', 'content_text'],
        properties: {
          id: text,
          url,
          title: text,
          content_text: { type: 'string' },
          date_published: date,
          date_modified: date,
          tags: { type: 'array', items: text },
        },
      },
    },
  },
};
const isJsonFeed = new Ajv2020({ strict: true }).compile(jsonFeedSchema);

interface Item {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly content_text: string;
  readonly date_published: string;
  readonly tags: readonly [kind: string];
}

async function itemsOf(pluginId: number): Promise<readonly Item[]> {
  const { status, headers, body } = await readFeed(site, pluginId, 'json');
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/feed+json; charset=utf-8']);
  const feed: { readonly items: readonly Item[] } = JSON.parse(body);
  isJsonFeed(feed);
  assert.equal(isJsonFeed.errors, null);
  return feed.items;
}

test('a feed has entries of every kind, whatever the names', async () => {
  const items = await itemsOf(7);
  const ofKind = (kind: string) => items.filter(({ tags }) => tags[0] === kind);
  assert.deepEqual(
    ofKind('event').map(({ title }) => title),
    titles.toReversed(),
  );
  assert.deepEqual(
    items.filter(({ tags }) => tags[0] !== 'event').map((item) => [item.title, item.content_text]),
    [
      ['Record of servers in Jun 2026', '999 servers on 21 Jun 2026, more than ever before.'],
      ['Week of 22 Jun 2026', `5 servers (−99%) on average. Most used: 1.1.x (${name}).`],
      [
        `${name}: 1.1-<b>&amp; is the most used`,
        '1.1-<b>&amp; was the most used on seven whole days in a row, from 21 Jun 2026 on.',
      ],
      ['Week of 15 Jun 2026', `816 servers (+62%) on average. Most used: 1.0.x (${name}).`],
      ['Week of 8 Jun 2026', `504 servers (+201%) on average. Most used: 1.0.x (${name}).`],
      [
        `${name}: 1.0 is the most used`,
        '1.0 was the most used on seven whole days in a row, from 1 Jun 2026 on.',
      ],
      ['Week of 1 Jun 2026', `168 servers on average. Most used: 1.0.x (${name}).`],
    ],
  );
  const times = items.map(({ date_published }) => Date.parse(date_published));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
});

test('an id is a version 5 UUID of plugin, kind, time and title', async () => {
  for (const { id, tags, date_published, title } of await itemsOf(7)) {
    const namespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
    const text = `7|${tags[0]}|${Date.parse(date_published)}|${title}`;
    const hash = createHash('sha1').update(namespace).update(text).digest('hex');
    assert.match(id, /^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const digits = id.slice(9).replaceAll('-', '');
    assert.deepEqual([digits.slice(0, 12), digits.slice(13, 16)], [hash.slice(0, 12), hash.slice(13, 16)]);
    assert.equal(digits.slice(17), hash.slice(17, 32));
  }
});

test('the same data give the same bytes', async () => {
  const other = await serveHostileFeed();
  for (const format of ['atom', 'json'] as const) {
    const [one, two] = [await readFeed(site, 7, format), await readFeed(other, 7, format)];
    assert.equal(two.body.replaceAll(other.url, site.url), one.body);
  }
});

test('a plugin without data has its events, and one without anything an empty feed', async () => {
  assert.deepEqual(
    (await itemsOf(9)).map(({ title, date_published }) => [title, Date.parse(date_published)]),
    [['First', start]],
  );
  assert.deepEqual(await itemsOf(8), []);
  assert.equal((await site.get('/plugin/s/x/99/feed.atom')).status, 404);
  assert.equal((await site.get('/plugin/s/x/y/feed.json')).status, 400);
});

test('the page of a plugin names both feeds, below a path too', async () => {
  const base = '/metrics';
  const publicUrl = `https://stats.example.org${base}`;
  const below = await serveHostileFeed(publicUrl);
  const { headers } = await below.get('/plugin/7');
  const page = await below.get(headers.get('location') ?? '');
  const links = [...page.body.matchAll(/<link rel="alternate" type="([^"]+)" href="([^"]+)">/g)];
  for (const [index, format] of (['atom', 'json'] as const).entries()) {
    const [, type = '', href = ''] = links[index] ?? [];
    const feed = await below.get(href);
    assert.equal(feed.headers.get('content-type'), `${type}; charset=utf-8`);
    assert.ok(
      href.startsWith(`${base}/plugin/s/`) && feed.body.includes(`https://stats.example.org${href}"`),
    );
    assert.equal((await readFeed(below, 7, format, base)).body, feed.body);
  }
  const feed = JSON.parse((await readFeed(below, 7, 'json', base)).body);
  assert.deepEqual([feed.title, feed.authors], [name, [{ name: owner }]]);
  const own = `${publicUrl}${(headers.get('location') ?? '').slice(base.length)}`;
  assert.equal(feed.home_page_url, own);
  const items: readonly Item[] = feed.items;
  const week = items.find(({ title }) => title === 'Week of 1 Jun 2026');
  assert.equal(week?.url, `${own}?from=2026-06-01&to=2026-06-08`);
});
