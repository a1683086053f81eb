// The state of a plugin's page: in its address, for all charts, with and without script.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from './support/open-page.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;

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
  await page.locator('form').getByLabel('From').fill(from);
  await page.locator('form').getByLabel('until').fill(to);
  await page.getByRole('button', { name: 'Show' }).click();
}

test('a window is for all charts, in the address, and comes back on reload, back and forward', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(address);
  await page.getByRole('link', { name: '7d' }).click();
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
});

test('the way back after a window is the range before it', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(`${address}?range=90d`);
  const back = page.getByRole('link', { name: 'Back to 90d' });
  await chooseDates(page, '2026-06-01', '2026-06-09');
  await back.click();
  await page.waitForURL(`${address}?range=90d`);
  await back.waitFor({ state: 'hidden' });
  assert.deepEqual(await windowsIn(page), ['90d']);
});

test('dates in the wrong order are not shown', async () => {
  await using open = await openPage();
  await open.page.goto(address);
  await chooseDates(open.page, '2026-06-09', '2026-06-01');
  assert.equal(open.page.url(), address);
  assert.deepEqual(await windowsIn(open.page), [''], 'the default');
});

test('CSV, pictures and Compare follow the window', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(address);
  const hrefOf = (name: string) => page.locator('#players').getByRole('link', { name }).getAttribute('href');
  await page.getByRole('link', { name: '90d' }).click();
  assert.equal(await hrefOf('CSV'), '/plugin/bukkit/ExamplePlugin/1337/players.csv?range=90d');
  assert.equal(await hrefOf('PNG'), '/embed/1337/players.png?range=90d');
  assert.equal(await hrefOf('Compare'), '/compare?charts=1337:players&range=90d');
  await chooseDates(page, '2026-06-01', '2026-06-02');
  const csv = (await hrefOf('CSV')) ?? '';
  const rows = (await (await fetch(server + csv)).text()).trim().split('\r\n');
  assert.equal(rows.length, 1 + 48);
  assert.match(rows[1] ?? '', /^2026-06-01T00:00:00Z,/);
  assert.equal(await hrefOf('SVG'), '/embed/1337/players.svg?from=2026-06-01&to=2026-06-02');
  const svg = await (await fetch(server + (await hrefOf('SVG')))).text();
  assert.match(svg, /from 1 Jun 2026 until 2 Jun 2026/);
  await page.reload();
  assert.equal(await hrefOf('CSV'), csv);
});

test('without script the same address shows the same by pictures', async () => {
  await using open = await openPage({ javaScriptEnabled: false });
  const { page } = open;
  await page.goto(`${address}?range=7d`);
  assert.match((await page.locator('#players img').getAttribute('src')) ?? '', /range=7d/);
  await page.getByRole('link', { name: '1y' }).click();
  assert.match((await page.locator('#players img').getAttribute('src')) ?? '', /range=1y/);
  await chooseDates(page, '2026-06-01', '2026-06-09');
  await page.waitForURL(`${address}?from=2026-06-01&to=2026-06-09`);
  const window = /players\.svg\?from=2026-06-01&to=2026-06-09&width=/;
  assert.match((await page.locator('#players img').getAttribute('src')) ?? '', window);
  await page.getByRole('link', { name: 'Over time' }).click();
  assert.match(
    (await page.locator('#os img').getAttribute('src')) ?? '',
    /os\.svg\?view=history&from=2026-06-01&to=2026-06-09&width=/,
  );
  await page.goto(`${address}?view=history&unit=count&range=1y`);
  assert.match((await page.locator('#os img').getAttribute('src')) ?? '', /view=history&unit=count&range=1y/);
});

test('a chart and the links below it take at most five stops of the Tab key', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(address);
  for (const id of ['players', 'javaVersion', 'os']) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    await page.locator(`#${id} .stage > svg`).waitFor();
    const stops = await page.locator(`#${id}`).evaluate((article) => {
      const shadow = article.querySelector('plugin-chart')?.shadowRoot;
      const all = [article, shadow].flatMap((root) => [
        ...(root?.querySelectorAll<HTMLElement>('a,button,[tabindex]') ?? []),
      ]);
      return all.filter((each) => each.tabIndex >= 0 && each.checkVisibility()).length;
    });
    assert.ok(stops <= 5, `${id}: ${stops}`);
  }
  await page.locator('#players').getByRole('button', { name: 'Embed' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  assert.equal(focused, 'Link');
});
