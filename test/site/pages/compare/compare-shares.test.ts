// Charts of shares, compared side by side.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeStore } from '../../../http/support/test-server.ts';
import { endedApart } from '../../../support/records.ts';
import { checkHtml } from '../support/html-check.ts';
import { serveSite } from '../support/site-client.ts';

const site = await serveSite();
const versions = 'charts=1337:minecraftVersion,2048:minecraftVersion';

describe('a comparison of charts of shares', () => {
  test('is redirected to the view that they have: ladders for versions', async () => {
    for (const [asked, address] of [
      [`${versions}&range=7d`, `${versions}&range=7d&view=ladder`],
      ['charts=1337:os,2048:os', 'charts=1337:os,2048:os&view=now'],
      // Lines have no view.
      ['charts=1337:players&view=history&range=7d', 'charts=1337:players&range=7d'],
    ] as const) {
      const { status, headers } = await site.get(`/compare?${asked}`);
      assert.deepEqual([status, headers.get('location')], [302, `/compare?${address}`], asked);
    }
    assert.equal((await site.get('/compare?view=ladder')).status, 200);
  });

  test('has a card for each plugin, named by it, with its picture', async () => {
    const { status, body } = await site.get(`/compare?${versions}&view=ladder`);
    assert.equal(status, 200);
    assert.match(body, /<p class="kicker">Minecraft Version<\/p>\n<h1><bdi>ExamplePlugin and HarborHomes</);
    const tags = checkHtml(body, site.url);
    const charts = tags.filter(({ name, isEnd }) => name === 'plugin-chart' && !isEnd);
    assert.deepEqual(
      charts.map(({ attributes }) =>
        ['plugin', 'chart', 'view', 'title'].map((name) => attributes.get(name)),
      ),
      [
        ['1337', 'minecraftVersion', 'ladder', 'ExamplePlugin'],
        ['2048', 'minecraftVersion', 'ladder', 'HarborHomes'],
      ],
    );
    const ids = tags.flatMap(({ attributes }) => attributes.get('id') ?? []);
    assert.equal(new Set(ids).size, ids.length);
    for (const { attributes } of tags.filter(({ name }) => name === 'img')) {
      const picture = await site.get(attributes.get('src') ?? '');
      assert.equal(picture.status, 200);
      assert.match(picture.body, /<desc[^>]*>[^<]*26\.2 or newer/);
    }
  });

  test('keeps its state in the links, and offers the same chart of other plugins', async () => {
    const state = `${versions}&range=7d&view=history&unit=count&hide=minecraftVersion:26.2`;
    const { body } = await site.get(`/compare?${state}&add=lantern`);
    const links = checkHtml(body, site.url).flatMap(({ attributes }) => attributes.get('href') ?? []);
    for (const wanted of [
      state.replace('history', 'ladder'),
      state.replace(',2048:minecraftVersion', ''),
      state.replace('&range', ',2102:minecraftVersion&range'),
    ])
      assert.ok(links.includes(`/compare?${wanted}`), wanted);
    for (const link of links.filter((one) => one.startsWith('/compare?')))
      assert.notEqual((await site.get(link)).status, 400, link);
  });

  test('has one window, also for a plugin that ended earlier', async () => {
    const { get } = await serveSite(await makeStore(endedApart(Date.UTC(2026, 5, 30))));
    for (const [asked, windows] of [
      [
        'range=7d',
        [
          ['7d', undefined],
          [undefined, '2026-06-23'],
        ],
      ],
      [
        'from=2026-01-01&to=2026-02-01',
        [
          [undefined, '2026-01-01'],
          [undefined, '2026-01-01'],
        ],
      ],
    ] as const) {
      const { body } = await get(`/compare?charts=7:os,8:os&view=history&${asked}`);
      const charts = [...body.matchAll(/<plugin-chart[^>]*>/g)].map(([tag]) => tag);
      const value = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)`).exec(tag)?.[1];
      assert.deepEqual(
        charts.map((tag) => [value(tag, 'range'), value(tag, 'from')]),
        windows,
      );
    }
  });

  test('leaves out a chart that does not exist, and says so', async () => {
    const { status, body } = await site.get(`/compare?${versions},99:minecraftVersion&view=now`);
    assert.equal(status, 200);
    assert.match(body, /Charts that do not exist are left out: 99:minecraftVersion\./);
    assert.equal([...body.matchAll(/<plugin-chart/g)].length, 2);
  });

  test('is what the card of a chart of shares leads to', async () => {
    const { body } = await site.get('/plugin/bukkit/ExamplePlugin/1337');
    assert.match(body, /id="os".*?<a href="\/compare\?charts&#61;1337:os" data-compare>/s);
  });
});
