// The page of a plugin in a real browser: its figures match the interface.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { waitUntil } from '../support/wait-until.ts';
import { openPage } from './support/open-page.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;
const charts = `${server}/api/v1/plugins/1337/charts`;
const dayMs = 24 * 60 * 60 * 1000;

type Point = readonly [timestamp: number, value: number];

async function getJson<Value>(url: string): Promise<Value> {
  return (await (await fetch(url)).json()) as Value;
}

test('current servers and players, their peak and their change match the data', async () => {
  await using open = await openPage();
  await open.page.goto(address);
  for (const chartId of ['servers', 'players']) {
    const points = await getJson<readonly Point[]>(`${charts}/${chartId}/data?maxElements=100000`);
    const [time, now] = points.at(-1) ?? [0, 0];
    const month = points.filter(([timestamp]) => timestamp > time - 30 * dayMs).map(([, value]) => value);
    // The newest point is the last half-hour of a day.
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const meanOf = (from: number, to: number) => {
      const within = points.filter(([at]) => at > from && at <= to);
      const days = Map.groupBy(within, ([at]) => Math.floor(at / dayMs));
      return mean([...days.values()].map((day) => mean(day.map(([, value]) => value))));
    };
    const changes = [7, 30].map((days) => {
      const start = time - days * dayMs;
      const before = meanOf(start - days * dayMs, start);
      return ((meanOf(start, time) - before) / before) * 100;
    });
    const record = Math.max(...points.map(([, value]) => value));
    const figure = open.page.locator('.figure', {
      has: open.page.locator(`h2:text-is("${labels[chartId]}")`),
    });
    assert.equal(await figure.locator('.now').textContent(), now.toLocaleString('en-US'));
    const [peak = '', highest = '', ...shown] = await figure.locator('dd').allInnerTexts();
    assert.equal(peak, Math.max(...month).toLocaleString('en-US'));
    assert.equal(highest, record.toLocaleString('en-US'));
    for (const [index, text] of shown.entries()) {
      const value = Number(text.replace('−', '-').replace(/[±%]/g, ''));
      assert.ok(Math.abs(value - (changes[index] ?? 0)) <= 0.05, `${text}, not ${changes[index]}`);
    }
  }
});

const labels: Readonly<Record<string, string>> = { servers: 'Servers', players: 'Players' };

test('the range control sets every line, is in the address and survives a reload', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(address);
  await page
    .getByRole('navigation', { name: 'Range of all charts' })
    .getByRole('link', { name: '7d' })
    .click();
  await page.waitForURL(`${address}?range=7d`);
  await page.reload();
  const lines = page.locator('.chart.line plugin-chart');
  const ranges = await lines.evaluateAll((all) => all.map((chart) => chart.getAttribute('range')));
  assert.deepEqual([...new Set(ranges)], ['7d']);
  await page
    .locator('#players')
    .getByText(/in the (last )?7 days/)
    .first()
    .waitFor();
});

