// Comparisons in a real browser: add, remove, choose and share, with and without script.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, pageTest } from './support/open-page.ts';
import { valueText } from './support/pages.ts';
import { buttonIn, linkIn, searchIn, sliderIn } from './support/roles.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const compare = `${server}/compare`;

/** The names of the lines, without their software. */
function lineNames(page: Page): Promise<readonly string[]> {
  return page.locator('.legend tbody th > a:not(.toggle, .only)').allInnerTexts();
}

/** Adds the players of an offered plugin. */
const addPlayers = (page: Page, plugin: string) =>
  linkIn(page.getByRole('listitem').filter({ hasText: plugin }), 'Players').click();

async function latestValue(pluginId: number, chartId: string): Promise<number> {
  const path = `/api/v1/plugins/${pluginId}/charts/${chartId}/data?maxElements=1`;
  const [[, value]] = (await (await fetch(server + path)).json()) as [[number, number]];
  return value;
}

for (const javaScriptEnabled of [true, false])
  pageTest(
    `lines are added and removed, ${javaScriptEnabled ? 'with script' : 'without script'}`,
    { at: compare, javaScriptEnabled },
    async ({ page }) => {
      await addPlayers(page, 'HarborHomes');
      await page.waitForURL(`${compare}?charts=2048:players`);
      await searchIn(page).fill('example');
      await buttonIn(page.getByRole('main'), 'Search').click();
      await addPlayers(page, 'ExamplePlugin');
      await page.waitForURL(`${compare}?charts=2048:players,1337:players`);
      assert.deepEqual(await lineNames(page), ['HarborHomes', 'ExamplePlugin']);
      const cells = await page
        .getByRole('row', { name: /ExamplePlugin/ })
        .getByRole('cell')
        .allInnerTexts();
      assert.equal(cells[0], (await latestValue(1337, 'players')).toLocaleString('en-US'));
      await linkIn(page, 'Remove HarborHomes').click();
      await page.waitForURL(`${compare}?charts=1337:players`);
      assert.deepEqual(await lineNames(page), ['ExamplePlugin']);
    },
  );

pageTest(
  'a search keeps what is chosen while it is on its way',
  { at: `${compare}?charts=1337:players,2048:players` },
  async ({ page }) => {
    await sliderIn(page).waitFor();
    const answer = Promise.withResolvers<void>();
    await page.route(/[?&]add=/, (route) => answer.promise.then(() => route.continue()));
    const asked = page.waitForRequest(/[?&]add=/);
    await searchIn(page).fill('museum');
    await asked;
    await linkIn(page.getByRole('navigation', { name: 'Range' }), '7d').click();
    answer.resolve();
    const add = linkIn(page.getByRole('listitem').filter({ hasText: 'ChartMuseum' }), 'Players');
    await add.waitFor();
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('range'), searchParams.get('add')], ['7d', 'museum']);
    assert.match((await add.getAttribute('href')) ?? '', /range=7d/);
  },
);

pageTest(
  'the address holds the whole state: a reload and another window show the same',
  { at: `${compare}?charts=1337:servers,2048:servers` },
  async ({ page }) => {
    await sliderIn(page).waitFor();
    await linkIn(page.getByRole('navigation', { name: 'Mode' }), 'Indexed').click();
    await linkIn(page.getByRole('navigation', { name: 'Range' }), '7d').click();
    await page.waitForURL(`${compare}?charts=1337:servers,2048:servers&mode=indexed&range=7d`);
    const link = linkIn(page, /^Link$/);
    assert.equal(await link.evaluate((a: HTMLAnchorElement) => a.href), page.url());
    const shown = async (at: Page) => {
      await drawingOf(at, 'in the 7 days to 30 Jun 2026').waitFor();
      const parts = ['[aria-label=Mode]', 'plugin-chart .chart-box', '.acts', '.legend'];
      return Promise.all(parts.map((part) => at.locator(part).innerHTML()));
    };
    const parts = await shown(page);
    assert.match(parts[1] ?? '', /Mean of the first day = 100/);
    await page.reload();
    assert.deepEqual(await shown(page), parts);
    await using other = await openPage();
    await other.page.goto(page.url());
    assert.deepEqual(await shown(other.page), parts);
    await page.goBack();
    await page.waitForURL(/indexed$/);
    await drawingOf(page, 'in the 30 days to 30 Jun 2026').waitFor();
  },
);

