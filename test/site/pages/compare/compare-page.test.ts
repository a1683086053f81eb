// Comparisons over real HTTP and a real store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chartsOf } from '../../../http/support/sample.ts';
import { checkHtml } from '../support/html-check.ts';
import { serveSite } from '../support/site-client.ts';

const site = await serveSite();
const exact = new Intl.NumberFormat('en-US');

function latestOf(pluginId: number, chartId: string): number {
  const chart = chartsOf(pluginId).find((each) => each.chartId === chartId);
  return chart?.points.at(-1)?.[1] ?? assert.fail();
}

/** The decoded addresses of the links of a page. */
async function linksOf(path: string): Promise<readonly string[]> {
  const { status, body } = await site.get(path);
  assert.equal(status, 200, path);
  return checkHtml(body, site.url).flatMap(({ attributes }) => attributes.get('href') ?? []);
}

describe('a comparison', () => {
  test('shows every line with its latest value, in the picture and in the table', async () => {
    const { body } = await site.get('/compare?charts=1337:players,2048:players');
    for (const [id, name] of [
      [1337, 'ExamplePlugin'],
      [2048, 'HarborHomes'],
    ] as const) {
      const latest = exact.format(latestOf(id, 'players'));
      assert.match(body, new RegExp(`<bdi>${name}</bdi>.*?<td>${latest}</td>`));
      assert.match(body, new RegExp(`<desc id="wide-desc">[^<]*${name} ${latest}`));
    }
    assert.doesNotMatch(body, /<style/);
  });

  test('adds lines up', async () => {
    const { body } = await site.get('/compare?charts=2048:players,2049:players&mode=sum&range=7d');
    const sum = latestOf(2048, 'players') + latestOf(2049, 'players');
    assert.match(body, new RegExp(`<desc id="wide-desc">[^<]*Sum ${exact.format(sum)} on 30 Jun 2026`));
    assert.ok(body.includes(`<th scope="row">Sum</th><td>${exact.format(sum)}</td>`));
  });

  test('keeps its state in its address, and links to every neighbouring state', async () => {
    const path = '/compare?charts=1337:players,2048:players&mode=indexed&range=7d';
    const links = await linksOf(path);
    for (const link of [
      '/compare?charts=1337:players,2048:players&range=7d',
      '/compare?charts=1337:players,2048:players&mode=sum&range=7d',
      '/compare?charts=1337:players,2048:players&mode=indexed&range=1y',
      '/compare?charts=1337:players,2048:players&mode=indexed',
      '/compare?charts=2048:players&mode=indexed&range=7d',
      '/compare?charts=1337:players&mode=indexed&range=7d',
    ])
      assert.ok(links.includes(link), link);
  });

  test('adds a search result', async () => {
    const added = await linksOf('/compare?charts=1337:players&range=7d&add=harborhomes');
    assert.ok(added.includes('/compare?charts=1337:players,2048:players&range=7d'));
    assert.ok(added.includes('/compare?charts=1337:players,2048:servers&range=7d'));
    assert.ok((await linksOf('/compare?add=exampleplugin')).includes('/compare?charts=1337:servers'));
    const tooMany = Array.from(
      { length: 10 },
      (_, index) => `${[1, 2, 3, 5, 12, 1337, 2048, 2049, 2050, 2101][index]}:players`,
    );
    assert.doesNotMatch((await site.get(`/compare?charts=${tooMany}&add=a`)).body, /name="add"/);
  });

  test('of unknown charts is 404, and of charts that cannot be compared 400, as pages that say so', async () => {
    for (const [query, status, words] of [
      ['charts=99999:players', 404, /no plugin with the id 99999/],
      ['charts=1337:none', 404, /no chart/],
      ['charts=1337:serverSoftware', 400, /line charts/],
      ['charts=1337:players,1337:players', 400, /each once/],
      ['charts=1337', 400, /1337:players,42:players/],
      ['charts=,', 400, /line charts/],
      ['charts=01337:players', 400, /line charts/],
      ['charts=1337:players&charts=42:players', 400, /more than once/],
      [`charts=${Array.from({ length: 11 }, (_, index) => `${index + 1}:players`)}`, 400, /up to 10/],
      [`charts=${'1'.repeat(3000)}`, 400, /1200/],
      ['mode=log', 400, /absolute, indexed or sum/],
      ['range=2d', 400, /1d, 7d/],
    ] as const) {
      const page = await site.get(`/compare?${query}`);
      assert.equal(page.status, status, query);
      assert.match(page.body, words, query);
      assert.match(page.body, /^<!doctype html>/);
    }
  });

  test('is linked from every line chart', async () => {
    const links = await linksOf('/plugin/bukkit/ExamplePlugin/1337?range=7d');
    const lines = chartsOf(1337).filter(({ type }) => type === 'single_linechart');
    for (const { chartId } of lines)
      assert.ok(links.includes(`/compare?charts=1337:${chartId}&range=7d`), chartId);
  });
});
