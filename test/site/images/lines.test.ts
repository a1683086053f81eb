// Pictures of several lines and badges of their sum, and pictures of a window of two dates.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sentences } from '../../../src/draw/message.ts';
import { latestOf, sampleChart } from '../../http/support/sample.ts';
import { makeStore } from '../../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';
import { serveSite } from '../pages/support/site-client.ts';
import { ask } from './support/ask.ts';
import { assertSvg, descriptionOf } from './support/assert-svg.ts';

const site = await serveSite();
const exact = new Intl.NumberFormat('en-US');
const platforms = 'charts=2048:players,2049:players';

/** A picture and its description. */
async function pictureOf(path: string) {
  const { status, text } = await ask(site, path);
  assert.equal(status, 200, path);
  return { text, words: descriptionOf(text) };
}

const sum = latestOf(2048, 'players') + latestOf(2049, 'players');

describe('a picture of several lines', () => {
  test('names each line with its latest value, in the requested order', async () => {
    const { words } = await pictureOf('/embed/lines.svg?charts=1337:players,2048:players');
    const [first, second] = [latestOf(1337, 'players'), latestOf(2048, 'players')].map(exact.format);
    assert.equal(
      words,
      `Players, in the 30 days to 30 Jun 2026: ExamplePlugin ${first}, HarborHomes ${second} on 30 Jun 2026`,
    );
    const turned = await pictureOf('/embed/lines.svg?charts=2048:players,1337:players&range=7d&mode=indexed');
    assert.match(
      turned.words,
      /^Players, in the 7 days to 30 Jun 2026: HarborHomes .*, ExamplePlugin .* where the mean of the first day/,
    );
  });

  test('names lines by what tells them apart: platforms, the charts of one plugin', async () => {
    const points = [[0, 1]];
    const names = await serveSite(
      await makeStore([
        ...['Spigot', 'Velocity'].flatMap((name, index) => {
          const [id, softwareId] = [index + 1, index + 1];
          return [
            softwareRecord({ id: softwareId, name, url: `s${id}` }),
            pluginRecord(id, id === 1 ? 'Both' : 'BOTH', { softwareId }),
            pluginRecord(id + 10, `_${name}_`, { softwareId, isGlobal: true }),
          ];
        }),
        ...[1, 2, 11, 12].flatMap((pluginId) =>
          ['servers', 'players'].flatMap((chartId, position) => [
            chartRecord(chartId, 2 * pluginId + position, { pluginId, title: `${chartId} of ${pluginId}` }),
            dataRecord(chartId, points, { pluginId }),
          ]),
        ),
      ]),
    );
    for (const [charts, listed] of [
      ['1:players,2:players', 'Spigot 1, Velocity 1'],
      ['1:players,2:servers', 'Spigot: Players 1, Velocity: Servers 1'],
      ['12:servers,12:players', 'Servers 1, Players 1'],
      ['1:servers,12:servers', 'Both 1, Velocity 1'],
    ]) {
      const { text } = await ask(names, `/embed/lines.svg?charts=${charts}`);
      assert.ok(descriptionOf(text).includes(`: ${listed} on`), `${charts}: ${descriptionOf(text)}`);
    }
  });

  test('of a sum without points in its window says so', async () => {
    const store = await makeStore([softwareRecord(), pluginRecord(1, 'X'), chartRecord('players', 1)]);
    const { text } = await ask(await serveSite(store), '/embed/lines.svg?charts=1:players&mode=sum');
    assert.ok(assertSvg(text).some((element) => element.text === sentences.none));
  });
});

describe('a badge of a sum', () => {
  test('shows the latest value of the sum', async () => {
    const { status, text, headers } = await ask(site, `/badge/sum.json?${platforms}`);
    assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8']);
    assert.deepEqual(JSON.parse(text), {
      schemaVersion: 1,
      label: 'Players',
      message: `${(sum / 1000).toFixed(1)}k`,
      color: 'blue',
      cacheSeconds: 300,
    });
  });
});

