// Comparisons in a real browser: add, remove, choose and share, with and without script.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { lineRecords } from './support/line-records.ts';
import { openPage } from './support/open-page.ts';
import { visit } from './support/pages.ts';
import { serveRecords, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const compare = `${server}/compare`;

/** The names of the lines, without their software. */
function lineNames(page: Page): Promise<readonly string[]> {
  return page.locator('.legend tbody th > a:not(.toggle, .only)').allInnerTexts();
}

async function latestValue(pluginId: number, chartId: string): Promise<number> {
  const path = `/api/v1/plugins/${pluginId}/charts/${chartId}/data?maxElements=1`;
  const [[, value]] = (await (await fetch(server + path)).json()) as [[number, number]];
  return value;
}

for (const javaScriptEnabled of [true, false])
  test(`lines are added and removed, ${javaScriptEnabled ? 'with script' : 'without script'}`, async () => {
    await using open = await openPage({ javaScriptEnabled });
    const { page } = open;
    await page.goto(compare);
    await page
      .getByRole('listitem')
      .filter({ hasText: 'HarborHomes' })
      .getByRole('link', { name: 'Players' })
      .click();
    await page.waitForURL(`${compare}?charts=2048:players`);
    await page.getByRole('searchbox').fill('example');
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'ExamplePlugin' })
      .getByRole('link', { name: 'Players' })
      .click();
    await page.waitForURL(`${compare}?charts=2048:players,1337:players`);
    assert.deepEqual(await lineNames(page), ['HarborHomes', 'ExamplePlugin']);
    const cells = await page
      .getByRole('row', { name: /ExamplePlugin/ })
      .getByRole('cell')
      .allInnerTexts();
    assert.equal(cells[0], (await latestValue(1337, 'players')).toLocaleString('en-US'));
    await page.getByRole('link', { name: 'Remove HarborHomes' }).click();
    await page.waitForURL(`${compare}?charts=1337:players`);
    assert.deepEqual(await lineNames(page), ['ExamplePlugin']);
  });

test('the address holds the whole state: a reload and another window show the same', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(`${compare}?charts=1337:servers,2048:servers`);
  await untilScripted(page);
  await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Indexed' }).click();
  await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: '7d' }).click();
  await page.waitForURL(`${compare}?charts=1337:servers,2048:servers&mode=indexed&range=7d`);
  const shown = async (at: Page) => {
    const parts = ['.toolbar', '.comparison .medium', '.legend'];
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
});

/** Waits for the script of the page, which comes after it; until then a click loads another page. */
async function untilScripted(page: Page): Promise<void> {
  await page.getByRole('slider').waitFor();
}

/** Holds back the answers to an address until the function is called. */
async function holdBack(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    // The page has given some of them up.
    await route.continue().catch(() => {});
  });
  return resolve;
}

test('a choice made while another one loads goes on top of it, and each is a step back', async () => {
  await using open = await openPage();
  const { page } = open;
  const charts = `${compare}?charts=1337:servers,2048:servers`;
  await page.goto(`${charts}&range=30d`);
  await untilScripted(page);
  const release = await holdBack(page, `${charts}&mode=indexed`);
  await page.getByRole('link', { name: 'Indexed' }).click();
  await page.getByRole('link', { name: '7d' }).click();
  await page.waitForURL(`${charts}&mode=indexed&range=7d`);
  await page.getByRole('link', { name: 'Indexed' }).and(page.locator('[aria-current]')).waitFor();
  release();
  await page.goBack();
  await page.waitForURL(`${charts}&mode=indexed`);
  await page.getByRole('link', { name: '30d' }).and(page.locator('[aria-current]')).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Values' }).and(page.locator('[aria-current]')).waitFor();
  assert.equal(page.url(), `${charts}&range=30d`);
});

test('what is typed while a choice loads is searched for, and the choice is kept', async () => {
  await using open = await openPage();
  const { page } = open;
  const charts = `${compare}?charts=1337:servers`;
  await page.goto(charts);
  await untilScripted(page);
  const release = await holdBack(page, `${charts}&mode=indexed`);
  await page.getByRole('link', { name: 'Indexed' }).click();
  await page.getByRole('searchbox').fill('harborgate');
  await page.waitForURL(`${charts}&mode=indexed&add=harborgate`);
  release();
  assert.equal(await page.getByRole('searchbox').inputValue(), 'harborgate');
  await page.getByRole('link', { name: 'Indexed' }).and(page.locator('[aria-current]')).waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'HarborGate' })
    .getByRole('link', { name: 'Servers' })
    .click();
  await page.waitForURL(`${charts},2049:servers&mode=indexed`);
});

