// Images and badges: their paths, headers, codings and cache keys, and what badges and signatures show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { makeStore } from '../../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';
import { serveSite } from '../pages/support/site-client.ts';
import { ask } from './support/ask.ts';
import { assertSvg, descriptionOf } from './support/assert-svg.ts';
import { chartTypes, serveImages } from './support/image-server.ts';

const server = await serveImages();
const svgType = 'image/svg+xml; charset=utf-8';
const svgPaths = [
  '/embed/1.svg',
  '/embed/1/players.svg',
  '/signatures/bukkit/Example.Plugin.svg',
  '/badge/1/players.svg',
];

test('a chart of every type is a picture and a badge', async () => {
  for (const [chartId] of chartTypes) {
    for (const path of [`/embed/1/${chartId}.svg`, `/badge/1/${chartId}.svg`]) {
      const { status, headers, text } = await ask(server, path);
      assert.deepEqual([status, headers['content-type']], [200, svgType], path);
      assertSvg(text);
      if (path.startsWith('/embed')) assert.match(text, new RegExp(RegExp.escape(`Title of ${chartId}`)));
    }
  }
});

test('the last extension counts: a chart id may contain dots and end in another extension', async () => {
  assert.equal((await ask(server, '/embed/1/logo.svg.svg')).status, 200);
  assert.equal((await ask(server, '/embed/1/logo.svg')).status, 404);
  assert.equal((await ask(server, '/embed/1/a.png.svg')).status, 200);
  assert.equal((await ask(server, '/embed/1/v1.2.svg')).status, 200);
});

test('an unsupported extension is unknown', async () => {
  for (const path of [
    '/embed/1',
    '/embed/1.gif',
    '/embed/1/players',
    '/embed/1/players.jpeg',
    '/embed/',
    '/badge/1/players.png',
    '/badge/1/players',
    '/signatures/bukkit/Twice.png',
    '/signatures/bukkit/Twice',
    '/embed/1/players.SVG',
    '/embed/lines.gif',
    '/embed/lines',
    '/badge/sum',
    '/badge/sum.png',
  ])
    assert.equal((await ask(server, path)).status, 404, path);
});

test('pictures have the headers of the interface, and a policy that blocks scripts', async () => {
  for (const path of [...svgPaths, '/embed/1/nothing.svg']) {
    const { headers } = await ask(server, path);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  }
  const { headers } = await ask(server, '/embed/1.svg');
  assert.match(headers['cache-control'] ?? '', /^public, max-age=60,/);
});

