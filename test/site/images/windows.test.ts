// Pictures of a window of two dates: of a line, of several, of a sum, of shares over time, and of a plugin.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chartsOf } from '../../http/support/sample.ts';
import { serveSite } from '../pages/support/site-client.ts';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';

const site = await serveSite();

const exact = new Intl.NumberFormat('en-US');
const days = 'from=2026-06-01&to=2026-06-09';
const inDays = 'from 1 Jun 2026 until 9 Jun 2026';

async function pictureOf(path: string) {
  const { status, text, headers } = await ask(site, path);
  assert.equal(status, 200, path);
  const words = assertSvg(text).find(({ name }) => name === 'desc')?.text ?? assert.fail(path);
  return { text, words, etag: headers.etag };
}

/** The values of a line from one time to another, which is not in it. */
function valuesOf(pluginId: number, [from, to]: readonly [string, string]): readonly number[] {
  const { points } = chartsOf(pluginId).find(({ chartId }) => chartId === 'players') ?? assert.fail();
  const within = points.filter(([time]) => time >= Date.parse(from) && time < Date.parse(to));
  return within.map(([, value]) => value);
}

describe('a picture of two dates', () => {
  test('of a line has its values before the last date, and the day of the latest', async () => {
    const values = valuesOf(1337, ['2026-06-01', '2026-06-09']);
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

  test('of several lines, of their sum and of a plugin has the same window', async () => {
    const charts = 'charts=2048:players,2049:players';
    const lines = await pictureOf(`/embed/lines.svg?${charts}&mode=indexed&${days}`);
    assert.match(
      lines.words,
      new RegExp(`^Players, ${inDays}: .* on 8 Jun 2026, where the mean of the first`),
    );
    const [a = [], b = []] = [2048, 2049].map((id) => valuesOf(id, ['2026-06-01', '2026-06-09']));
    const sum = await pictureOf(`/embed/lines.svg?${charts}&mode=sum&${days}`);
    const latest = exact.format((a.at(-1) ?? 0) + (b.at(-1) ?? 0));
    assert.match(
      sum.words,
      new RegExp(`^Players, added up over time, ${inDays}: .*; ${latest} in total at the end$`),
    );
    assert.match((await pictureOf(`/embed/1337.svg?${days}`)).words, new RegExp(inDays));
  });

  test('of shares over time has its times, and of shares of now none', async () => {
    const { words } = await pictureOf(`/embed/1337/serverSoftware.svg?view=history&${days}`);
    assert.match(words, new RegExp(`over time, ${inDays}: Paper `));
    const now = await pictureOf('/embed/1337/serverSoftware.svg');
    assert.equal((await pictureOf(`/embed/1337/serverSoftware.svg?${days}`)).text, now.text);
  });
});

test('times that are no window are 400, with an image that says why', async () => {
  for (const [query, words] of [
    ['from=2026-06-01', /a window is either range, or from and to/],
    ['to=2026-06-01', /a window is either range, or from and to/],
    [`${days}&range=7d`, /either range, or from and to/],
    ['from=2026-06-09T12:00Z&to=2026-06-09', /a time and a later one$/],
    ['from=yesterday&to=2026-06-09', /from must be a date/],
    ['from=-1&to=1', /from must be a date/],
    ['from=0&to=10000-01-01', /to must be a date/],
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
      assert.match(assertSvg(text).find(({ name }) => name === 'desc')?.text ?? '', words);
    }
});