test('a link to a chart scrolls to it', async () => {
  await using open = await openPage();
  await open.page.goto(`${address}#javaVersion`);
  const chart = open.page.locator('#javaVersion');
  await chart.locator('.stage > svg').waitFor();
  const top = async () => (await chart.boundingBox())?.y ?? -1;
  // The page scrolls there smoothly.
  await waitUntil(async () => (await top()) < 100);
  assert.ok((await top()) >= 0 && (await top()) < 100, `${await top()} px from the top`);
  await open.page.locator('#players').getByRole('link', { name: 'Link' }).click();
  await open.page.waitForURL(/#players$/);
});

test('every chart offers its data as CSV, equal to the JSON', async () => {
  await using open = await openPage({ acceptDownloads: true });
  await open.page.goto(address);
  const cells = async (chartId: string) => {
    const waiting = open.page.waitForEvent('download');
    await open.page.locator(`#${chartId}`).getByRole('link', { name: 'CSV' }).click();
    const download = await waiting;
    assert.match(download.suggestedFilename(), new RegExp(`${chartId}.*\\.csv$`));
    const text = readFileSync(await download.path(), 'utf8');
    return text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((row) => row.split(','));
  };
  const points = await getJson<readonly Point[]>(`${charts}/players/data?maxElements=1500`);
  const since = (points.at(-1)?.[0] ?? 0) - 30 * dayMs;
  assert.deepEqual(
    (await cells('players')).map(([time = '', value]) => [Date.parse(time), Number(value)]),
    points.filter(([timestamp]) => timestamp >= since),
  );
  const slices = await getJson<readonly { readonly name: string; readonly y: number }[]>(
    `${charts}/serverSoftware/data`,
  );
  assert.deepEqual(
    (await cells('serverSoftware')).map(([name, y]) => ({ name, y: Number(y) })),
    slices,
  );
});

test('with script each chart is loaded once, as data, and never as a picture', async () => {
  await using open = await openPage({ viewport: { width: 1000, height: 1200 } });
  const { page, requests } = open;
  // Pictures come where the script or the data is late. Here it is not, however slow the machine is.
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 0.001 });
  await page.goto(address);
  await page.locator('#players .stage > svg').waitFor();
  const states = await page
    .locator('plugin-chart')
    .evaluateAll((all) => all.flatMap((chart) => chart.getAnimations().map(({ playState }) => playState)));
  assert.deepEqual([...new Set(states)], ['paused'], 'no picture comes any more');
  for (const chart of await page.locator('plugin-chart').all()) {
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('.stage > svg').waitFor();
  }
  assert.deepEqual(
    requests.filter((url) => url.includes('/embed/')),
    [],
  );
  const data = requests.filter((url) => url.includes('/api/'));
  // Everything that is known now comes in one answer, and each line in one of its own.
  assert.equal(data.length, 1 + (await page.locator('.chart.line plugin-chart').count()));
  assert.equal(new Set(data).size, data.length);
});

test('the data of the first screen come beside the script', async () => {
  await using open = await openPage();
  const { page } = open;
  const script = Promise.withResolvers<void>();
  await page.route('**/site-*.js', (route) => script.promise.then(() => route.continue()));
  const answers: string[] = [];
  page.on('response', (response) => {
    const { pathname, searchParams } = new URL(response.url());
    if (pathname.startsWith('/api/')) answers.push(searchParams.get('charts') ?? pathname);
  });
  await page.goto(address, { waitUntil: 'commit' });
  await waitUntil(() => answers.length === 3);
  assert.deepEqual(answers.toSorted(), ['/api/v2/plugins/1337', '1337:players', '1337:servers']);
  script.resolve();
  await page.locator('#players .stage > svg').waitFor();
  assert.equal(answers.length, 3);
});

test('a chart whose preloaded data fail can be tried again', async () => {
  await using open = await openPage({ mayFail: true });
  const { page } = open;
  await page.route('**/series?*', (route) => route.abort());
  await page.goto(address);
  const chart = page.locator('#players');
  const again = chart.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute('**/series?*');
  await again.click();
  await chart.locator('.stage > svg').waitFor();
  assert.deepEqual(
    open.faults.filter((fault) => fault.includes('Uncaught')),
    [],
  );
});

test('pictures are shown if the script is late, until the charts are drawn', async () => {
  await using open = await openPage();
  const { page } = open;
  const [script, data] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/site-*.js', (route) => script.promise.then(() => route.continue()));
  await page.route('**/series?*', (route) => data.promise.then(() => route.continue()));
  await page.goto(address, { waitUntil: 'commit' });
  const isSeen = () =>
    page.locator('#players img').evaluate((image) => {
      const { left, right } = image.getBoundingClientRect();
      return image instanceof HTMLImageElement && image.naturalWidth > 0 && left >= 0 && right > left;
    });
  await waitUntil(isSeen);
  script.resolve();
  await page.locator('#players').getByRole('button', { name: 'Embed' }).waitFor();
  assert.ok(await isSeen());
  data.resolve();
  await page.locator('#players .stage > svg').waitFor();
  assert.equal(await page.locator('#players img').isVisible(), false);
});

test('without script every chart is a picture', async () => {
  await using open = await openPage({ javaScriptEnabled: false });
  await open.page.goto(address);
  assert.deepEqual(
    open.requests.filter((url) => url.includes('/api/')),
    [],
  );
  const images = open.page.locator('plugin-chart img');
  assert.equal(await images.count(), Object.keys(await getJson(charts)).length);
  for (const image of await images.all()) {
    await image.scrollIntoViewIfNeeded();
    const url = new URL((await image.getAttribute('src')) ?? '', server);
    assert.equal((await fetch(url)).status, 200);
  }
  assert.deepEqual(await open.page.locator('main').getByRole('button').allTextContents(), ['Show']);
});
