// Events of a plugin on its lines and histories: marks that are links, and their rows in tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { lineRecords } from './support/line-records.ts';
import { openPage, pageTest } from './support/open-page.ts';
import { buttonIn, linkIn, sliderIn } from './support/roles.ts';
import { embed, serveRecords, serveSampleSite } from './support/site-server.ts';

const hourMs = 60 * 60 * 1000;
const end = Date.UTC(2026, 5, 30);
const event = (hours: number, title: string, url: string | null) => ({
  record: 'event',
  pluginId: 1,
  time: end - hours * hourMs,
  title,
  url,
});

const points = Array.from(
  { length: 1441 },
  (_, index) => [end - (1440 - index) * (hourMs / 2), index % 48] as const,
);
const { url: server } = await serveRecords([
  ...lineRecords(points),
  event(600, '<b>0.9</b>', 'https://example.org/0.9'),
  event(300, '1.0.0', 'https://example.org/1.0.0'),
  event(200, 'Featured', null),
  event(101, '1.1.0', 'https://example.org/1.1.0'),
  event(100, '1.1.1', 'https://example.org/1.1.1'),
]);

async function openLine(page: Page): Promise<void> {
  await page.goto(await embed(server, 'plugin="1" chart="players"'));
  await page.locator('.events > *').first().waitFor();
}

pageTest(
  'Tab reaches the events once, arrow keys go through them, and Enter follows a link',
  {},
  async ({ page }) => {
    await openLine(page);
    await page.route('https://example.org/**', (route) => route.fulfill({ body: 'A release' }));
    await sliderIn(page).focus();
    await page.keyboard.press('Tab');
    const tip = page.locator('.tip');
    assert.equal(await tip.innerText(), '<b>0.9</b>\n5 Jun 2026, 00:00 UTC\nhttps://example.org/0.9');
    await page.keyboard.press('ArrowRight');
    assert.match(await tip.innerText(), /^1\.0\.0\n17 Jun 2026/);
    await page.keyboard.press('Tab');
    assert.equal(await tip.isVisible(), false);
    assert.equal(await page.locator('.events :focus').count(), 0);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('https://example.org/1.0.0');
  },
);

pageTest('the mark of several events zooms into their time', {}, async ({ page }) => {
  await openLine(page);
  const several = buttonIn(page, '2 events, 25 Jun 2026, 1.1.0, 1.1.1');
  await several.click();
  await linkIn(page, /^1\.1\.1, 25 Jun 2026/).waitFor();
  assert.equal(await page.locator('.events > *').count(), 2);
});

pageTest(
  'the first tap on a mark shows its event, and the second follows the link',
  { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } },
  async ({ page }) => {
    await openLine(page);
    await page.route('https://example.org/**', (route) => route.fulfill({ body: 'A release' }));
    const mark = linkIn(page, /^1\.0\.0/);
    await mark.tap();
    await page.locator('.tip').waitFor();
    assert.match(await page.locator('.tip').innerText(), /^1\.0\.0/);
    assert.equal(new URL(page.url()).hostname, '127.0.0.1');
    await mark.tap();
    await page.waitForURL('https://example.org/1.0.0');
  },
);

test('a history has marks as well, and its table a list of events', async () => {
  const { url } = await serveSampleSite();
  await using open = await openPage();
  const { page } = open;
  await page.goto(`${url}/plugin/bukkit/ExamplePlugin/1337?view=history&range=1y`);
  const chart = page.locator('#pluginVersion');
  await chart.scrollIntoViewIfNeeded();
  await chart.locator('.events > *').first().waitFor();
  await buttonIn(chart, 'Table').click();
  const link = linkIn(chart.getByRole('table'), '2.4.1');
  assert.equal(await link.getAttribute('href'), 'https://example.org/plugins/1337/releases/2.4.1');
});
