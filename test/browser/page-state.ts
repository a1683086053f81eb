// The state of a plugin page: its window and hidden shares, in its address, for all charts, with and without
// script.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { openPage, pageTest } from './support/open-page.ts';
import { buttonIn, linkIn } from './support/roles.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;
const inTallWindow = { at: address, viewport: { width: 1200, height: 1400 } };

/** The window of every chart; one entry if all have the same. */
async function windowsIn(page: Page): Promise<readonly string[]> {
  const windows = await page
    .locator('plugin-chart')
    .evaluateAll((all) =>
      all.map((chart) => ['range', 'from', 'to'].map((name) => chart.getAttribute(name) ?? '').join(' ')),
    );
  return [...new Set(windows.map((each) => each.trim()))];
}

async function chooseDates(page: Page, from: string, to: string): Promise<void> {
  const dates = page.locator('form').getByLabel('From');
  if (!(await dates.isVisible())) await page.getByText('Custom').click();
  await dates.fill(from);
  await page.locator('form').getByLabel('until').fill(to);
  await buttonIn(page, 'Show').click();
}

pageTest(
  'a window is for all charts, in the address, and comes back on reload, back and forward',
  { at: address },
  async ({ page }) => {
    await linkIn(page, '7d').click();
    await chooseDates(page, '2026-06-01', '2026-06-09');
    await page.waitForURL(`${address}?from=2026-06-01&to=2026-06-09`);
    assert.deepEqual(await windowsIn(page), ['2026-06-01 2026-06-09']);
    await page.locator('#players').getByText('from 1 Jun 2026 until 9 Jun 2026').first().waitFor();
    await page.reload();
    assert.deepEqual(await windowsIn(page), ['2026-06-01 2026-06-09']);
    assert.equal(await page.locator('form').getByLabel('until').inputValue(), '2026-06-09');
    await page.goBack();
    assert.equal(page.url(), `${address}?range=7d`);
    assert.deepEqual(await windowsIn(page), ['7d']);
    assert.equal(await page.locator('form [aria-current]').textContent(), '7d');
    await page.goBack();
    assert.deepEqual(await windowsIn(page), [''], 'the default');
    await page.goForward();
    await page.goForward();
    assert.deepEqual(await windowsIn(page), ['2026-06-01 2026-06-09']);
  },
);

pageTest('nothing is said about a window before its data is there', { at: address }, async ({ page }) => {
  const chart = page.locator('#players');
  await chart.getByRole('slider').waitFor();
  const data = Promise.withResolvers<void>();
  await page.route('**/api/v2/series?*', async (route) => {
    await data.promise;
    await route.fallback();
  });
  await chooseDates(page, '2026-03-01', '2026-03-09');
  await chart.locator('plugin-chart[aria-busy=true]').waitFor();
  assert.equal(await chart.getByText('No points').count(), 0);
  data.resolve();
  await chart.getByText('from 1 Mar 2026 until 9 Mar 2026').first().waitFor();
});

pageTest('dates in the wrong order are not shown', { at: address }, async ({ page }) => {
  await chooseDates(page, '2026-06-09', '2026-06-01');
  assert.equal(page.url(), address);
  assert.deepEqual(await windowsIn(page), [''], 'the default');
});

pageTest('CSV, pictures and Compare follow the window', { at: address }, async ({ page }) => {
  const hrefOf = (name: string) => hrefIn(page.locator('#players'), name);
  await linkIn(page, '90d').click();
  assert.equal(await hrefOf('CSV'), '/plugin/bukkit/ExamplePlugin/1337/players.csv?range=90d&bom=true');
  assert.equal(await hrefOf('PNG'), '/embed/1337/players.png?range=90d');
  assert.equal(await hrefOf('Compare'), '/compare?charts=1337:players&range=90d');
  await chooseDates(page, '2026-06-01', '2026-06-02');
  const dates = 'from=2026-06-01&to=2026-06-02';
  const csv = `/plugin/bukkit/ExamplePlugin/1337/players.csv?${dates}&bom=true`;
  assert.equal(await hrefOf('CSV'), csv);
  assert.equal(await hrefOf('SVG'), `/embed/1337/players.svg?${dates}`);
  await page.reload();
  assert.equal(await hrefOf('CSV'), csv);
});

