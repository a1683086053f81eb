// The page of a plugin in a real browser: when its charts are loaded, as data or as pictures.
import assert from 'node:assert/strict';
import { waitUntil } from '../support/wait-until.ts';
import { pageTest } from './support/open-page.ts';
import { scrollThrough, visit } from './support/pages.ts';
import { buttonIn, linkIn } from './support/roles.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;
const charts = `${server}/api/v1/plugins/1337/charts`;

async function getJson<Value>(url: string): Promise<Value> {
  return (await (await fetch(url)).json()) as Value;
}

pageTest('a link to a chart scrolls to it', { at: `${address}#javaVersion` }, async ({ page }) => {
  const chart = page.locator('#javaVersion');
  await chart.locator('.chart-box > svg').waitFor();
  const top = async () => (await chart.boundingBox())?.y ?? -1;
  // The page scrolls there smoothly.
  await waitUntil(async () => (await top()) < 120);
  assert.ok((await top()) >= 0 && (await top()) < 120, `${await top()} px from the top`);
  await page.locator('#players summary').click();
  await linkIn(page.locator('#players'), 'Link').click();
  await page.waitForURL(/#players$/);
  assert.equal(await linkIn(page.locator('#players'), 'Link').isVisible(), false, 'the menu is closed');
});

pageTest(
  'with script each chart is loaded once, as data, and never as a picture',
  { viewport: { width: 1000, height: 1200 } },
  async ({ page, requests }) => {
    // Pictures come where the script or the data is late. Here it is not, however slow the machine is.
    const session = await page.context().newCDPSession(page);
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: 0.001 });
    await page.goto(address);
    await page.locator('#players .chart-box > svg').waitFor();
    await page.waitForFunction(() => document.querySelector('plugin-chart[aria-busy="true"]') === null);
    const states = await page
      .locator('plugin-chart')
      .evaluateAll((all) => all.flatMap((chart) => chart.getAnimations().map(({ playState }) => playState)));
    assert.deepEqual([...new Set(states)], ['paused'], 'no picture comes any more');
    for (const chart of await page.locator('plugin-chart').all()) {
      await chart.scrollIntoViewIfNeeded();
      await chart.locator('.chart-box > svg').waitFor();
    }
    assert.deepEqual(
      requests.filter((url) => url.includes('/embed/')),
      [],
    );
    const data = requests.filter((url) => url.includes('/api/'));
    // Everything that is known now comes in one answer, and each line in one of its own.
    assert.equal(data.length, 1 + (await page.locator('.chart.line plugin-chart').count()));
    assert.equal(new Set(data).size, data.length);
  },
);

pageTest('the data of the first screen come beside the script', {}, async ({ page }) => {
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
  await page.locator('#players .chart-box > svg').waitFor();
  assert.equal(answers.length, 3);
});

pageTest(
  'a chart whose preloaded data fail can be tried again',
  { mayFail: true },
  async ({ page, faults }) => {
    // The route stays: without any, the browser would forget a request that is on its way.
    let isLost = true;
    // Only a reader who asks gets it again: by itself it might come before the click.
    const headers = { 'Retry-After': '3600' };
    await page.route('**/series?*', (route) =>
      isLost ? route.fulfill({ status: 503, headers, body: '' }) : route.continue(),
    );
    await page.goto(address);
    const chart = page.locator('#players');
    const again = buttonIn(chart, 'Try again');
    await again.waitFor();
    isLost = false;
    await again.click();
    await chart.locator('.chart-box > svg').waitFor();
    assert.deepEqual(
      faults.filter((fault) => fault.includes('Uncaught')),
      [],
    );
  },
);

pageTest('pictures are shown if the script is late, until the charts are drawn', {}, async ({ page }) => {
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
  await buttonIn(page.locator('#players'), 'Embed').waitFor();
  assert.ok(await isSeen());
  data.resolve();
  await page.locator('#players .chart-box > svg').waitFor();
  assert.equal(await page.locator('#players img').isVisible(), false);
});

pageTest(
  'without script every chart is a picture',
  { at: address, javaScriptEnabled: false },
  async ({ page, requests }) => {
    assert.deepEqual(
      requests.filter((url) => url.includes('/api/')),
      [],
    );
    const images = page.locator('plugin-chart img');
    assert.equal(await images.count(), Object.keys(await getJson(charts)).length);
    for (const image of await images.all()) {
      await image.scrollIntoViewIfNeeded();
      const url = new URL((await image.getAttribute('src')) ?? '', server);
      assert.equal((await fetch(url)).status, 200);
    }
    assert.deepEqual(await page.locator('main').getByRole('button').allTextContents(), ['Apply']);
  },
);

pageTest(
  'the page transfers at most 85 KB until the charts in view are drawn, and 95 KB with all of them',
  { viewport: { width: 1280, height: 800 } },
  async (open) => {
    const session = await open.page.context().newCDPSession(open.page);
    await session.send('Network.enable');
    // Pictures come where the script or the data is late. Here it is not, however slow the machine is.
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: 0.001 });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await visit(open, address);
    await open.page.waitForLoadState('networkidle');
    assert.ok(bytes > 40_000 && bytes <= 85_000, `${bytes}`);
    await scrollThrough(open.page);
    await open.page.waitForLoadState('networkidle');
    assert.ok(bytes <= 95_000, `${bytes}`);
  },
);
