// The page of a plugin over real HTTP and a real store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pluginPath } from '../../../../src/site/address/paths.ts';
import {
  chartsOf,
  museumId,
  sampleChart,
  samplePlugins,
  sampleSoftware,
} from '../../../http/support/sample.ts';
import { makeStore } from '../../../http/support/test-server.ts';
import { readSvg } from '../../../support/read-svg.ts';
import {
  chartRecord,
  dataRecord,
  historyRecord,
  pluginRecord,
  softwareRecord,
} from '../../../support/records.ts';
import { checkHtml } from '../support/html-check.ts';
import { serveSite } from '../support/site-client.ts';

const site = await serveSite();
const publicSite = await serveSite(undefined, { publicUrl: 'https://metrics.example.org' });

function pathOf(plugin: (typeof samplePlugins)[number]): string {
  const software = sampleSoftware.find(({ id }) => id === plugin.softwareId);
  return pluginPath({ ...plugin, software: { url: software?.url ?? '' } });
}

describe('the address of a plugin', () => {
  test('the id alone, a wrong name and a wrong software redirect to it, with the query', async () => {
    for (const path of ['/plugin/1337', '/plugin/bukkit/Other/1337', '/plugin/fabric/ExamplePlugin/1337/']) {
      const { status, headers } = await site.get(`${path}?range=7d&a=%C3%A9`);
      assert.equal(status, 308);
      assert.equal(headers.get('location'), '/plugin/bukkit/ExamplePlugin/1337?range=7d');
    }
  });

  test('an unknown plugin is 404, a malformed id and a malformed range are 400, as pages', async () => {
    for (const [path, status] of [
      ['/plugin/bukkit/ExamplePlugin/88888', 404],
      ['/plugin/99999', 404],
      ['/plugin/bukkit/ExamplePlugin/x', 400],
      ['/plugin/bukkit/ExamplePlugin/1337?range=2d', 400],
      ['/plugin/bukkit/ExamplePlugin/1337?from=2026-02-30&to=2026-06-02', 400],
      ['/plugin/bukkit/ExamplePlugin/1337?view=past', 400],
      ['/plugin/bukkit/ExamplePlugin/1337?unit=kg', 400],
    ] as const) {
      const page = await site.get(path);
      assert.equal(page.status, status, path);
      assert.match(page.body, /^<!doctype html>/);
    }
  });

  test('the fields of the form have dates that the window lies between, also of one within a day', async () => {
    for (const [query, from, to] of [
      ['?from=2026-06-10&to=2026-06-12', '2026-06-10', '2026-06-12'],
      ['?from=2026-06-10T10:00Z&to=2026-06-10T11:00Z', '2026-06-10', '2026-06-11'],
      ['?from=2026-06-10&to=9999-12-31T12:00Z', '2026-06-10', '9999-12-31'],
      ['?range=7d', '', ''],
    ] as const) {
      const { body } = await site.get(`/plugin/bukkit/ExamplePlugin/1337${query}`);
      const values = ['from', 'to'].map(
        (name) => new RegExp(`<input type="date" name="${name}" [^>]*value="([^"]*)"`).exec(body)?.[1],
      );
      assert.deepEqual(values, [from, to], query);
    }
  });
});

