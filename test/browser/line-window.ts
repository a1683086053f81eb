// The data that the custom element asks for by window and step, and zooming into a window: by mouse, by touch
// and by keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { lineRecords } from './support/line-records.ts';
import { type OpenPage, openPage, pageTest } from './support/open-page.ts';
import { valueText } from './support/pages.ts';
import { buttonIn, sliderIn } from './support/roles.ts';
import { embed, serveRecords, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const dayMs = 24 * 60 * 60 * 1000;
const halfHourMs = dayMs / 48;
const end = Date.UTC(2026, 5, 30);

/** Adds up the bytes of answers, as they are sent, when all that was asked for has come. */
function countBytes({ page, requests }: OpenPage): () => Promise<number> {
  const sizes: ReturnType<Request['sizes']>[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().includes('/api/')) sizes.push(request.sizes());
  });
  return async () => {
    await waitUntil(() => sizes.length === requests.filter((url) => url.includes('/api/')).length);
    return (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  };
}

test('ten years of half hours transfer less than 150 KB', async () => {
  const pointCount = 10 * 365 * 48;
  const valueAt = (index: number) =>
    Math.round(5000 + 2000 * Math.sin(index / 7.6) + ((index * 2_654_435_761) % 977));
  const points = Array.from(
    { length: pointCount },
    (_, index) => [end - (pointCount - 1 - index) * halfHourMs, valueAt(index)] as const,
  );
  const { url } = await serveRecords(lineRecords(points));
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 800 },
  ]) {
    await using open = await openPage({ viewport });
    const countedBytes = countBytes(open);
    await open.page.goto(await embed(url, 'plugin="1" chart="players" range="all"'));
    await sliderIn(open.page).waitFor();
    const bytes = await countedBytes();
    assert.ok(bytes > 1000 && bytes < 150_000, `${bytes} bytes`);
  }
});

pageTest('a window is shown from its beginning to its end', {}, async (open) => {
  await open.page.goto(
    await embed(server, 'plugin="1337" chart="players" from="2026-06-01" to="2026-06-03T12:00:00Z"'),
  );
  const slider = sliderIn(open.page);
  await slider.focus();
  assert.match(await valueText(slider), /^3 Jun 2026, 11:30 UTC: /);
  await slider.press('Home');
  assert.match(await valueText(slider), /^1 Jun 2026, 00:00 UTC: /);
  const status = (await open.page.getByRole('status').textContent()) ?? '';
  assert.match(status, /from 1 Jun 2026, 00:00 UTC until 3 Jun 2026, 12:00 UTC$/);
});

pageTest('a long window that ends before the newest point says its last point', {}, async ({ page }) => {
  const to = Date.UTC(2026, 5, 20);
  const lastBefore = async (time: number) => {
    const query = `charts=1337:players&from=${time - dayMs}&to=${time}`;
    const { series } = await (await fetch(`${server}/api/v2/series?${query}`)).json();
    return Number(series[0].values.at(-1)).toLocaleString('en');
  };
  await page.goto(await embed(server, 'plugin="1337" chart="players" from="2025-06-01" to="2026-06-20"'));
  const status = page.getByRole('status');
  await status.getByText(`${await lastBefore(to)} on 19 Jun 2026`).waitFor();
  await page.locator('plugin-chart').evaluate((chart) => {
    chart.setAttribute('from', '2025-08-01');
    chart.setAttribute('to', '2026-03-01');
  });
  await status.getByText(`${await lastBefore(Date.UTC(2026, 2, 1))} on 28 Feb 2026`).waitFor();
});

