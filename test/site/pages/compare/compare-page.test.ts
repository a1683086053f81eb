// Comparisons over real HTTP and a real store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { latestOf } from '../../../http/support/sample.ts';
import { makeStore } from '../../../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../../support/records.ts';
import { checkHtml } from '../support/html-check.ts';
import { serveSite } from '../support/site-client.ts';

const site = await serveSite();
const exact = new Intl.NumberFormat('en-US');

/** The decoded addresses of the links of a page. */
async function linksOf(path: string): Promise<readonly string[]> {
  const { status, body } = await site.get(path);
  assert.equal(status, 200, path);
  return checkHtml(body, site.url).flatMap(({ attributes }) => attributes.get('href') ?? []);
}

/** The picture of a comparison, as pages without script show it. */
async function pictureOf(path: string): Promise<string> {
  const { body } = await site.get(path);
  const images = checkHtml(body, site.url).flatMap(({ name, attributes }) =>
    name === 'img' ? (attributes.get('src') ?? []) : [],
  );
  return (await site.get(images[0] ?? assert.fail(path))).body;
}

describe('a comparison', () => {
  test('shows every line with its latest value, in the picture and in the table', async () => {
    const path = '/compare?charts=1337:players,2048:players';
    const picture = await pictureOf(path);
    const { body } = await site.get(path);
    for (const [id, name] of [
      [1337, 'ExamplePlugin'],
      [2048, 'HarborHomes'],
    ] as const) {
      const latest = exact.format(latestOf(id, 'players'));
      assert.match(body, new RegExp(`<bdi>${name}</bdi>.*?<td>${latest}</td>`));
      assert.match(picture, new RegExp(`<desc[^>]*>[^<]*${name} ${latest}`));
    }
  });

  test('counts a range back from the newest time of all lines, hidden ones too', async () => {
    const apart = await serveSite(
      await makeStore([
        softwareRecord(),
        pluginRecord(1, 'X'),
        ...['old', 'new'].flatMap((chartId, index) => [
          chartRecord(chartId, index + 1),
          dataRecord(
            chartId,
            Array.from({ length: 80 }, (_, day) => [Date.UTC(2026, 3 + index, 1 + day), day]),
          ),
        ]),
      ]),
    );
    const sourceOf = async (query: string) => {
      const { body } = await apart.get(`/compare?charts=1:old,1:new${query}`);
      const [image] = checkHtml(body, apart.url).filter(({ name }) => name === 'img');
      return image?.attributes.get('src')?.replace(/&width.*/, '');
    };
    assert.equal(await sourceOf(''), '/embed/lines.svg?charts=1:old,1:new');
    assert.equal(await sourceOf('&hide=1:old'), '/embed/lines.svg?charts=1:new');
    const month = 'from=2026-06-19&to=2026-07-19T00:00:00.001Z';
    assert.equal(await sourceOf('&hide=1:new'), `/embed/lines.svg?charts=1:old&${month}`);
  });

  test('is named after its plugins, and offers other scales where one line is far above another', async () => {
    const headingOf = async (charts: string, more = '') => {
      const { body } = await site.get(`/compare?charts=${charts}${more}`);
      const isOffered = !/data-scale hidden/.test(body);
      return [/<h1><bdi>(.*?)<\/bdi><\/h1>/.exec(body)?.[1], isOffered];
    };
    const [small, large] = ['1337:players,2048:players', '1:players,1337:players'];
    assert.deepEqual(await headingOf(small), ['ExamplePlugin and HarborHomes', false]);
    assert.ok(latestOf(1, 'players') > 20 * latestOf(1337, 'players'));
    assert.equal((await headingOf(large))[1], true);
    for (const change of ['&mode=indexed', '&mode=sum', '&axis=log', '&hide=1:players'])
      assert.equal((await headingOf(large, change))[1], false, change);
  });

  test('of unknown charts is 404, and of charts that cannot be compared 400, as pages that say so', async () => {
    for (const [query, status, words] of [
      ['charts=99999:players', 404, /no plugin with the id 99999/],
      ['charts=1337:none', 404, /no chart/],
      ['charts=1337:players,1337:serverSoftware', 400, /line charts/],
      ['charts=1337:serverSoftware,1337:players', 400, /charts of shares/],
      ['charts=1337:os&view=pie', 400, /now, history, lines or ladder/],
      ['mode=log', 400, /absolute, indexed or sum/],
      ['charts=1337:players&axis=square', 400, /linear or log/],
      ['charts=1337:players&hide=players', 400, /such as 1337:players/],
      ['charts=1337:players&from=2026-06-01', 400, /either range, or from and a later to/],
    ] as const) {
      const page = await site.get(`/compare?${query}`);
      assert.equal(page.status, status, query);
      assert.match(page.body, words, query);
      assert.match(page.body, /^<!doctype html>/);
    }
  });

  test('shows the window of its address, and every link keeps it', async () => {
    const path = '/compare?charts=1337:players,2048:players&from=2026-06-01&to=2026-06-08';
    assert.match(
      await pictureOf(path),
      /<desc[^>]*>Players, from 1 Jun 2026 until 8 Jun 2026: [^<]* on 7 Jun 2026</,
    );
    const links = await linksOf(path);
    for (const link of [
      '/compare?charts=1337:players,2048:players&mode=indexed&from=2026-06-01&to=2026-06-08',
      '/compare?charts=2048:players&from=2026-06-01&to=2026-06-08',
      '/compare?charts=1337:players,2048:players&range=1y',
      '/api/v2/series.csv?charts=1337:players,2048:players&from=2026-06-01&to=2026-06-08&bom=true',
      '/embed/lines.svg?charts=1337:players,2048:players&from=2026-06-01&to=2026-06-08',
      '/embed/lines.png?charts=1337:players,2048:players&from=2026-06-01&to=2026-06-08',
    ])
      assert.ok(links.includes(link), link);
    const plugin = await linksOf('/plugin/bukkit/ExamplePlugin/1337?from=2026-06-01&to=2026-06-08');
    assert.ok(plugin.includes('/compare?charts=1337:players&from=2026-06-01&to=2026-06-08'));
    assert.ok(plugin.includes('/embed/1337/players.png?from=2026-06-01&to=2026-06-08'));
  });

  test('hides lines, shows one alone, and leaves hidden ones out of a sum', async () => {
    const all = '/compare?charts=1337:players,2048:players,2049:players&mode=sum';
    assert.ok((await linksOf(all)).includes(`${all}&hide=2048:players`));
    assert.ok((await linksOf(all)).includes(`${all}&hide=1337:players,2048:players`), 'only the third');
    const { body } = await site.get(`${all}&hide=2048:players`);
    const sum = exact.format(latestOf(1337, 'players') + latestOf(2049, 'players'));
    assert.match(await pictureOf(`${all}&hide=2048:players`), new RegExp(`; ${sum} in total at the end`));
    assert.match(body, /aria-label="Show HarborHomes"/);
    const none = await site.get(`${all}&hide=1337:players,2048:players,2049:players`);
    assert.match(none.body, /All lines are hidden\./);
  });

  test('has a logarithmic axis, in its picture too, but not for a sum', async () => {
    const path = '/compare?charts=1337:players,2048:players';
    assert.ok((await linksOf(path)).includes(`${path}&axis=log`));
    assert.match(await pictureOf(`${path}&axis=log`), /logarithmic axis/);
    const links = await linksOf(`${path}&axis=log`);
    assert.ok(links.includes('/embed/lines.svg?charts=1337:players,2048:players&axis=log'));
    assert.ok(links.includes(`${path}&mode=sum`));
    // The axis with all values of an earlier release.
    assert.doesNotMatch(await pictureOf(`${path}&axis=whole`), /logarithmic axis/);
  });

  test('leaves out a chart that does not exist, and says so', async () => {
    const path = '/compare?charts=1337:players,1337:gone,99999:players';
    const { status, body } = await site.get(path);
    assert.equal(status, 200);
    assert.match(body, /Charts that do not exist are left out: 1337:gone, 99999:players\./);
    const latest = exact.format(latestOf(1337, 'players'));
    assert.match(await pictureOf(path), new RegExp(`<desc[^>]*>Players, [^<]*ExamplePlugin ${latest}`));
    const links = await linksOf('/compare?charts=1337:players,1337:gone');
    assert.ok(
      links.includes('/compare?charts=1337:players&mode=indexed'),
      'links are of the charts that exist',
    );
  });
});
