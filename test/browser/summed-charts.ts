// In a real browser: the page of a plugin on several platforms, and charts of shares side by side.
import assert from 'node:assert/strict';
import { endedApart } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';
import { pageTest } from './support/open-page.ts';
import { buttonIn, linkIn } from './support/roles.ts';
import { serveRecords, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const { url: ended } = await serveRecords(endedApart(Date.UTC(2026, 5, 30)));
const platforms = `${server}/plugin/bukkit/HarborHomes/2048+2049`;

pageTest(
  'charts of platforms follow the choices of the page, and stay sums',
  { at: platforms },
  async ({ page, requests }) => {
    const chart = page.locator('#os plugin-chart');
    await linkIn(page.locator('.toolbar'), 'Over time').click();
    await page.waitForURL(`${platforms}?view=history`);
    await chart.scrollIntoViewIfNeeded();
    await waitUntil(() =>
      requests.some((url) => url.includes('charts=2048:os,2049:os') && url.includes('sum=true')),
    );
    await waitUntil(async () =>
      /over time/.test((await chart.locator('.chart-box > svg').getAttribute('aria-label')) ?? ''),
    );
    assert.equal(await chart.getAttribute('mode'), 'sum');
    const svg = await page.locator('#os [data-svg]').getAttribute('href');
    assert.equal(svg, '/embed/shares.svg?charts=2048:os,2049:os&view=history');
    const players = page.locator('#players plugin-chart');
    await players.scrollIntoViewIfNeeded();
    await players.locator('.chart-box > svg').waitFor();
    assert.match(
      (await players.locator('.chart-box > svg').getAttribute('aria-label')) ?? '',
      /HarborHomes .*HarborGate/,
    );
  },
);

pageTest('a share that is hidden in a sum is in the address', { at: platforms }, async ({ page }) => {
  const chart = page.locator('#onlineMode');
  await chart.scrollIntoViewIfNeeded();
  await buttonIn(chart, /^offline: /).click();
  await page.waitForURL(`${platforms}?hide=onlineMode:offline`);
  assert.equal(await chart.locator('plugin-chart').getAttribute('hide'), 'offline');
});

pageTest('the code to embed a sum has all of its charts', { at: platforms }, async ({ page }) => {
  await page.locator('button[data-embed][data-chart="os"]').click();
  const code = page.locator('dialog pre');
  await page.getByRole('radio', { name: 'Tag', exact: true }).check();
  assert.match(await code.innerText(), /<plugin-chart charts="2048:os,2049:os" mode="sum"/);
  await page.getByRole('radio', { name: 'URL', exact: true }).check();
  assert.equal(await code.innerText(), `${server}/embed/shares.svg?charts=2048:os,2049:os`);
  await buttonIn(page.getByRole('dialog'), 'Close').click();
});

pageTest(
  'charts of plugins that ended at different times have one window, also after another range',
  { at: `${ended}/compare?charts=7:os,8:os&view=history` },
  async ({ page }) => {
    const windows = () =>
      Promise.all(
        [0, 1].map(async (index) => {
          const chart = page.locator('plugin-chart').nth(index);
          return [await chart.getAttribute('range'), await chart.getAttribute('from')];
        }),
      );
    for (const chart of await page.locator('plugin-chart').all()) {
      await chart.scrollIntoViewIfNeeded();
      await chart.locator('.chart-box > svg').waitFor();
    }
    await linkIn(page.locator('.toolbar'), '7d').click();
    await page.waitForURL(/range=7d/);
    assert.deepEqual(await windows(), [
      ['7d', null],
      [null, '2026-06-23'],
    ]);
  },
);

for (const width of [390, 1280])
  pageTest(
    `ladders of two plugins are ${width < 500 ? 'one below the other' : 'side by side'} in ${width} pixels`,
    {
      at: `${server}/compare?charts=1337:minecraftVersion,2048:minecraftVersion`,
      viewport: { width, height: 900 },
    },
    async ({ page }) => {
      const charts = page.locator('plugin-chart');
      for (const chart of await charts.all()) {
        await chart.scrollIntoViewIfNeeded();
        await chart.locator('.chart-box > svg').waitFor();
        assert.match(
          (await chart.locator('.chart-box > svg').getAttribute('aria-label')) ?? '',
          /26\.2 or newer/,
        );
      }
      const [first, second] = await Promise.all([0, 1].map((index) => charts.nth(index).boundingBox()));
      assert.equal((first?.y ?? 0) === (second?.y ?? 0), width > 500);
      await linkIn(page.locator('.toolbar'), 'Minor lines').click();
      await page.waitForURL(/view=ladder&group=minor$/);
      await waitUntil(async () =>
        /26\.2\.x or newer/.test(
          (await charts.first().locator('.chart-box > svg').getAttribute('aria-label')) ?? '',
        ),
      );
      await linkIn(page.locator('.sides'), 'Remove HarborHomes').click();
      await page.waitForURL(/charts=1337:minecraftVersion&view=ladder&group=minor$/);
      assert.equal(await charts.count(), 1);
    },
  );