describe('an impossible sum', () => {
  const eleven = Array.from({ length: 11 }, (_, index) => `${index + 1}:players`).join(',');
  const queries = [
    ['', 400, /1 to 10 line charts.*0 charts/],
    ['charts=99999:players', 404, /no plugin with the id 99999.*lists all plugins/],
    ['charts=1337:none', 404, /no chart "none".*plugins\/1337\/charts lists its charts/],
    ['charts=1337:players,1337:serverSoftware', 400, /line charts.*1337:serverSoftware/],
    ['charts=1337:players,1337:players', 400, /each once/],
    ['charts=1337:players&charts=2048:players', 400, /more than once/],
    ['charts=01337:players', 400, /line charts/],
    ['charts=1337:"><script>', 400, /script/],
    ['charts=..:%2F', 400, /line charts/],
    [`charts=${eleven}`, 400, /1 to 10 line charts.*11 charts/],
    [`charts=${'1'.repeat(3000)}`, 400, /1 to 10 line charts/],
  ] as const;
  test('is an image, a badge or a document that says why', async () => {
    for (const [query, status, words] of queries)
      for (const path of ['/embed/lines.svg', '/embed/lines.png', '/badge/sum.svg', '/badge/sum.json']) {
        const received = await ask(site, path + encodeURI(`?${query}`));
        assert.equal(received.status, status, `${path} ${query}`);
        const type = received.headers['content-type'];
        if (path.endsWith('svg')) {
          const description = descriptionOf(received.text);
          if (path.startsWith('/embed')) assert.match(description, words);
        } else if (path.endsWith('json')) {
          assert.equal(type, 'application/problem+json; charset=utf-8');
          assert.match(JSON.parse(received.text).detail, words);
        } else assert.equal(type, 'image/png');
      }
  });
});

const days = 'from=2026-06-01&to=2026-06-09';
const inDays = 'from 1 Jun 2026 until 9 Jun 2026';

describe('a picture of two dates', () => {
  test('of a line has its values before the last date, and the day of the latest', async () => {
    const { points } = sampleChart(1337, 'players');
    const values = points
      .filter(([time]) => time >= Date.UTC(2026, 5, 1) && time < Date.UTC(2026, 5, 9))
      .map(([, value]) => value);
    const [low, high] = [Math.min(...values), Math.max(...values)].map(exact.format);
    const { words } = await pictureOf(`/embed/1337/players.svg?${days}`);
    const latest = exact.format(values.at(-1) ?? Number.NaN);
    assert.equal(
      words,
      `Players on servers using ExamplePlugin: ${latest} on 8 Jun 2026, between ${low} and ${high} ${inDays}`,
    );
    const png = await ask(site, `/embed/1337/players.png?${days}&scale=1`);
    assert.deepEqual([png.status, png.headers['content-type']], [200, 'image/png']);
  });

  test('of several lines, of a sum, of a plugin and of shares over time has the same window', async () => {
    for (const path of [
      `/embed/lines.svg?${platforms}&mode=indexed`,
      `/embed/lines.svg?${platforms}&mode=sum`,
      '/embed/1337.svg?',
      '/embed/1337/serverSoftware.svg?view=history',
    ])
      assert.ok((await pictureOf(`${path}&${days}`)).words.includes(inDays), path);
    const now = await pictureOf('/embed/1337/serverSoftware.svg');
    assert.equal((await pictureOf(`/embed/1337/serverSoftware.svg?${days}`)).text, now.text);
  });
});

test('times that are no window are 400, with an image that says why', async () => {
  for (const [query, words] of [
    ['from=2026-06-01', /a window is either range, or from and a later to/],
    ['to=2026-06-01', /a window is either range, or from and a later to/],
    [`${days}&range=7d`, /either range, or from and a later to/],
    [
      'from=2026-06-09T12:00Z&to=2026-06-09',
      /a window must begin before it ends: from is 2026-06-09T12:00Z, to is 2026-06-09$/,
    ],
    ['from=yesterday&to=2026-06-09', /from must be a date/],
    ['from=-1&to=1', /from must be a date/],
    ['from=0&to=10000-01-01', /to must be a date/],
    ['from=20260601&to=2026-06-09', /looks like a day without hyphens: write 2026-06-01$/],
    [`${days}&from=2026-06-02`, /more than once/],
  ] as const)
    for (const path of [
      '/embed/1337/players.svg',
      '/embed/1337/os.svg',
      '/embed/lines.svg',
      '/embed/1337.svg',
    ]) {
      const { status, text } = await ask(site, `${path}?charts=1337:players&view=history&${query}`);
      assert.equal(status, 400, `${path} ${query}`);
      assert.match(descriptionOf(text), words);
    }
});