test('SVG is compressed if the client accepts it, PNG is not', async () => {
  const plain = await ask(server, '/embed/1/players.svg');
  const coded = await ask(server, '/embed/1/players.svg', { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(coded.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(coded.body).toString('utf8'), plain.text);
  const png = await ask(server, '/embed/1/players.png', { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(png.headers['content-encoding'], undefined);
});

test('what stands in a value is no parameter of its own, so that no two pictures share a key', async () => {
  const texts = new Set<string>();
  const queries = [
    'title=a',
    'title=a%26width%3D200',
    'title=a&width=200',
    'title=a%26range%3D7d',
    'title=a&range=7d',
  ];
  for (const query of [...queries, 'title=%3D%25%26%23%2B', 'theme=dark', 'height=200'])
    texts.add((await ask(server, `/embed/1/players.svg?${query}`)).text);
  assert.equal(texts.size, queries.length + 3);
});

test('a picture has one cache key: defaults, their order and unknown parameters make no difference', async () => {
  const first = await ask(server, '/embed/1/players.svg?theme=dark&width=640');
  const before = await server.count('responses_total', { cache: 'miss' });
  for (const query of [
    'width=640&theme=dark',
    'theme=dark&width=0640&height=300',
    'theme=dark&width=640&range=30d&title=&scale=3',
    'theme=dark&width=640&scale=nonsense&other=1&other=2',
    'theme=dark&width=640&height=&range=%20',
  ])
    assert.equal((await ask(server, `/embed/1/players.svg?${query}`)).text, first.text, query);
  for (const query of ['height=301', 'theme=auto&height=301', 'scale=2&theme=light&width=800&height=301'])
    await ask(server, `/embed/1/players.png?${query}`);
  await ask(server, '/badge/1/map.json?style=plastic&color=blue&label=one');
  await ask(server, '/badge/1/map.json?label=one');
  assert.equal((await server.count('responses_total', { cache: 'miss' })) - before, 2);
});

async function endpoint(path: string): Promise<Record<string, unknown>> {
  const { status, headers, text } = await ask(server, path);
  assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8']);
  return JSON.parse(text);
}

test('the endpoint badge has the members that shields.io accepts, and no others', async () => {
  assert.deepEqual(await endpoint('/badge/1/players.json'), {
    schemaVersion: 1,
    label: 'Title of players',
    message: '1.3k',
    color: 'blue',
    cacheSeconds: 300,
  });
  assert.deepEqual(await endpoint('/badge/1/players.json?label=on%20servers&color=F0a&style=plastic'), {
    schemaVersion: 1,
    label: 'on servers',
    message: '1.3k',
    color: '#f0a',
    cacheSeconds: 300,
  });
});

test('the message is the latest value of a line, and the largest slice, country or bar of others', async () => {
  const messages: Record<string, unknown> = {};
  for (const chartId of [
    'players',
    'v1.2',
    'a.png',
    '12',
    'map',
    '__proto__',
    'constructor',
    'heat',
    'empty',
  ])
    messages[`${chartId} `] = (await endpoint(`/badge/1/${chartId}.json`))['message'];
  assert.deepEqual(messages, {
    'players ': '1.3k',
    'v1.2 ': 'One 75%',
    'a.png ': 'One 100%',
    '12 ': 'Germany 75%',
    'map ': 'Germany 75%',
    '__proto__ ': 'Bar 100%',
    'constructor ': 'Bar 100%',
    'heat ': 'no data',
    'empty ': 'no data',
  });
});

test('a badge of a chart of versions shows the share of a version and all newer ones', async () => {
  const pie = (chartId: string, uid: number) => chartRecord(chartId, uid, { type: 'advanced_pie' });
  const entries = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, y]) => ({ name, y }));
  const versions = { '1.20': 30, '1.20.4': 20, '1.21-rc1': 10, '1.19.4': 20, '26.1': 5, Unknown: 15 };
  const store = await makeStore([
    ...[
      softwareRecord(),
      pluginRecord(1, 'X'),
      pie('versions', 1),
      pie('java', 2),
      pie('os', 3),
      pie('few', 4),
    ],
    ...[pie('none', 5), chartRecord('line', 6)],
    dataRecord('versions', entries(versions)),
    dataRecord('java', entries({ 'Java 8': 5, 'Java 17': 4, 'Java 21': 1 })),
    dataRecord('os', entries({ '1.20': 79, Linux: 21 })),
    dataRecord('few', entries({ '1.20': 9 })),
    dataRecord('line', [[1, 2]]),
  ]);
  const other = await serveSite(store);
  for (const [chartId, atLeast, message] of [
    ['versions', '1.20', '≥ 1.20 65%'],
    ['versions', ' 1.20.0 ', '≥ 1.20.0 65%'],
    ['versions', '1.21-rc1', '≥ 1.21-rc1 15%'],
    ['versions', '1.21', '≥ 1.21 5%'],
    ['versions', '27', '≥ 27 0%'],
    ['java', '17', '≥ 17 50%'],
    ['java', 'Java 21', '≥ Java 21 10%'],
    ['java', '', 'Java 8 50%'],
    ['none', '1.20', 'no data'],
  ] as const) {
    const query = new URLSearchParams({ atLeast });
    const { text } = await ask(other, `/badge/1/${chartId}.json?${query}`);
    assert.equal(JSON.parse(text).message, message);
    const svg = await ask(other, `/badge/1/${chartId}.svg?${query}`);
    assert.ok(svg.status === 200 && svg.text.includes(message), svg.text);
  }
  for (const chartId of ['os', 'few', 'line']) {
    const { status, text } = await ask(other, `/badge/1/${chartId}.svg?atLeast=1.20`);
    assert.equal(status, 400);
    assertSvg(text);
  }
});

test('a badge without a value is grey, whatever the colour parameter', async () => {
  assert.equal((await endpoint('/badge/1/empty.json?color=red'))['color'], 'lightgrey');
});

test('shares of which nothing is reported any more say since when, and those that never were say that', async () => {
  const at = Date.UTC(2026, 10, 28, 14, 30);
  const since = 'since 28 Nov 2026, 14:30 UTC';
  const kept = [`nothing ${since}`, `Nothing reported ${since}. “Over time” shows earlier data.`] as const;
  const words = [
    ['dated', ...kept],
    ['undated', ...kept],
    ['unkept', `nothing ${since}`, `Nothing reported ${since}.`],
    ['never', 'no data', 'No data yet.'],
  ] as const;
  const rings = { drilldownData: [], seriesData: [{ name: 'a', y: 1, drilldown: 'a' }] };
  for (const [type, data, empty] of [
    ['drilldown_pie', rings, { drilldownData: [], seriesData: [] }],
    ['advanced_bar', [{ name: 'a', data: [1] }], []],
  ] as const) {
    const charts = [...words, ['always']].map(([chartId = ''], index) =>
      chartRecord(chartId, index + 1, { type }),
    );
    const store = await makeStore([
      ...[softwareRecord(), pluginRecord(1, 'X'), ...charts, chartRecord('servers', 9)],
      dataRecord('servers', [[at, 0]]),
      dataRecord('dated', data, { at: at - 1_800_000 }),
      dataRecord('dated', empty, { at }),
      dataRecord('undated', data, { at }),
      dataRecord('undated', empty),
      dataRecord('unkept', data),
      dataRecord('unkept', empty),
    ]);
    const other = await serveSite(store);
    for (const [chartId, message, sentence] of words) {
      assert.equal(JSON.parse((await ask(other, `/badge/1/${chartId}.json`)).text).message, message);
      assert.equal(descriptionOf((await ask(other, `/embed/1/${chartId}.svg`)).text), sentence);
      const sum = `charts=1:never,1:${chartId === 'never' ? 'always' : chartId}`;
      assert.equal(JSON.parse((await ask(other, `/badge/sum.json?${sum}`)).text).message, message);
      assert.equal(descriptionOf((await ask(other, `/embed/shares.svg?${sum}`)).text), sentence);
    }
  }
});

async function assertSame(path: string, pluginId: number): Promise<void> {
  const expected = await ask(server, `/embed/${pluginId}.svg`);
  const { status, text, headers } = await ask(server, path);
  assert.equal(status, expected.status, path);
  assert.equal(text, expected.text, path);
  assert.equal(headers.etag, expected.headers.etag);
  assertSvg(text);
}

test("the bytes are those of the plugin's image, without a redirect", async () => {
  await assertSame('/signatures/bukkit/Example.Plugin.svg', 1);
  await assertSame('/signatures/bukkit/Example.Plugin.svg/', 1);
});

test('the parameters are those of the overview', async () => {
  const { text } = await ask(server, '/signatures/bukkit/Twice.svg?width=400&theme=dark');
  const expected = await ask(server, '/embed/7.svg?width=400&theme=dark');
  assert.equal(text, expected.text);
});

test('an unknown name is an image that says so', async () => {
  const { status, text } = await ask(server, '/signatures/bukkit/No%20Such.svg');
  assert.equal(status, 404);
  const description = descriptionOf(text);
  assert.equal(description, 'there is no plugin "No Such" for the software "bukkit"; / lists all plugins');
});

const paths = [
  '/embed/1',
  '/embed/10',
  '/embed/99',
  ...chartTypes.map(([chartId]) => `/embed/1/${encodeURIComponent(chartId)}`),
];

test("no picture has a background, or follows the reader's system theme", async () => {
  for (const path of paths) {
    const { text } = await ask(server, `${path}.svg?theme=transparent&width=400`);
    const elements = assertSvg(text);
    assert.ok(!elements.some(({ name }) => name === 'style'), path);
    assert.ok(!elements.some(({ attributes }) => attributes['class'] !== undefined), path);
    const png = await ask(server, `${path}.png?theme=transparent&width=400&scale=1`);
    const { data, info } = await sharp(png.body).raw().toBuffer({ resolveWithObject: true });
    const alphas = Array.from({ length: info.width * info.height }, (_, pixel) => data[pixel * 4 + 3] ?? 255);
    assert.deepEqual([info.channels, alphas[0], alphas.at(-1)], [4, 0, 0], path);
    assert.ok(
      alphas.some((alpha) => alpha === 255),
      `${path} shows nothing`,
    );
  }
});