pageTest(
  'without script the same address shows the same by pictures',
  { at: `${address}?range=7d`, javaScriptEnabled: false },
  async ({ page }) => {
    assert.match((await page.locator('#players img').getAttribute('src')) ?? '', /range=7d/);
    await linkIn(page, '1y').click();
    assert.match((await page.locator('#players img').getAttribute('src')) ?? '', /range=1y/);
    await chooseDates(page, '2026-06-01', '2026-06-09');
    await page.waitForURL(`${address}?from=2026-06-01&to=2026-06-09`);
    const window = /players\.svg\?from=2026-06-01&to=2026-06-09&width=/;
    assert.match((await page.locator('#players img').getAttribute('src')) ?? '', window);
    await linkIn(page, 'Over time').click();
    assert.match(
      (await page.locator('#os img').getAttribute('src')) ?? '',
      /os\.svg\?view=history&from=2026-06-01&to=2026-06-09&width=/,
    );
    await page.goto(`${address}?view=history&unit=count&range=1y`);
    assert.match(
      (await page.locator('#os img').getAttribute('src')) ?? '',
      // The newest time of the page is that of the lines.
      /view=history&unit=count&from=2025-06-30T23:30Z&to=2026-06-30T23:30:00.001Z&/,
    );
  },
);

pageTest(
  'the Tab key stops at most five times in a chart, and reaches its buttons and their menu in order',
  { at: address },
  async ({ page }) => {
    for (const id of ['players', 'javaVersion', 'os']) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      await page.locator(`#${id} .chart-box > svg`).waitFor();
      const stops = await page.locator(`#${id}`).evaluate((article) => {
        const shadow = article.querySelector('plugin-chart')?.shadowRoot;
        const all = [article, shadow].flatMap((root) => [
          ...(root?.querySelectorAll<HTMLElement>('a,button,[tabindex]') ?? []),
        ]);
        return all.filter((each) => each.tabIndex >= 0 && each.checkVisibility()).length;
      });
      assert.ok(stops <= 5, `${id}: ${stops}`);
    }
    const { keyboard } = page;
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: at } = document;
        return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
      });
    await buttonIn(page.locator('#players'), 'Table').focus();
    const seen: string[] = [];
    for (const key of ['Tab', 'Tab', 'Enter', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Escape']) {
      await keyboard.press(key);
      seen.push(await focused());
    }
    const links = ['Link to this chart', 'Compare', 'CSV', 'JSON', 'SVG', 'PNG'];
    assert.deepEqual(seen, ['Embed', 'More', 'More', ...links, 'More']);
    assert.equal(await linkIn(page.locator('#players'), 'CSV').count(), 0, 'Escape closes the menu');
  },
);

/** The address of a link in the menu of a chart. */
function hrefIn(chart: Locator, name: string): Promise<string | null> {
  return chart.getByRole('link', { name, exact: true, includeHidden: true }).getAttribute('href');
}

/** The names in a legend that are not struck out. */
async function shownIn(chart: Locator): Promise<readonly string[]> {
  const names = chart.locator('[data-row] text:nth-of-type(1):not([text-decoration])');
  return names.allTextContents();
}

pageTest(
  'a click in the legend hides a share, and that is in the address',
  inTallWindow,
  async ({ page }) => {
    const chart = page.locator('#serverSoftware');
    await chart.scrollIntoViewIfNeeded();
    const paper = buttonIn(chart, /^Paper: /);
    await paper.click();
    await page.waitForURL(`${address}?hide=serverSoftware:Paper`);
    assert.equal(await paper.getAttribute('aria-pressed'), 'false');
    assert.ok(!(await shownIn(chart)).includes('Paper'));
    await page.reload();
    await buttonIn(chart, /^Paper: /).waitFor();
    assert.equal(await paper.getAttribute('aria-pressed'), 'false');
    await page.goBack();
    await chart.locator('[data-row][aria-pressed=false]').waitFor({ state: 'detached' });
    await page.goForward();
    await chart.locator('[data-row][aria-pressed=false]').waitFor();
    await paper.click();
    await page.waitForURL(address);
  },
);

