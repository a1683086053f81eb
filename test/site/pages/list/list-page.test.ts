// The lists of plugins over real HTTP and a real store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { samplePlugins } from '../../../http/support/sample.ts';
import { makeStore } from '../../../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../../support/records.ts';
import { checkHtml } from '../support/html-check.ts';
import { serveSite } from '../support/site-client.ts';

const site = await serveSite();

/** The ids of the plugins of a list, in the order of its rows. */
async function idsOf(path: string): Promise<number[]> {
  const { status, body } = await site.get(path);
  assert.equal(status, 200, path);
  return [...body.matchAll(/<th scope="row"><a href="\/plugin\/[^"/]+\/[^"/]+\/(\d+)"/g)].map(([, id]) =>
    Number(id),
  );
}

describe('the list of plugins', () => {
  test('can be limited to an owner, and has no plugin that counts all servers', async () => {
    for (const { owner } of samplePlugins) {
      const expected = samplePlugins.filter((plugin) => plugin.owner.id === owner.id && !plugin.isGlobal);
      assert.deepEqual(
        (await idsOf(`/owner/${owner.id}`)).sort((a, b) => a - b),
        expected.map(({ id }) => id),
      );
    }
    assert.equal((await idsOf('/')).length, samplePlugins.filter(({ isGlobal }) => !isGlobal).length);
  });

  test('of an owner leads to the plugins that count all servers, too', async () => {
    const globals = samplePlugins.filter(({ isGlobal }) => isGlobal);
    const [first] = globals;
    const { body } = await site.get(`/owner/${first?.owner.id}`);
    for (const { id } of globals)
      assert.match(body, new RegExp(`<a href="/plugin/[^"]+/${id}">All servers on <bdi>`), `plugin ${id}`);
    assert.doesNotMatch((await site.get('/owner/42')).body, /All servers on/);
  });

  test('begins with the four platforms that have the most servers, each with its days', async () => {
    const { body } = await site.get('/');
    const cards = [
      ...body.matchAll(/<a href="([^"]*)" class="card figure">.*?class="now">([^<]*).*?<\/a>/gs),
    ];
    const figures = cards.map(([, href, count = '']) => [href, Number(count.replaceAll(',', ''))] as const);
    assert.deepEqual(
      figures,
      figures.toSorted(([, a], [, b]) => b - a),
    );
    assert.equal(figures.length, 4);
    for (const [card] of cards) assert.match(card, /class="spark".*servers · <b>[\d,]+<\/b> players/s);
    for (const [href = ''] of figures) assert.equal((await site.get(href)).status, 200, href);
  });

  test('has ranks where numbers are sorted from the largest on', async () => {
    const ranks = async (path: string) =>
      [...(await site.get(path)).body.matchAll(/<td class="rank">([^<]*)/g)].map(([, rank]) => rank);
    const all = (await idsOf('/')).map((_, index) => String(index + 1));
    for (const path of ['/', '/?sort=players', '/?sort=28d']) assert.deepEqual(await ranks(path), all, path);
    for (const path of ['/?sort=name', '/?dir=asc', '/?q=e'])
      assert.deepEqual(new Set(await ranks(path)), new Set(['']), path);
  });

  test('says why it is empty, and leads out', async () => {
    const others = [softwareRecord(), softwareRecord({ id: 2, url: 't' }), pluginRecord(1, 'P')];
    const empty = await serveSite(await makeStore(others));
    for (const [path, found] of [
      ['/software/t', 'There are no plugins here yet. <a href="/">All plugins</a>'],
      ['/software/t?q=P', 'No plugins match “P”. <a href="/?q&#61;P">Search all plugins</a>'],
      ['/owner/1?q=xyz', 'No plugins match “xyz”. <a href="/?q&#61;xyz">Search all plugins</a>'],
      ['/?q=xyz', 'No plugins match “xyz”. <a href="/">All plugins</a>'],
    ] as const) {
      const { status, body } = await empty.get(path);
      assert.equal(status, 200);
      assert.ok(body.includes(`<p class="found" role="status">${found}</p>`), path);
    }
  });

  test('says what a search found, and that names are only near', async () => {
    for (const [path, said] of [
      ['/?q=harbor', '3 plugins'],
      ['/?q=harborgates', 'Nothing matches “harborgates”, but 1 similar name'],
      ['/?q=nothing-like-it', 'No plugins match “nothing-like-it”. <a href="/">All plugins</a>'],
    ] as const)
      assert.ok((await site.get(path)).body.includes(`<p class="found" role="status">${said}</p>`), path);
  });

  test('shows the last days of each plugin, and can be sorted by both changes', async () => {
    const cells =
      /<td class="trend">(?:<svg.*?<\/svg>)?<\/td><td class="number">(.*?)<\/td><td class="number">(.*?)<\/td>/g;
    const changes = async (path: string) =>
      [...(await site.get(path)).body.matchAll(cells)].map(([, week = '', month = '']) =>
        (path.includes('28d') ? month : week).replace(/<[^>]*>|[▲▼ ]/g, ''),
      );
    const shares = (texts: readonly string[]) =>
      texts.flatMap((text) => (text === '–' ? [] : Number(text.replace('−', '-').replace(/[±%]/g, ''))));
    for (const [query, sign] of [
      ['7d&dir=desc', -1],
      ['7d&dir=asc', 1],
      ['28d&dir=desc', -1],
      ['28d&dir=asc', 1],
      ['change', -1],
    ] as const) {
      const texts = await changes(`/?sort=${query}`);
      assert.equal(texts.length, (await idsOf('/')).length);
      assert.deepEqual(
        shares(texts),
        shares(texts).toSorted((a, b) => sign * (a - b)),
      );
      assert.equal(texts.at(-1), '–');
    }
    assert.ok(shares(await changes('/')).some((share) => share < 0));
  });

  test('says since when a plugin has no numbers', async () => {
    const [ended, newest] = [Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 30)];
    const store = await makeStore([
      softwareRecord(),
      ...[ended, newest].flatMap((time, index) => serversOf(index + 1, [[time, -2]])),
    ]);
    const { body } = await (await serveSite(store)).get('/');
    assert.match(
      body,
      /<b>−2<\/b><\/td><td class="number">–<\/td><td class="number" colspan="3"><small>until <time [^>]*>1 Jun 2026<\/time><\/small>/,
    );
    assert.match(body, /<td class="trend"><\/td><td class="number">–<\/td><td class="number">–<\/td>/);
  });

  test('has the time of the newest number of its plugins, which the script may mark', async () => {
    const [newest, older] = [Date.UTC(2026, 5, 24, 12), Date.UTC(2026, 5, 24, 9)];
    const { get } = await serveSite(await makeStore(stoppedPlugins([newest, older])));
    const text = (time: number, clock: string) =>
      ` · <span data-age><time datetime="${new Date(time).toISOString()}">24 Jun 2026, ${clock} UTC</time></span>`;
    const [first, second] = [text(newest, '12:00'), text(older, '09:00')];
    for (const [path, said] of [
      ['/', `3 plugins on 3 platforms${first}`],
      ['/owner/1', `1 plugin${first}`],
      ['/software/s1', `1 plugin${first}`],
      ['/software/s2', `1 plugin${second}`],
      ['/owner/2', `1 plugin${second}`],
      ['/owner/3', '1 plugin'],
    ] as const)
      assert.ok((await get(path)).body.includes(`<p class="by">${said}</p>`), path);
  });

  test('has a chart of all servers of a software, and of the sum of the plugins of an owner', async () => {
    for (const [path, charts, mode] of [
      ['/software/bukkit', '1:servers,1:players', undefined],
      ['/owner/77', '2048:servers,2049:servers,2050:servers', 'sum'],
      ['/software/sponge', '3:servers,3:players', undefined],
      ['/owner/9', undefined, undefined],
    ] as const) {
      const tags = checkHtml((await site.get(path)).body, site.url);
      const found = (tag: string) => tags.find(({ name }) => name === tag)?.attributes;
      assert.deepEqual(
        [found('plugin-chart')?.get('charts'), found('plugin-chart')?.get('mode')],
        [charts, mode],
        path,
      );
      const source = found('img')?.get('src');
      assert.equal(source?.split('?')[0], charts && '/embed/lines.svg', path);
      if (source === undefined) continue;
      const { status, headers } = await site.get(source);
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
    }
  });

  test('of a software leads to the page of all of its servers', async () => {
    const { body } = await site.get('/software/bukkit');
    assert.match(body, /<a href="\/plugin\/bukkit\/_bukkit_\/1">All servers on <bdi>Bukkit/);
    const global = await site.get('/plugin/bukkit/_bukkit_/1');
    assert.match(global.body, /<h1><bdi>All servers on Bukkit \/ Spigot<\/bdi><\/h1>/);
    assert.match(global.body, /<a href="\/software\/bukkit">plugins for <bdi>Bukkit/);
  });

  test('leads from a page beyond the last to the last, with the same search', async () => {
    for (const [path, target] of [
      ['/?page=99', '/'],
      ['/?q=example&sort=name&dir=desc&page=2', '/?q=example&sort=name&dir=desc'],
      ['/?q=nothing+has+this+name&page=7', '/?q=nothing+has+this+name'],
      ['/software/bukkit?page=999999999', '/software/bukkit'],
    ] as const) {
      const { status, headers } = await site.get(path);
      assert.deepEqual([status, headers.get('location')], [302, target]);
    }
  });

  test('treats blank values, as forms send them, as missing', async () => {
    assert.deepEqual(await idsOf('/?q=&software=&sort=&page='), await idsOf('/'));
  });

  test('answers 400 for values out of bounds and 404 for unknown software or owners, as pages', async () => {
    for (const [path, status] of [
      ['/?sort=owner', 400],
      ['/?dir=up', 400],
      ['/?page=0', 400],
      ['/?page=1e3', 400],
      ['/?q=a&q=b', 400],
      [`/?q=${'a'.repeat(201)}`, 400],
      ['/owner/x', 400],
      ['/owner/99999', 404],
      ['/software/none', 404],
      [`/?software=${'a'.repeat(201)}`, 400],
    ] as const) {
      const page = await site.get(path);
      assert.equal(page.status, status, path);
      assert.match(page.body, /^<!doctype html>/);
    }
  });
});

/** The records of a plugin with servers. */
function serversOf(pluginId: number, data: unknown, fields: object = {}): readonly object[] {
  return [
    pluginRecord(pluginId, `P${pluginId}`, { ...fields }),
    chartRecord('servers', pluginId, { pluginId, isDefault: true }),
    dataRecord('servers', data, { pluginId }),
  ];
}

/** Software, each with a plugin: two that have servers, the newest at these times, and a third with none. */
function stoppedPlugins(times: readonly number[]): readonly object[] {
  return [1, 2, 3].flatMap((id) => {
    const time = times[id - 1];
    const data = time === undefined ? [] : [[time, 7]];
    const fields = { owner: { id, name: `O${id}` }, softwareId: id };
    return [softwareRecord({ id, url: `s${id}` }), ...serversOf(id, data, fields)];
  });
}