test('a sum adds up the latest values', async () => {
  await using open = await openPage();
  const ids = [1337, 2048, 2049];
  await open.page.goto(`${compare}?charts=${ids.map((id) => `${id}:players`).join(',')}&mode=sum`);
  const values = await Promise.all(ids.map((id) => latestValue(id, 'players')));
  const sum = values.reduce((total, value) => total + value, 0).toLocaleString('en-US');
  assert.match(await open.page.locator('.comparison .wide').innerHTML(), new RegExp(sum));
  assert.equal(await open.page.getByRole('heading', { level: 1 }).textContent(), 'Players, added up');
});

test('ten lines are the limit: all are drawn, and no more can be added', async () => {
  const ids = [1, 2, 3, 5, 12, 1337, 2048, 2049, 2050, 2101];
  await using open = await openPage();
  await open.page.goto(`${compare}?charts=${ids.map((id) => `${id}:players`).join(',')}`);
  assert.equal((await lineNames(open.page)).length, ids.length);
  assert.equal(await open.page.locator('.comparison .wide circle').count(), ids.length);
  assert.equal(await open.page.getByRole('searchbox').count(), 0);
  await open.page.getByText('A comparison has up to 10 lines.').waitFor();
});

test('an error page says what cannot be compared and links onward', async () => {
  await using open = await openPage({ mayFail: true });
  for (const [charts, status, said] of [
    ['999999:players', 404, /There is no plugin with the id 999999/],
    ['1337:nothing', 404, /nothing/],
    ['1337:nothing,999999:players', 404, /nothing/],
    ['1337:serverSoftware', 400, /line charts/],
    ['1337', 400, /1337:players/],
    ['1337:players,1337:players', 400, /each once/],
  ] as const) {
    const response = await open.page.goto(`${compare}?charts=${charts}`);
    assert.equal(response?.status(), status, charts);
    assert.match((await open.page.getByRole('main').textContent()) ?? '', said);
    assert.ok(await open.page.getByRole('link', { name: 'All plugins' }).isVisible());
  }
});

test('the values of all lines are shown at the pointer, with the nearest marked', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(`${compare}?charts=1337:players,2048:players,2049:players`);
  const cursor = page.getByRole('slider');
  const box = (await cursor.boundingBox()) ?? assert.fail();
  // The lowest line is ExamplePlugin, the highest HarborHomes.
  for (const [share, name] of [
    [0.99, 'ExamplePlugin'],
    [0.05, 'HarborHomes'],
  ] as const) {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height * share);
    assert.equal(await page.locator('.tip-lines .near td').nth(1).textContent(), name);
  }
  await cursor.focus();
  await page.keyboard.press('End');
  assert.match(
    (await cursor.getAttribute('aria-valuetext')) ?? '',
    /^30 Jun 2026, 23:30 UTC: HarborHomes [\d,]+, HarborGate/,
  );
  const shown = new Map<string, string>();
  for (const row of await page.locator('.tip-lines tr').all()) {
    const [, name = '', value = ''] = await row.locator('td').allTextContents();
    shown.set(name, value);
  }
  for (const [id, name] of [
    [1337, 'ExamplePlugin'],
    [2048, 'HarborHomes'],
    [2049, 'HarborGate'],
  ] as const)
    assert.equal(shown.get(name), (await latestValue(id, 'players')).toLocaleString('en-US'));
});

