// Long lists and plugins with many charts: order, paging, sums over platforms, and transfer sizes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { importRecords, makeDirectory } from '../../http/support/test-server.ts';
import { checkHtml } from './support/html-check.ts';
import { serveSite } from './support/site-client.ts';

const pluginCount = 120;
const chartCount = 500;
const store = join(makeDirectory(), 'sizes.db');
const serversOf = (id: number) => (id * 37) % 101;

await importRecords(store, [
  ...[1, 2].map((id) => ({
    record: 'software',
    id,
    name: `Software ${id}`,
    url: `s${id}`,
    globalPluginId: null,
  })),
  ...Array.from({ length: pluginCount }, (_, index) => index + 1).flatMap((id) => [
    plugin(id, `Plugin ${String(id).padStart(3, '0')}`, 1),
    chart(id, 'servers', 0),
    { record: 'data', pluginId: id, chartId: 'servers', data: [[0, serversOf(id)]] },
  ]),
  plugin(1000, 'Both', 1),
  chart(1000, 'players', 0),
  plugin(1001, 'BOTH', 2),
  chart(1001, 'players', 0),
  plugin(1002, 'Both', 2, 9),
  chart(1002, 'players', 0),
  plugin(2000, 'Many charts', 1),
  ...Array.from({ length: chartCount }, (_, index) => [
    chart(2000, `chart_${index}`, index),
    { record: 'data', pluginId: 2000, chartId: `chart_${index}`, data: [[Date.UTC(2026, 5, 30), index]] },
  ]).flat(),
]);
const site = await serveSite(store);

function plugin(id: number, name: string, softwareId: number, ownerId = 1) {
  return {
    record: 'plugin',
    id,
    name,
    owner: { id: ownerId, name: `Owner ${ownerId}` },
    softwareId,
    isGlobal: false,
  };
}

function chart(pluginId: number, chartId: string, position: number) {
  const about = { uid: pluginId * 1000 + position, type: 'single_linechart', position, title: chartId };
  return { record: 'chart', pluginId, chartId, ...about, isDefault: false, data: {} };
}

async function rowsOf(path: string) {
  const { body } = await site.get(path);
  return [...body.matchAll(/<tr><th scope="row">.*?\/(\d+)".*?<td class="number">([^<]*)<\/td>/g)].map(
    ([, id, servers]) => ({ id: Number(id), servers }),
  );
}

describe('a long list', () => {
  test('is in the requested order, with plugins without a value last', async () => {
    const down = await rowsOf('/?sort=servers');
    const up = await rowsOf('/?sort=servers&dir=asc&page=1');
    const values = down.map(({ servers }) => Number(servers));
    assert.deepEqual(
      values,
      values.toSorted((a, b) => b - a),
    );
    assert.equal(up[0]?.servers, '0');
    assert.deepEqual((await rowsOf('/?sort=servers&dir=asc&page=3')).at(-1)?.servers, '–');
    assert.deepEqual((await rowsOf('/?sort=name&dir=desc&q=plugin')).at(0)?.id, pluginCount);
  });
});

describe('the page of a plugin', () => {
  test('links to the sum over all software for which its owner has it', async () => {
    const { body } = await site.get('/plugin/s1/Both/1000');
    assert.ok(body.includes('/compare?charts&#61;1000:players,1001:players&#38;mode&#61;sum"'));
    assert.doesNotMatch((await site.get('/plugin/s2/Both/1002')).body, /mode&#61;sum/);
  });

  test('is named by that sum, which leads back to each of its pages', async () => {
    const { body } = await site.get('/compare?charts=1000:players,1001:players&mode=sum');
    assert.match(body, /<title>Both on all platforms: Players · /);
    assert.match(body, /<h1><bdi>Both<\/bdi><\/h1>/);
    assert.match(
      body,
      /Players<\/bdi>: <a href="\/plugin\/s1\/Both\/1000">.*<a href="\/plugin\/s2\/BOTH\/1001">/,
    );
    for (const other of ['1000:players,1002:players&mode=sum', '1000:players&mode=sum'])
      assert.match(
        (await site.get(`/compare?charts=${other}`)).body,
        /<p class="kicker">Comparison<\/p>/,
        other,
      );
  });

  test('with 500 charts is small, and loads only visible pictures', async () => {
    const { body, sentBytes } = await site.get('/plugin/s1/Many%20charts/2000');
    assert.ok(sentBytes < 60_000, `${sentBytes}`);
    const images = checkHtml(body, site.url).filter(({ name, isEnd }) => name === 'img' && !isEnd);
    assert.equal(images.length, chartCount);
    for (const { attributes } of images) {
      assert.equal(attributes.get('loading'), 'lazy');
      assert.match(`${attributes.get('width')}x${attributes.get('height')}`, /^\d+x\d+$/);
    }
  });
});
