// Lines without points in the window of their page: small and named, from the first byte on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { lineRecords } from './support/line-records.ts';
import { openPage } from './support/open-page.ts';
import { serveRecords } from './support/site-server.ts';

const halfHourMs = 30 * 60 * 1000;
const start = Date.UTC(2026, 5, 1);
const points = Array.from({ length: 480 }, (_, index) => [start + index * halfHourMs, index] as const);

/** The records of a second line, which ended a year before. */
const ended = lineRecords([[Date.UTC(2025, 5, 1), 7]])
  .filter((record) => 'chartId' in record)
  .map((record) => ({
    ...record,
    chartId: 'ended',
    ...('uid' in record ? { uid: 2, position: -1, title: 'Ended <line>' } : {}),
  }));
const { url } = await serveRecords([...lineRecords(points), ...ended]);
const inWindow = `${url}/plugin/bukkit/Lined/1?from=2026-06-02&to=2026-06-04`;
const sentence = 'No points from 2 Jun 2026 until 4 Jun 2026.';

function heightOf(page: Page, chartId: string): Promise<number> {
  return page
    .locator(`plugin-chart[chart=${chartId}]`)
    .evaluate((chart) => Math.round(chart.getBoundingClientRect().height));
}

test('a line without points in the window is small and named, and nothing moves', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(inWindow);
  assert.equal(await heightOf(page, 'ended'), 112);
  await page.locator('#players .stage > svg').waitFor();
  await page.locator('#ended .message').getByText(sentence).waitFor();
  await page.locator('#ended .message').getByText('Ended <line>').waitFor();
  assert.equal(await heightOf(page, 'ended'), 112);
  assert.equal(await heightOf(page, 'players'), 340);
  assert.deepEqual(await page.evaluate('shifts'), []);
});

test('it grows when a range with points is chosen', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(inWindow);
  await page.locator('#ended .message').getByText(sentence).waitFor();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.locator('#ended .stage > svg').waitFor();
  assert.equal(await heightOf(page, 'ended'), 340);
});

test('without script it says so too', async () => {
  await using open = await openPage({ javaScriptEnabled: false });
  const { page } = open;
  await page.goto(inWindow);
  assert.ok(await page.locator('#ended').getByText(sentence).isVisible());
  assert.equal(await page.locator('#ended img').count(), 0);
  assert.equal(await page.locator('#players img').count(), 1);
});