test('dragging zooms, Escape goes back, and hiding a line keeps both and the focus, without a new page', async () => {
  await using open = await openPage();
  const { page, requests } = open;
  await page.goto(`${compare}?charts=1337:players,2048:players&range=7d`);
  const box = (await page.getByRole('slider').boundingBox()) ?? assert.fail();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 80, { steps: 3 });
  await page.mouse.up();
  await page.waitForURL(/players&from=2026-06-\d\d(T[\d:]+Z)?&to=2026-06-\d\d/);
  await page.getByRole('link', { name: 'Hide HarborHomes' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/&from=[^&]+&to=[^&]+&hide=2048:players$/);
  await page.getByRole('link', { name: 'Show HarborHomes' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'toggle-2048:players');
  assert.equal(await page.locator('.comparison .medium circle').count(), 1);
  await page.getByRole('slider').focus();
  await page.keyboard.press('Escape');
  await page.waitForURL(/players&range=7d&hide=2048:players$/);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.waitForURL(`${compare}?charts=1337:players,2048:players&range=7d`);
  await page.getByRole('link', { name: 'Hide HarborHomes' }).waitFor();
  assert.equal(requests.filter((url) => /\/site-\w+\.css$/.test(url)).length, 1);
});

test('what is typed before the script comes is searched when it comes', async () => {
  await using open = await openPage();
  const { page } = open;
  const script = Promise.withResolvers<void>();
  await page.route('**/compare.js*', (route) => script.promise.then(() => route.continue()));
  await page.goto(`${compare}?charts=1337:players`);
  await page.getByRole('searchbox').fill('harborgate');
  script.resolve();
  await page.waitForURL(`${compare}?charts=1337:players&add=harborgate`);
  assert.equal(await page.locator('#offered li').count(), 1);
});

test('a click on a plugin counts though others are found while the button is down', async () => {
  await using open = await openPage();
  const { page } = open;
  const charts = `${compare}?charts=1337:players`;
  await page.goto(charts);
  await untilScripted(page);
  const release = await holdBack(page, `${charts}&add=harborgate`);
  await page.getByRole('searchbox').fill('harborhomes');
  const link = page.locator('#offered').getByRole('link', { name: 'Players' });
  await link.hover();
  const asked = page.waitForRequest(`${charts}&add=harborgate`);
  await page.getByRole('searchbox').fill('harborgate');
  const request = await asked;
  await page.mouse.down();
  release();
  await (await request.response())?.finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  await page.mouse.up();
  await page.getByRole('rowheader', { name: 'HarborHomes' }).waitFor();
});

test('plugins are found as you type, and one is added without losing the page', async () => {
  await using open = await openPage();
  const { page, requests } = open;
  await page.goto(`${compare}?charts=1337:players`);
  await page.getByRole('searchbox').pressSequentially('harborgate');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'HarborGate' })
    .getByRole('link', { name: 'Players' })
    .click();
  await page.waitForURL(`${compare}?charts=1337:players,2049:players`);
  assert.deepEqual(await lineNames(page), ['ExamplePlugin', 'HarborGate']);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
  assert.equal(requests.filter((url) => /\/site-\w+\.css$/.test(url)).length, 1);
});

test('a server that does not answer leaves the comparison as it is, and says so', async () => {
  await using open = await openPage({ mayFail: true });
  const { page } = open;
  await page.goto(`${compare}?charts=1337:players,2048:players`);
  await untilScripted(page);
  await page.route('**/compare?*', (route) => route.abort());
  await page.getByRole('link', { name: 'Indexed' }).click();
  await page.getByText('The server did not answer.').waitFor({ state: 'attached' });
  assert.deepEqual(await lineNames(page), ['ExamplePlugin', 'HarborHomes']);
  assert.equal(page.url(), `${compare}?charts=1337:players,2048:players`);
  await page.unroute('**/compare?*');
  await page.getByRole('link', { name: 'Indexed' }).click();
  await page.waitForURL(/mode=indexed/);
});

test('on a phone the table says too which lines have no points', async () => {
  await using open = await openPage({ viewport: { width: 390, height: 844 } });
  await open.page.goto(`${compare}?charts=1337:players,2048:players&from=2000-01-01&to=2000-02-01`);
  for (const note of await open.page.getByText('no points here').all()) assert.ok(await note.isVisible());
  assert.equal(await open.page.getByText('no points here').count(), 2);
  assert.ok(await open.page.getByText('No points from 1 Jan 2000').last().isVisible());
});

test('a line that has ended has the date of its newest point, whatever the window', async () => {
  const current = lineRecords([[Date.UTC(2026, 5, 30), 7]])
    .filter((record) => 'chartId' in record)
    .map((record) => ({ ...record, chartId: 'servers', ...('uid' in record ? { uid: 2 } : {}) }));
  const { url } = await serveRecords([...lineRecords([[Date.UTC(2024, 5, 30), 13]]), ...current]);
  await using open = await openPage();
  await visit(open, `${url}/compare?charts=1:players,1:servers&range=all`);
  const rows = await open.page.locator('.legend tbody tr').allInnerTexts();
  assert.deepEqual(
    rows.map((row) => /the newest is of .*/.exec(row)?.[0]),
    ['the newest is of 30 Jun 2024', undefined],
  );
});
