// Comparisons in a real browser: add, remove, choose and share, with and without script.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from './support/open-page.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const compare = `${server}/compare`;

/** The names of the lines, without their software. */
function lineNames(page: Page): Promise<readonly string[]> {
  return page.locator('.legend tbody th a').allInnerTexts();
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
  await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Indexed' }).click();
  await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: '7d' }).click();
  await page.waitForURL(`${compare}?charts=1337:servers,2048:servers&mode=indexed&range=7d`);
  const main = await page.getByRole('main').innerHTML();
  assert.match(main, /First point = 100/);
  await page.reload();
  assert.equal(await page.getByRole('main').innerHTML(), main);
  await using other = await openPage();
  await other.page.goto(page.url());
  assert.equal(await other.page.getByRole('main').innerHTML(), main);
  await page.goBack();
  await page.waitForURL(/indexed$/);
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