describe('the page of a plugin', () => {
  test('offers no range that has everything, but the one that is shown', async () => {
    const dayMs = 24 * 60 * 60 * 1000;
    const months = await serveSite(
      await makeStore([
        softwareRecord(),
        pluginRecord(1, 'X'),
        ...[0, 60].flatMap((days, index) => [
          chartRecord(`${days}`, index + 1),
          dataRecord(
            `${days}`,
            [...new Set([0, days])].map((day) => [day * dayMs, 1]),
          ),
        ]),
      ]),
    );
    const offered = async (query: string) => {
      const { body } = await months.get(`/plugin/bukkit/X/1${query}`);
      const [, links = ''] = /aria-label="Range">(.*?)<\/nav>/.exec(body) ?? [];
      return [...links.matchAll(/data-set="range=([a-z0-9]+)"/g)].map(([, range]) => range);
    };
    assert.deepEqual(await offered(''), ['1d', '7d', '30d', 'all']);
    assert.deepEqual(await offered('?range=1y'), ['1d', '7d', '30d', '1y', 'all']);
  });

  test('has one window for all charts, from the newest time of all, also in their pictures', async () => {
    const dayMs = 24 * 60 * 60 * 1000;
    const newest = Date.UTC(2026, 5, 30);
    const days = (count: number, age = 0) =>
      Array.from({ length: count }, (_, index) => newest - (age + count - 1 - index) * dayMs);
    const lines = { whole: days(70), young: days(9), ended: days(20, 40), never: [] };
    const apart = await serveSite(
      await makeStore([
        softwareRecord(),
        pluginRecord(1, 'X'),
        ...Object.keys(lines).map((chartId, index) => chartRecord(chartId, index + 1)),
        chartRecord('os', 6, { type: 'simple_pie' }),
        ...Object.entries(lines).map(([chartId, times]) =>
          dataRecord(
            chartId,
            times.map((time) => [time, 5]),
          ),
        ),
        historyRecord('os', days(2, 5), [{ name: 'a', values: [1, 1] }]),
      ]),
    );
    const { body } = await apart.get('/plugin/bukkit/X/1?view=history');
    const images = checkHtml(body, apart.url).flatMap(({ name, attributes }) =>
      name === 'img' ? (attributes.get('src') ?? '') : [],
    );
    const month = 'from=2026-05-31&to=2026-06-30T00:00:00.001Z&width';
    assert.deepEqual(
      images.map((address) => [/\/(\w+)\.svg/.exec(address)?.[1], address.includes(month)]),
      [
        ['whole', false],
        ['young', true],
        ['os', true],
      ],
    );
    assert.deepEqual(
      Array.from(body.matchAll(/<p class="none">.*?<span>(.*?)<\/span>/g), ([, text]) => text),
      ['No points in the 30 days to 30 Jun 2026.', 'No data yet.'],
    );
    const ticks = await Promise.all(
      images.map(async (address) =>
        readSvg((await apart.get(address)).body).flatMap(({ name, text }) =>
          name === 'text' && /^\d+ Jun( 2026)?$/.test(text) ? text : [],
        ),
      ),
    );
    assert.equal(ticks[0]?.length, 14);
    assert.deepEqual(ticks[1], ticks[0]);
    // The history ends on 25 June.
    assert.equal(ticks[2]?.at(-1), '28 Jun');
  });

  test('has every chart in one of its sections, with its data', async () => {
    const plugin = samplePlugins.find(({ id }) => id === museumId) ?? assert.fail();
    const { body } = await site.get(pathOf(plugin));
    const [, ...parts] = body.split('<section class="part" id="');
    const sections = parts.map((part) => [
      /^[a-z-]+/.exec(part)?.[0],
      [...part.matchAll(/<article class="chart [a-z]+" id="([^"]+)"/g)].map(([, id]) => id),
    ]);
    const usage = ['servers', 'players'];
    const versions = ['minecraftVersion', 'pluginVersion', 'javaVersion'];
    const others = chartsOf(museumId).filter(({ chartId }) => ![...usage, ...versions].includes(chartId));
    const idsOf = (isDefault: boolean) =>
      others.flatMap((chart) => (chart.isDefault === isDefault ? chart.chartId : []));
    assert.deepEqual(sections, [
      ['-usage', usage],
      ['-versions', versions],
      ['-releases', []],
      ['-servers', idsOf(true)],
      ['-own', idsOf(false)],
    ]);
    for (const { chartId } of chartsOf(museumId))
      assert.ok(body.includes(`href="/api/v1/plugins/${museumId}/charts/${chartId}/data"`), chartId);
  });

  test('has the figures of its servers and players', async () => {
    const { body } = await site.get('/plugin/bukkit/ExamplePlugin/1337');
    const exact = new Intl.NumberFormat('en-US').format;
    for (const chartId of ['servers', 'players']) {
      const { points } = sampleChart(1337, chartId);
      const [newest, value] = points.at(-1) ?? assert.fail();
      const month = points.filter(([time]) => time > newest - 30 * 24 * 60 * 60 * 1000);
      const [peak, highest] = [month, points].map((some) => Math.max(...some.map(([, each]) => each)));
      const title = chartId === 'servers' ? 'Servers' : 'Players';
      const [, figure = ''] = new RegExp(`<h2>${title}</h2>(.*?)</section>`, 's').exec(body) ?? [];
      const words = figure
        .replaceAll(/<[^>]*>/g, '')
        .trim()
        .split('\n');
      assert.equal(words[0], exact(value));
      assert.match(words[1] ?? '', /^▼ −[\d.]+% 7 d▲ \+[\d.]+% 28 d▲ \+[\d.]+% 1 y$/);
      assert.equal(peak, highest);
      assert.match(
        words[2] ?? '',
        new RegExp(`^30-day peak and record ${exact(highest ?? 0)}, \\d+ Jun 2026$`),
      );
      // 90 days, each of which has points.
      assert.equal(/ d="([^"]*)"/.exec(figure)?.[1]?.match(/[hl]/g)?.length, 90);
    }
  });

  test('has the headers of a page', async () => {
    const { headers } = await site.get('/plugin/bukkit/ExamplePlugin/1337');
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin');
    assert.equal(headers.get('set-cookie'), undefined);
  });

  test('has a preview: a title, a sentence with the latest numbers, and a PNG of that size', async () => {
    const { body } = await publicSite.get('/plugin/bukkit/ExamplePlugin/1337');
    const tags = checkHtml(body, 'https://metrics.example.org');
    const properties = new Map(
      tags.map(({ attributes }) => [
        attributes.get('property') ?? attributes.get('name'),
        attributes.get('content'),
      ]),
    );
    assert.equal(properties.get('og:title'), 'ExamplePlugin for Bukkit / Spigot');
    assert.match(properties.get('og:description') ?? '', /: [\d,]+ servers and [\d,]+ players\.$/);
    assert.equal(properties.get('twitter:card'), 'summary_large_image');
    assert.deepEqual([properties.get('og:image:width'), properties.get('og:image:height')], ['1200', '630']);
    const image = new URL(properties.get('og:image') ?? '');
    assert.equal(image.origin, 'https://metrics.example.org');
    const png = await publicSite.get(image.pathname + image.search);
    assert.deepEqual([png.status, png.headers.get('content-type')], [200, 'image/png']);
  });
});