/** The drawing of the comparison with some words in its description. */
function drawingOf(page: Page, words: string) {
  return page.locator(`plugin-chart svg[aria-label*="${words}"]`);
}

pageTest(
  'the table of the chart has a column for each line, and one for the sum that is said at the cursor',
  { at: `${compare}?charts=1337:players,2048:players&mode=sum&range=7d` },
  async ({ page }) => {
    await sliderIn(page).focus();
    const words = await valueText(sliderIn(page));
    await buttonIn(page, 'Table').click();
    await page.getByRole('button', { name: 'Table', pressed: true }).waitFor();
    const table = page.getByRole('region', { name: 'Players, added up, table' });
    await table.waitFor();
    assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), [
      'Time',
      'ExamplePlugin',
      'HarborHomes',
      'Sum',
    ]);
    const [first = '', ...cells] = await table.getByRole('row').nth(1).locator('th, td').allInnerTexts();
    assert.match(first, /^30 Jun 2026/);
    const [one = 0, two = 0, sum] = cells.map((cell) => Number(cell.replaceAll(',', '')));
    assert.equal(sum, one + two);
    assert.match(words, new RegExp(`^30 Jun 2026.*sum ${cells[2]}\\b`));
    await buttonIn(page, 'Table').click();
    await table.waitFor({ state: 'detached' });
  },
);

for (const [mode, range] of [
  ['indexed', '1y'],
  ['absolute', '1y'],
  ['indexed', '7d'],
] as const)
  pageTest(
    `what stands beside a line is what the tip and the table say of its end: ${mode}, ${range}`,
    { at: `${compare}?charts=1337:servers,2048:servers,2049:servers&mode=${mode}&range=${range}` },
    async ({ page }) => {
      const cursor = sliderIn(page);
      await cursor.focus();
      await cursor.press('End');
      const [, , label = ''] = await page
        .locator('.chart-box > svg text[font-weight="600"]')
        .allTextContents();
      assert.match(label, /^[\d.,k]+$/);
      assert.ok((await valueText(cursor)).includes(` ${label}`), `${label}: ${await valueText(cursor)}`);
      await buttonIn(page, 'Table').click();
      const cells = await page
        .getByRole('region', { name: /table$/ })
        .getByRole('row')
        .nth(1)
        .innerText();
      assert.ok(cells.includes(`\t${label}`), `${label}: ${cells}`);
    },
  );

test('ten lines are the limit: all are drawn, and no more can be added', async () => {
  const ids = [1, 2, 3, 5, 12, 1337, 2048, 2049, 2050, 2101];
  await using open = await openPage();
  await open.page.goto(`${compare}?charts=${ids.map((id) => `${id}:players`).join(',')}`);
  assert.equal((await lineNames(open.page)).length, ids.length);
  await sliderIn(open.page).waitFor();
  assert.equal(await open.page.locator('plugin-chart .chart-box > svg circle').count(), ids.length);
  assert.equal(await searchIn(open.page).count(), 0);
  await open.page.getByText('A comparison has up to 10 charts.').waitFor();
});