pageTest('a server without the second interface has no such chart', { mayFail: true }, async (open) => {
  const { page, requests } = open;
  await page.route('**/api/v2/**', (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.goto(await embed(server, 'plugin="1337" chart="players" range="1y"'));
  await page.getByText('This chart does not exist.').first().waitFor();
  assert.equal(requests.filter((each) => each.includes('/api/v1/')).length, 0);
});

pageTest('charts that ended two years ago say when, and those of today say now', {}, async (open) => {
  const { page } = open;
  const line = await embed(server, 'plugin="1337" chart="players"');
  const pie = await embed(server, 'plugin="1337" chart="serverSoftware"');
  await page.clock.setFixedTime(new Date('2026-07-01T08:00:00Z'));
  await page.goto(line);
  await page.getByText(/^[\d,]+ now, between .* in the last 30 days$/).waitFor();
  await page.goto(pie);
  await page.locator('svg[aria-label*="ExamplePlugin: Paper"]').waitFor();
  await page.clock.setFixedTime(new Date('2028-07-01T08:00:00Z'));
  await page.goto(line);
  await page.getByText(/^[\d,]+ on 30 Jun 2026, between .* in the 30 days before$/).waitFor();
  assert.doesNotMatch((await page.getByRole('status').textContent()) ?? '', /now|last/);
  await page.goto(pie);
  await page.locator('svg[aria-label*="ExamplePlugin on 30 Jun 2026: Paper"]').waitFor();
});

const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;
const inTallWindow = { at: address, viewport: { width: 1000, height: 1400 } };

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

pageTest(
  'dragging over a line zooms all charts into that window, and back goes back',
  inTallWindow,
  async ({ page }) => {
    const plot = sliderIn(page.locator('#players'));
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
    assert.match(await valueText(plot), /^15 Jun 2026, 00:00 UTC: /);
    await page.goBack();
    assert.equal(page.url(), address);
    assert.equal(await other.getAttribute('from'), null);
  },
);

pageTest('a drag of a few pixels is a click', inTallWindow, async ({ page }) => {
  await drag(page, sliderIn(page.locator('#players')), [0.5, 0.504]);
  await page.locator('#players .tip').waitFor();
  assert.equal(page.url(), address);
  assert.equal(await page.locator('#players .selection').isVisible(), false);
});

pageTest(
  'Shift with arrow keys selects, Enter zooms, and Escape deselects, hides the cursor and goes back',
  inTallWindow,
  async ({ page }) => {
    const plot = sliderIn(page.locator('#players'));
    await plot.focus();
    await plot.press('PageDown');
    await plot.press('Shift+PageDown');
    await plot.press('Shift+ArrowLeft');
    assert.match(await valueText(plot), / selected, press Enter to see it$/);
    await plot.press('Escape');
    assert.equal(await page.locator('#players .selection').isVisible(), false);
    await plot.press('Shift+PageDown');
    await plot.press('Enter');
    await page.waitForURL(/from=/);
    const { from, to } = windowIn(page);
    assert.ok(to - from > 2 * dayMs && to - from < 5 * dayMs);
    await plot.press('Escape');
    await page.waitForURL(address);
  },
);

pageTest(
  'dragging a finger across a line zooms an embedded chart, whose own button goes back',
  { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } },
  async ({ page }) => {
    await page.goto(await embed(server, 'plugin="1337" chart="players" range="7d"'));
    const plot = sliderIn(page);
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
    const back = buttonIn(page, 'Whole range');
    await back.waitFor();
    assert.match((await page.getByRole('status').textContent()) ?? '', / from \d+ Jun 2026.* until /);
    await back.click();
    await back.waitFor({ state: 'hidden' });
    assert.equal(await buttonIn(page, '7d').getAttribute('aria-pressed'), 'true');
  },
);

pageTest('zooming into a year shows its days, then its half hours', {}, async ({ page }) => {
  await page.goto(await embed(server, 'plugin="1337" chart="players" range="1y"'));
  const plot = sliderIn(page);
  await plot.focus();
  assert.match(await valueText(plot), /daily mean, /);
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

test('previous="true" draws the period before as a pale line, also after a zoom, and none where there is none', async () => {
  const { url } = await serveSampleSite();
  await using open = await openPage();
  const { page } = open;
  await page.goto(await embed(url, 'plugin="1337" chart="players" range="7d" previous="true"'));
  const pale = page.locator('svg g[opacity=".4"]');
  await pale.waitFor({ state: 'attached' });
  const before = await pale.innerHTML();
  await buttonIn(page, /^1d$/).click();
  await waitUntil(async () => (await pale.count()) === 1 && (await pale.innerHTML()) !== before);
  await buttonIn(page, /^All$/).click();
  await waitUntil(async () => (await pale.count()) === 0);
});
