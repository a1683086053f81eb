// Pictures of several lines and badges of their sum: the content of /compare, for READMEs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sentences } from '../../../src/draw/message.ts';
import { chartsOf } from '../../http/support/sample.ts';
import { makeStore } from '../../http/support/test-server.ts';
import { chartRecord, pluginRecord, softwareRecord } from '../../support/records.ts';
import { serveSite } from '../pages/support/site-client.ts';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';

const site = await serveSite();
const exact = new Intl.NumberFormat('en-US');
const platforms = 'charts=2048:players,2049:players';

function latestOf(pluginId: number, chartId: string): number {
  const chart = chartsOf(pluginId).find((each) => each.chartId === chartId);
  return chart?.points.at(-1)?.[1] ?? assert.fail();
}

/** The description of a picture. */
async function wordsOf(path: string): Promise<string> {
  const { status, text } = await ask(site, path);
  assert.equal(status, 200, path);
  const description = assertSvg(text).find(({ name }) => name === 'desc');
  return description?.text ?? assert.fail(path);
}

const sum = latestOf(2048, 'players') + latestOf(2049, 'players');

describe('a picture of several lines', () => {
  test('names each line with its latest value, in the requested order', async () => {
    const words = await wordsOf('/embed/lines.svg?charts=1337:players,2048:players');
    const [first, second] = [latestOf(1337, 'players'), latestOf(2048, 'players')].map(exact.format);
    assert.equal(
      words,
      `Players, in the 30 days to 30 Jun 2026: ExamplePlugin ${first}, HarborHomes ${second} on 30 Jun 2026`,
    );
    const turned = await wordsOf('/embed/lines.svg?charts=2048:players,1337:players&range=7d&mode=indexed');
    assert.match(
      turned,
      /^Players, in the 7 days to 30 Jun 2026: HarborHomes .*, ExamplePlugin .* where the mean of the first day/,
    );
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
    ['', 400, /one or up to 10 line charts/],
    ['charts=', 400, /one or up to 10 line charts/],
    ['charts=99999:players', 404, /no plugin with the id 99999/],
    ['charts=1337:none', 404, /no chart "none"/],
    ['charts=1337:serverSoftware', 400, /line charts.*1337:serverSoftware/],
    ['charts=1337:players,1337:players', 400, /each once/],
    ['charts=1337:players&charts=2048:players', 400, /more than once/],
    ['charts=01337:players', 400, /line charts/],
    ['charts=1337:players,', 400, /line charts/],
    ['charts=1337:"><script>', 400, /script/],
    ['charts=..:%2F', 400, /line charts/],
    [`charts=${eleven}`, 400, /up to 10/],
    [`charts=${'1'.repeat(3000)}`, 400, /up to 10 line charts/],
  ] as const;
  test('is an image, a badge or a document that says why', async () => {
    for (const [query, status, words] of queries)
      for (const path of ['/embed/lines.svg', '/embed/lines.png', '/badge/sum.svg', '/badge/sum.json']) {
        const received = await ask(site, path + encodeURI(`?${query}`));
        assert.equal(received.status, status, `${path} ${query}`);
        const type = received.headers['content-type'];
        if (path.endsWith('svg')) {
          const description = assertSvg(received.text).find(({ name }) => name === 'desc');
          if (path.startsWith('/embed')) assert.match(description?.text ?? '', words);
        } else if (path.endsWith('json')) {
          assert.equal(type, 'application/problem+json; charset=utf-8');
          assert.match(JSON.parse(received.text).detail, words);
        } else assert.equal(type, 'image/png');
      }
  });

  test('does not take over other names below these paths', async () => {
    for (const [path, status] of [
      ['/embed/lines.gif', 404],
      ['/embed/lines', 404],
      ['/badge/sum', 404],
      ['/badge/sum.png', 404],
      ['/embed/lines.svg/', 400],
    ] as const)
      assert.equal((await ask(site, path)).status, status, path);
  });
});
