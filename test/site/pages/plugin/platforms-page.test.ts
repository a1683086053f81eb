// The page of one plugin on several platforms.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeStore } from '../../../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../../support/records.ts';
import { checkHtml } from '../support/html-check.ts';
import { serveSite } from '../support/site-client.ts';

const day = 86_400_000;
const newest = Date.UTC(2026, 5, 30, 23, 30);

/** Points of some days up to the newest: a value, and another in the last 7 days. */
function pointsOf(dayCount: number, [before, last]: readonly [number, number], end = newest) {
  return Array.from({ length: dayCount * 48 }, (_, index) => {
    const time = end - (dayCount * 48 - 1 - index) * (day / 48);
    return [time, time > end - 7 * day ? last : before];
  });
}

let uid = 0;
const line = (pluginId: number, chartId: string, points: unknown, fields = {}) => [
  chartRecord(chartId, ++uid, { pluginId, isDefault: true, title: `${chartId} of it`, ...fields }),
  dataRecord(chartId, points, { pluginId }),
];
const pie = (pluginId: number, chartId: string, shares: Readonly<Record<string, number>>, fields = {}) => [
  chartRecord(chartId, ++uid, { pluginId, isDefault: true, type: 'simple_pie', ...fields }),
  dataRecord(
    chartId,
    Object.entries(shares).map(([name, y]) => ({ name, y })),
    { pluginId },
  ),
];

const site = await serveSite(
  await makeStore([
    ...['Spigot', 'Velocity', 'Sponge'].map((name, index) =>
      softwareRecord({ id: index + 1, name, url: name.toLowerCase() }),
    ),
    pluginRecord(7, 'Both'),
    ...line(7, 'servers', pointsOf(60, [100, 150])),
    ...line(7, 'players', pointsOf(60, [10, 20])),
    ...pie(7, 'minecraftVersion', { '1.21.4': 30, '1.20.1': 10 }),
    ...pie(7, 'os', { Linux: 40 }),
    ...pie(7, 'alone', { here: 1 }, { isDefault: false }),
    pluginRecord(30, 'BOTH', { softwareId: 2 }),
    ...line(30, 'servers', pointsOf(60, [100, 50])),
    ...line(30, 'players', pointsOf(60, [1, 2])),
    ...pie(30, 'minecraftVersion', { '1.21.4': 10, '1.19.2': 50 }),
    ...pie(30, 'os', { Linux: 1 }, { type: 'advanced_pie' }),
    pluginRecord(31, 'Both', { softwareId: 3 }),
    ...line(31, 'servers', pointsOf(20, [999, 999], newest - 20 * day)),
    pluginRecord(40, 'Other', { owner: { id: 9, name: 'Another' } }),
    pluginRecord(41, 'Both', { softwareId: 2, owner: { id: 9, name: 'Another' } }),
    // The first platform has its charts of other types than the others.
    ...[50, 51, 52].flatMap((id, index) => [
      pluginRecord(id, id === 51 ? 'Caf\u00e9' : 'Cafe\u0301', { softwareId: index + 1 }),
      ...pie(id, 'servers', { a: 1 }, id === 50 ? {} : { type: 'advanced_pie' }),
      ...pie(id, 'game', { '1.20.1': 30, '1.21.4': 20 }, id === 50 ? { type: 'advanced_pie' } : {}),
    ]),
    ...Array.from({ length: 10 }, (_, index) => pluginRecord(100 + index, `P${index}`)),
  ]),
);

const place = '/plugin/spigot/Both/7+30';

