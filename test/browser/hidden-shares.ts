// Shares that a reader hides or isolates in the legend: in the address, and back on reload, back and forward.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { openPage } from './support/open-page.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;

/** The names in a legend that are not struck out. */
async function shownIn(chart: Locator): Promise<readonly string[]> {
  const names = chart.locator('[data-row] text:nth-of-type(1):not([text-decoration])');
  return names.allTextContents();
}

test('a click in the legend hides a share, and that is in the address', async () => {
  await using open = await openPage({ viewport: { width: 1200, height: 1400 } });
  const { page } = open;
  await page.goto(address);
  const chart = page.locator('#serverSoftware');
  await chart.scrollIntoViewIfNeeded();
  const paper = chart.getByRole('button', { name: /^Paper: / });
  await paper.click();
  await page.waitForURL(`${address}?hide=serverSoftware:Paper`);
  assert.equal(await paper.getAttribute('aria-pressed'), 'false');
  assert.ok(!(await shownIn(chart)).includes('Paper'));
  await page.reload();
  await chart.getByRole('button', { name: /^Paper: / }).waitFor();
  assert.equal(await paper.getAttribute('aria-pressed'), 'false');
  await page.goBack();
  await chart.locator('[data-row][aria-pressed=false]').waitFor({ state: 'detached' });
  await page.goForward();
  await chart.locator('[data-row][aria-pressed=false]').waitFor();
  await paper.click();
  await page.waitForURL(address);
});

test('a double click isolates a share, and so does Shift with a key, in the history too', async () => {
  await using open = await openPage({ viewport: { width: 1200, height: 1400 } });
  const { page } = open;
  await page.goto(`${address}?view=history`);
  const chart = page.locator('#serverSoftware');
  await chart.scrollIntoViewIfNeeded();
  await chart.getByRole('button', { name: /^Paper: / }).dblclick();
  await page.waitForURL(`${address}?view=history&only=serverSoftware:Paper`);
  assert.deepEqual(await shownIn(chart), ['Paper']);
  await page.getByRole('link', { name: '90d' }).click();
  await page.waitForURL(`${address}?range=90d&view=history&only=serverSoftware:Paper`);
  const spigot = chart.getByRole('button', { name: /^Spigot: / });
  await spigot.focus();
  await spigot.press('Shift+Enter');
  assert.deepEqual(await shownIn(chart), ['Spigot']);
  await spigot.press('Alt+Enter');
  await page.waitForURL(`${address}?range=90d&view=history`);
});

test('the slices of a drilldown open by a click, and their keys hide them', async () => {
  await using open = await openPage({ viewport: { width: 1200, height: 1400 } });
  const { page } = open;
  await page.goto(address);
  const chart = page.locator('#javaVersion');
  await chart.scrollIntoViewIfNeeded();
  await chart.locator('[data-row] rect:not(.hit)').first().click();
  await page.waitForURL(/hide=javaVersion:/);
  await chart.locator('[data-row] text').first().click();
  await chart.getByRole('button', { name: 'Back' }).waitFor();
});

test('pictures, data and code to embed have all shares, and the page without script keeps its choice', async () => {
  await using open = await openPage({ viewport: { width: 1200, height: 1400 } });
  const { page } = open;
  await page.goto(address);
  const chart = page.locator('#serverSoftware');
  await chart.scrollIntoViewIfNeeded();
  await chart.getByRole('button', { name: /^Paper: / }).click();
  const hrefOf = (name: string) => chart.getByRole('link', { name, exact: true }).getAttribute('href');
  const path = '/embed/1337/serverSoftware';
  await page.waitForURL(/hide=/);
  assert.equal(await hrefOf('SVG'), `${path}.svg`);
  assert.equal(await hrefOf('PNG'), `${path}.png`);
  assert.equal(await hrefOf('CSV'), '/plugin/bukkit/ExamplePlugin/1337/serverSoftware.csv');
  await chart.getByRole('button', { name: 'Embed' }).click();
  assert.equal(await page.getByAltText('Preview').getAttribute('src'), `${server}${path}.svg`);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Over time' }).click();
  await page.waitForURL(/view=history/);
  assert.equal(await hrefOf('SVG'), `${path}.svg?view=history`);

  await using plain = await openPage({ javaScriptEnabled: false });
  await plain.page.goto(page.url());
  await plain.page.getByRole('link', { name: '90d' }).click();
  await plain.page.waitForURL(`${address}?range=90d&view=history&hide=serverSoftware:Paper`);
});