pageTest(
  'a double click isolates a share, and so does Shift with a key, in the history too',
  { ...inTallWindow, at: `${address}?view=history` },
  async ({ page }) => {
    const chart = page.locator('#serverSoftware');
    await chart.scrollIntoViewIfNeeded();
    await buttonIn(chart, /^Paper: /).dblclick();
    await page.waitForURL(`${address}?view=history&only=serverSoftware:Paper`);
    assert.deepEqual(await shownIn(chart), ['Paper']);
    await linkIn(page, '90d').click();
    await page.waitForURL(`${address}?range=90d&view=history&only=serverSoftware:Paper`);
    await chart.locator('plugin-chart[aria-busy=false]').waitFor();
    const spigot = buttonIn(chart, /^Spigot: /);
    await spigot.focus();
    await spigot.press('Shift+Enter');
    assert.deepEqual(await shownIn(chart), ['Spigot']);
    await spigot.press('Alt+Enter');
    await page.waitForURL(`${address}?range=90d&view=history`);
  },
);

pageTest(
  'the slices of a drilldown open by a click, and their keys hide them',
  inTallWindow,
  async ({ page }) => {
    const chart = page.locator('#javaVersion');
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('[data-row] rect:not(.hit)').first().click();
    await page.waitForURL(/hide=javaVersion:/);
    await chart.locator('[data-row] text').first().click();
    await buttonIn(chart, 'Back').waitFor();
  },
);

pageTest(
  'pictures, data and code to embed have all shares, and the page without script keeps its choice',
  inTallWindow,
  async ({ page }) => {
    const chart = page.locator('#serverSoftware');
    await chart.scrollIntoViewIfNeeded();
    await buttonIn(chart, /^Paper: /).click();
    const hrefOf = (name: string) => hrefIn(chart, name);
    const path = '/embed/1337/serverSoftware';
    await page.waitForURL(/hide=/);
    assert.equal(await hrefOf('SVG'), `${path}.svg`);
    assert.equal(await hrefOf('PNG'), `${path}.png`);
    assert.equal(await hrefOf('CSV'), '/plugin/bukkit/ExamplePlugin/1337/serverSoftware.csv?bom=true');
    await buttonIn(chart, 'Embed').click();
    assert.equal(await page.getByAltText('Preview').getAttribute('src'), `${server}${path}.svg`);
    await page.keyboard.press('Escape');
    await linkIn(page, 'Over time').click();
    await page.waitForURL(/view=history/);
    assert.equal(await hrefOf('SVG'), `${path}.svg?view=history`);

    await using plain = await openPage({ javaScriptEnabled: false });
    await plain.page.goto(page.url());
    await linkIn(plain.page, '90d').click();
    await plain.page.waitForURL(`${address}?range=90d&view=history&hide=serverSoftware:Paper`);
  },
);

pageTest('versions are read by their minor line, now and over time', { at: address }, async ({ page }) => {
  const versions = page.locator('#minecraftVersion');
  const line = versions
    .getByRole('img', { name: /1\.\d+\.x/ })
    .or(versions.locator('svg', { hasText: /1\.\d+\.x/ }));
  await versions.scrollIntoViewIfNeeded();
  await versions.locator('.chart-box > svg').waitFor();
  assert.equal(await line.count(), 0);
  await linkIn(page, 'Minor lines').click();
  await line.first().waitFor();
  assert.equal(page.url(), `${address}?group=minor`);
  assert.equal(await hrefIn(versions, 'SVG'), '/embed/1337/minecraftVersion.svg?group=minor');
  await linkIn(page, 'Over time').click();
  await page.waitForURL(`${address}?view=history&group=minor`);
  await line.first().waitFor();
  await linkIn(page, 'Each').click();
  await line.first().waitFor({ state: 'detached' });
  assert.equal(page.url(), `${address}?view=history`);
});