pageTest(
  'the values of all lines are shown at the pointer, with the nearest marked',
  { at: `${compare}?charts=1337:players,2048:players,2049:players` },
  async ({ page }) => {
    const cursor = sliderIn(page);
    await cursor.scrollIntoViewIfNeeded();
    const box = (await cursor.boundingBox()) ?? assert.fail();
    // The lowest line is ExamplePlugin, the highest HarborHomes.
    for (const [share, name] of [
      [0.99, 'ExamplePlugin'],
      [0.05, 'HarborHomes'],
    ] as const) {
      await page.mouse.move(box.x + box.width / 2, box.y + box.height * share);
      assert.equal(await page.locator('.tip .near td').nth(1).textContent(), name);
    }
    await cursor.focus();
    await page.keyboard.press('End');
    assert.match(await valueText(cursor), /^30 Jun 2026, 23:30 UTC: HarborHomes [\d,]+, HarborGate/);
    const shown = new Map<string, string>();
    for (const row of await page.locator('.tip tr').all()) {
      const [, name = '', value = ''] = await row.locator('td').allTextContents();
      shown.set(name, value);
    }
    for (const [id, name] of [
      [1337, 'ExamplePlugin'],
      [2048, 'HarborHomes'],
      [2049, 'HarborGate'],
    ] as const)
      assert.equal(shown.get(name), (await latestValue(id, 'players')).toLocaleString('en-US'));
  },
);

pageTest(
  'dragging zooms, Escape goes back, and hiding a line keeps both and the focus, without a new page',
  { at: `${compare}?charts=1337:players,2048:players&range=7d` },
  async ({ page, requests }) => {
    await sliderIn(page).scrollIntoViewIfNeeded();
    const box = (await sliderIn(page).boundingBox()) ?? assert.fail();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 80, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/players&from=2026-06-\d\d(T[\d:]+Z)?&to=2026-06-\d\d/);
    await linkIn(page, 'Hide HarborHomes').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/&from=[^&]+&to=[^&]+&hide=2048:players$/);
    await linkIn(page, 'Show HarborHomes').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), 'Show HarborHomes');
    await page.locator('plugin-chart[aria-busy=false]').waitFor();
    assert.equal(await page.locator('plugin-chart .chart-box > svg circle').count(), 1);
    await sliderIn(page).focus();
    await page.keyboard.press('Escape');
    await page.waitForURL(/players&range=7d&hide=2048:players$/);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.waitForURL(`${compare}?charts=1337:players,2048:players&range=7d`);
    await linkIn(page, 'Hide HarborHomes').waitFor();
    assert.equal(requests.filter((url) => /\/site-\w+\.css$/.test(url)).length, 1);
  },
);

pageTest(
  'plugins are found as you type, also before the script comes, and what was chosen stays',
  {},
  async ({ page }) => {
    const script = Promise.withResolvers<void>();
    await page.route('**/site-*.js', (route) => script.promise.then(() => route.continue()));
    await page.goto(`${compare}?charts=1337:players`, { waitUntil: 'commit' });
    await searchIn(page).fill('harborgate');
    script.resolve();
    const searched = (query: string) =>
      page.waitForURL(({ search }) => decodeURIComponent(search) === `?charts=1337:players&${query}`);
    await searched('add=harborgate');
    assert.equal(await page.locator('#offered li').count(), 1);
    await linkIn(page, 'Indexed').click();
    await searchIn(page).fill('harborhomes');
    await searched('mode=indexed&add=harborhomes');
    await linkIn(page, '7d').click();
    await addPlayers(page, 'HarborHomes');
    await page.waitForURL(`${compare}?charts=1337:players,2048:players&mode=indexed&range=7d`);
    assert.deepEqual(await lineNames(page), ['ExamplePlugin', 'HarborHomes']);
  },
);

pageTest(
  'a chart that does not exist is said by the element, also if another one does',
  { at: `${compare}?charts=1337:players,2048:players`, mayFail: true },
  async ({ page }) => {
    await sliderIn(page).waitFor();
    for (const charts of ['1337:players,1337:gone', '1337:players,1337:serverSoftware', 'players']) {
      await page
        .locator('plugin-chart')
        .evaluate((chart, value) => chart.setAttribute('charts', value), charts);
      await page.getByText('This chart does not exist.').first().waitFor();
      await page
        .locator('plugin-chart')
        .evaluate((chart) => chart.setAttribute('charts', '1337:players,2048:players'));
      await sliderIn(page).waitFor();
    }
  },
);