describe('the page of a plugin on several platforms', () => {
  test('is where the page of each platform leads to, and no other', async () => {
    for (const [path, others] of [
      ['/plugin/spigot/Both/7', '<bdi>Velocity</bdi>, <bdi>Sponge</bdi>'],
      ['/plugin/velocity/BOTH/30', '<bdi>Spigot</bdi>, <bdi>Sponge</bdi>'],
    ] as const) {
      const { body } = await site.get(path);
      assert.ok(body.includes(`also for ${others}: <a href="/plugin/spigot/Both/7+30+31">`), path);
    }
    assert.doesNotMatch((await site.get('/plugin/velocity/Both/41')).body, /all platforms/);
  });

  test('begins with the sum, and has each platform with its numbers', async () => {
    const { status, body, headers } = await site.get(place);
    assert.equal(status, 200);
    assert.ok(headers.get('etag'));
    checkHtml(body, site.url);
    assert.match(body, /<title>Both for Spigot and Velocity · /);
    // 150 + 50 after 100 + 100: the sum has not changed.
    assert.match(body, /Servers on all platforms.*?class="now">200<.*?±0%<\/b> 7 d/s);
    assert.match(body, /Players on all platforms.*?class="now">22</s);
    for (const [path, name, servers, players, change] of [
      ['/plugin/spigot/Both/7', 'Spigot', 150, 20, '\\+50%'],
      ['/plugin/velocity/BOTH/30', 'Velocity', 50, 2, '−50%'],
    ])
      assert.match(
        body,
        new RegExp(
          `<a href="${path}"><bdi>${name}</bdi></a>.*?<b>${servers}</b>.*?>${players}<.*?${change}`,
          's',
        ),
      );
  });

  test('has the sums of the charts of one id and type alone, each with its picture', async () => {
    const { body } = await site.get(`${place}?view=history&range=7d`);
    const ids = [...body.matchAll(/<article class="chart (\w+)" id="([^"]+)"/g)].map(([, kind, id]) => [
      id,
      kind,
    ]);
    assert.deepEqual(ids, [
      ['servers', 'line'],
      ['players', 'line'],
      ['minecraftVersion', 'shares'],
    ]);
    assert.match(body, /<plugin-chart charts="7:players,30:players" mode="sum" range="7d" view="history"/);
    assert.match(body, /charts="7:minecraftVersion,30:minecraftVersion" mode="sum"/);
    assert.match(await pictureIn(body, 'players'), /Players, .*: Spigot .*Velocity/);
    assert.equal([...body.matchAll(/<img src=/g)].length, 3);
    for (const [, link = ''] of body.matchAll(/ href="(\/(?:api|embed|compare)[^"]+)"/g)) {
      const { status, headers } = await site.get(textOf(link));
      // A comparison of shares chooses its view.
      const place = status === 302 ? String(headers.get('location')) : textOf(link);
      assert.equal((await site.get(place)).status, 200, link);
    }
  });

  test('has the charts of the type that most platforms have, and names are the same if they fold to one', async () => {
    const path = `/plugin/spigot/${encodeURIComponent('Cafe\u0301')}/50`;
    const { body: one } = await site.get(path);
    assert.ok(one.includes(`<a href="${path}+51+52">all platforms</a>`));
    const { body } = await site.get(`${path}+51+52`);
    assert.match(body, /<h1><bdi>Cafe\u0301<\/bdi>/);
    assert.match(body, /<title>Cafe\u0301 for Spigot, Velocity and Sponge /);
    const charts = [...body.matchAll(/<plugin-chart charts="([^"]+)"/g)].map(([, names]) => names);
    assert.deepEqual(charts, ['51:game,52:game', '51:servers,52:servers']);
    assert.match(
      body,
      /What may I drop\?[\s\S]*?<th scope="row">1\.21</,
      'the ladder of a chart with any id',
    );
  });

  test('has one ladder of the versions of all platforms', async () => {
    const { body } = await site.get(`${place}?atLeast=1.20`);
    const rows = [...body.matchAll(/<tr[^>]*><th scope="row">(1\.\d+)<.*?<b>([^<]+)<\/b><\/td><td>(\d+)</g)];
    assert.deepEqual(
      rows.map(([, ...cells]) => cells),
      [
        ['1.21', '40%', '40'],
        ['1.20', '50%', '10'],
        ['1.19', '100%', '50'],
      ],
    );
    assert.match(body, /<b>50 servers \(50%\)<\/b> are left behind/);
  });

  test('leaves a platform that ended long before out of the sum', async () => {
    const { body } = await site.get('/plugin/spigot/Both/7+30+31');
    assert.match(body, /Servers on all platforms.*?class="now">200</s);
    assert.match(body, /<bdi>Sponge<\/bdi>.*?<b>999<\/b>.*?until <time [^>]*>10 Jun 2026/s);
  });

  test('of plugins without a common chart leads to their own pages', async () => {
    const { status, body } = await site.get('/plugin/spigot/Other/40+41');
    assert.equal(status, 200);
    assert.match(body, /<h1><bdi>Other and Both<\/bdi><\/h1>/);
    assert.doesNotMatch(body, /<plugin-chart|class="toolbar"/);
    assert.match(body, /Charts that one platform has alone.*<a href="\/plugin\/velocity\/Both\/41">/);
  });

  test('is redirected to with other names, in another order, with an id twice', async () => {
    for (const path of [
      '/plugin/spigot/Both/30+7',
      '/plugin/spigot/Both/7+30+7',
      '/plugin/spigot/Both/07+30',
      '/plugin/velocity/BOTH/7+30',
      '/plugin/7+30',
      '/plugin/30%2B7',
    ]) {
      const { status, headers } = await site.get(`${path}?range=7d`);
      assert.deepEqual([status, headers.get('location')], [308, `${place}?range=7d`], path);
    }
    assert.equal((await site.get('/plugin/spigot/Both/7%2B30')).status, 200);
    const alone = await site.get('/plugin/spigot/Both/7+7');
    assert.deepEqual([alone.status, alone.headers.get('location')], [308, '/plugin/spigot/Both/7']);
  });

  test('says which id is wrong', async () => {
    const many = Array.from({ length: 11 }, (_, index) => 100 + index).join('+');
    for (const [ids, status, said] of [
      ['7+8', 404, '8'],
      ['7+x', 400, 'the plugin id must be decimal digits, at most 9007199254740991; got "x"'],
      ['7+', 400, 'the plugin id must be decimal digits, at most 9007199254740991; got ""'],
      [many, 400, 'a page has up to 10 plugins; got 11 plugin ids'],
    ] as const) {
      const received = await site.get(`/plugin/spigot/Both/${ids}`, { Accept: 'application/json' });
      assert.equal(received.status, status, ids);
      assert.ok(JSON.parse(received.body).detail.includes(said), received.body);
    }
    const ten = many.split('+').slice(0, 10).join('+');
    assert.equal((await site.get(`/plugin/spigot/P0/${ten}`)).status, 200);
  });
});

const textOf = (attribute: string) => attribute.replaceAll('&#38;', '&').replaceAll('&#61;', '=');

/** The description of the picture of a chart. */
async function pictureIn(body: string, chartId: string): Promise<string> {
  const [, article = ''] = body.split(`id="${chartId}"`);
  const [, path = ''] = /<img src="([^"]+)"/.exec(article) ?? [];
  const { status, body: svg } = await site.get(textOf(path));
  assert.equal(status, 200, path);
  return /<desc[^>]*>([^<]*)/.exec(svg)?.[1] ?? '';
}
