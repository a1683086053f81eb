// Zooming into a window of a chart: by mouse, by touch and by keys, and the way back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openPage } from './support/open-page.ts';
import { servePage, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const dayMs = 24 * 60 * 60 * 1000;
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;

async function embed(attributes: string): Promise<string> {
  const html = `<script type="module" src="${server}/embed.js"></script><plugin-chart ${attributes}></plugin-chart>`;
  return servePage({ html, policy: `default-src 'none'; script-src ${server}; connect-src ${server}` });
}

/** Drags over a part of the plot, from one share of its width to another. */
async function drag(page: Page, plot: Locator, [from, to]: readonly [number, number]): Promise<void> {
  await plot.scrollIntoViewIfNeeded();
  const box = (await plot.boundingBox()) ?? assert.fail();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y);
  await page.mouse.move(box.x + to * box.width, y);
  await page.mouse.up();
}

function windowIn(page: Page): { readonly from: number; readonly to: number } {
  const { searchParams } = new URL(page.url());
  return { from: Date.parse(searchParams.get('from') ?? ''), to: Date.parse(searchParams.get('to') ?? '') };
}

test('dragging over a line zooms all charts into that window, and back goes back', async () => {
  await using open = await openPage({ viewport: { width: 1000, height: 1400 } });
  const { page } = open;
  await page.goto(address);
  const plot = page.locator('#players').getByRole('slider');
  await drag(page, plot, [0.75, 0.5]);
  await page.waitForURL(/from=/);
  const { from, to } = windowIn(page);
  const newest = Date.UTC(2026, 5, 30, 23, 30);
  assert.ok(from <= newest - 15 * dayMs && from > newest - 17 * dayMs, new Date(from).toISOString());
  assert.ok(to >= newest - 7.6 * dayMs && to < newest - 6 * dayMs, new Date(to).toISOString());
  assert.equal(from % dayMs, 0);
  const other = page.locator('#servers plugin-chart');
  assert.equal(await other.getAttribute('from'), new Date(from).toISOString().slice(0, 10));
  await plot.focus();
  await plot.press('Home');
  assert.match((await plot.getAttribute('aria-valuetext')) ?? '', /^15 Jun 2026, 00:00 UTC: /);
  await page.goBack();
  assert.equal(page.url(), address);
  assert.equal(await other.getAttribute('from'), null);
});

test('a drag of a few pixels is a click', async () => {
  await using open = await openPage({ viewport: { width: 1000, height: 1400 } });
  const { page } = open;
  await page.goto(address);
  await drag(page, page.locator('#players').getByRole('slider'), [0.5, 0.504]);
  await page.locator('#players .tip').waitFor();
  assert.equal(page.url(), address);
  assert.equal(await page.locator('#players .selection').isVisible(), false);
});

test('Shift with arrow keys selects, Enter zooms, and Escape deselects, hides the cursor and goes back', async () => {
  await using open = await openPage({ viewport: { width: 1000, height: 1400 } });
  const { page } = open;
  await page.goto(address);
  const plot = page.locator('#players').getByRole('slider');
  await plot.focus();
  await plot.press('PageDown');
  await plot.press('Shift+PageDown');
  await plot.press('Shift+ArrowLeft');
  assert.match((await plot.getAttribute('aria-valuetext')) ?? '', / selected, press Enter to see it$/);
  await plot.press('Escape');
  assert.equal(await page.locator('#players .selection').isVisible(), false);
  await plot.press('Shift+PageDown');
  await plot.press('Enter');
  await page.waitForURL(/from=/);
  const { from, to } = windowIn(page);
  assert.ok(to - from > 2 * dayMs && to - from < 5 * dayMs);
  await plot.press('Escape');
  await page.waitForURL(address);
});

test('dragging a finger across a line zooms an embedded chart, whose own button goes back', async () => {
  await using open = await openPage({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 800 },
  });
  const { page } = open;
  await page.goto(await embed('plugin="1337" chart="players" range="7d"'));
  const plot = page.getByRole('slider');
  const box = (await plot.boundingBox()) ?? assert.fail();
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: part === undefined ? [] : [{ x: box.x + part * box.width, y: box.y + 50 }],
    });
  await touch('touchStart', 0.2);
  for (const part of [0.3, 0.4, 0.5, 0.6]) await touch('touchMove', part);
  await touch('touchEnd');
  const back = page.getByRole('button', { name: 'Whole range' });
  await back.waitFor();
  assert.match((await page.getByRole('status').textContent()) ?? '', / from \d+ Jun 2026.* until /);
  await back.click();
  await back.waitFor({ state: 'hidden' });
  assert.equal(await page.getByRole('button', { name: '7d' }).getAttribute('aria-pressed'), 'true');
});

test('zooming into a year shows its days, then its half hours', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(await embed('plugin="1337" chart="players" range="1y"'));
  const plot = page.getByRole('slider');
  await plot.focus();
  assert.match((await plot.getAttribute('aria-valuetext')) ?? '', /daily mean, /);
  const asked = page.waitForRequest(
    (request) => /series\?/.test(request.url()) && !/step/.test(request.url()),
  );
  await drag(page, plot, [0.5, 0.55]);
  await asked;
  await plot.focus();
  await page.waitForFunction(() => {
    const slider = document.querySelector('plugin-chart')?.shadowRoot?.querySelector('[role=slider]');
    return / UTC: /.test(slider?.getAttribute('aria-valuetext') ?? '');
  });
});
