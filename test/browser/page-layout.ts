// The places of what a page shows: how high its charts begin, what stays in view, and what fills the width.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '../../src/model/window.ts';
import { pluginRecord, softwareRecord } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';
import { lineOf } from './support/line-records.ts';
import { openPage, pageTest } from './support/open-page.ts';
import { visit } from './support/pages.ts';
import { buttonIn, linkIn } from './support/roles.ts';
import { serveRecords, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

pageTest('the figures of a plugin fill their columns', {}, async (open) => {
  await visit(open, `${server}/plugin/1337`);
  for (const width of [500, 700, 1000, 1440]) {
    await open.page.setViewportSize({ width, height: 844 });
    const gaps = await open.page.evaluate(() => {
      const right = (selector: string) =>
        Math.max(
          ...[...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect().right),
        );
      return Math.round(right('.figures') - right('.figure'));
    });
    assert.equal(gaps, 0, `${width} px`);
  }
});

test('no figure of a head is broken or cut, however large it is', async () => {
  const newest = Date.UTC(2026, 9, 28);
  const days = Array.from(
    { length: 70 },
    (_, day) => [newest - day * dayMs, 999_999_999_999_999 - day] as const,
  );
  const lines = ['servers', 'players'].flatMap((chartId, index) => lineOf(chartId, index + 1, days));
  const { url } = await serveRecords([softwareRecord(), pluginRecord(1, 'Large'), ...lines]);
  await using open = await openPage({ javaScriptEnabled: false });
  for (const address of [`${url}/`, `${url}/plugin/1`, `${server}/plugin/1`, `${server}/plugin/1337`]) {
    await open.page.goto(address);
    for (const width of [320, 390, 500, 761, 900, 1060, 1280, 1920]) {
      await open.page.setViewportSize({ width, height: 800 });
      const broken = await open.page.evaluate(() => {
        const range = document.createRange();
        return [...document.querySelectorAll('.now:not(:has(small)), .chip')].filter((value) => {
          range.selectNodeContents(value);
          const tops = [...range.getClientRects()].map(({ top }) => top);
          const isOneLine = Math.max(...tops) - Math.min(...tops) < 6;
          return !isOneLine || range.getBoundingClientRect().right > innerWidth;
        }).length;
      });
      assert.equal(broken, 0, `${address} at ${width} px`);
    }
  }
});

const comparison = '/compare?charts=1337:players,2048:players';

test('the first window has how a plugin stands and the bar, or the chart of a comparison', async () => {
  for (const [path, part, wide, narrow] of [
    ['/plugin/1337', '.toolbar', 400, 800],
    ['/plugin/1337?view=history', '.toolbar', 400, 800],
    [comparison, 'plugin-chart', 400, 500],
  ] as const) {
    for (const [width, height, most] of [
      [1200, 800, wide],
      [390, 844, narrow],
    ] as const) {
      await using open = await openPage({ viewport: { width, height } });
      await visit(open, server + path);
      const top = await open.page
        .locator(part)
        .first()
        .evaluate((chart) => chart.getBoundingClientRect().top);
      assert.ok(top <= most, `${path} at ${width} px: ${top}`);
    }
  }
});

test('two dates are behind Custom, with and without script', async () => {
  for (const javaScriptEnabled of [true, false]) {
    await using open = await openPage({ javaScriptEnabled });
    for (const path of ['/plugin/1337', comparison]) {
      await open.page.goto(server + path);
      const dates = open.page.locator('.dates input[type=date]');
      assert.equal(await dates.filter({ visible: true }).count(), 0, path);
      await open.page.getByText('Custom').click();
      // Nothing covers or cuts them.
      for (const date of await dates.all()) await date.click();
    }
  }
});

pageTest(
  'the dates are below their button wherever the page is scrolled to, and close when they are shown',
  { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', at: `${server}/plugin/1337` },
  async ({ page }) => {
    for (const top of [0, 200, 2000]) {
      await page.evaluate((y) => scrollTo(0, y), top);
      await page.getByText('Custom').click();
      const button = (await page.getByText('Custom').boundingBox()) ?? assert.fail();
      const dates = (await page.locator('.dates > p').boundingBox()) ?? assert.fail();
      const gap = dates.y - button.y - button.height;
      assert.ok(gap >= 0 && gap < 20, `${gap} px at ${top}`);
      if (top < 2000) await page.keyboard.press('Escape');
    }
    await page.locator('form').getByLabel('From').fill('2026-06-01');
    await page.locator('form').getByLabel('until').fill('2026-06-05');
    await buttonIn(page, 'Show').click();
    await page.waitForURL(/from=2026-06-01&to=2026-06-05$/);
    assert.equal(await page.locator('.dates > p').isVisible(), false);
  },
);

test('the toolbar stays in view while the page is scrolled, and hides no chart that is jumped to', async () => {
  for (const [width, height] of [
    [1200, 800],
    [390, 844],
  ] as const) {
    await using open = await openPage({ viewport: { width, height }, reducedMotion: 'reduce' });
    const { page } = open;
    const edges = (selector: string) =>
      page.locator(selector).evaluate((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return { top, bottom };
      });
    await visit(open, `${server}/plugin/1337?view=history`);
    const sections = page.locator('.sections a');
    const current = () => sections.locator('xpath=self::*[@aria-current]').allTextContents();
    assert.deepEqual(await current(), ['Usage']);
    await linkIn(page.locator('.sections'), 'Releases').click();
    await page.waitForURL(/#-releases$/);
    await waitUntil(async () => (await current()).join() === 'Releases');
    const { top, bottom } = await edges('.toolbar');
    assert.equal(top, 0, `${width} px`);
    assert.ok(bottom < 150, `${width} px: ${bottom}`);
    for (const id of ['-releases', 'pluginVersion']) {
      await page.evaluate((each) => document.getElementById(each)?.scrollIntoView(), id);
      const edge = (await edges(`[id="${id}"]`)).top;
      assert.ok(edge >= (await edges('.toolbar')).bottom - 1, `${id} at ${width} px`);
    }
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await waitUntil(async () => (await current()).join() === 'From the plugin');
  }
});

pageTest('shares over time take the full width, but beside the ladder', {}, async (open) => {
  await visit(open, `${server}/plugin/1337?view=history`);
  for (const width of [900, 1280]) {
    await open.page.setViewportSize({ width, height: 800 });
    const widths = await open.page
      .locator('.charts, .chart.shares')
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().width)));
    const [whole = 0] = widths;
    const others = width === 900 ? [] : [Math.round(((whole - 32) / 3) * 2 + 16)];
    assert.deepEqual(
      [...new Set(widths)],
      [whole, ...others].map(Math.round),
      `${width} px: ${widths.join()}`,
    );
  }
});

pageTest(
  'the list of software stands where the text of the page about the numbers stands',
  {},
  async (open) => {
    for (const width of [390, 1200]) {
      await open.page.setViewportSize({ width, height: 800 });
      await visit(open, `${server}/about`);
      const lefts = await open.page
        .locator('.prose > p, .prose li a')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
      assert.equal(new Set(lefts).size, 1, `${width} px: ${lefts.join()}`);
    }
  },
);

pageTest('what holds for all charts is said in the toolbar, and not under each of them', {}, async (open) => {
  const { page } = open;
  await visit(open, `${server}/plugin/1337?view=history`);
  const shown = page.locator('.toolbar .shown span');
  const drawing = page.locator('#onlineMode .chart-box > svg');
  await page.locator('#onlineMode').scrollIntoViewIfNeeded();
  await drawing.getByText('in total').waitFor();
  const words = (await page.locator('#servers svg text, #onlineMode svg text').allTextContents()).join();
  assert.match(words, /between .* in total/);
  assert.doesNotMatch(words, /mean|30 days/);
  assert.equal(await shown.textContent(), 'mean of 6 hours');
  await linkIn(page, '7d').click();
  assert.equal(await shown.textContent(), 'mean of 30 minutes');
  await linkIn(page, /^Now$/).click();
  assert.equal(await shown.textContent(), '');
});

pageTest(
  'on a phone, a chart over time has at least 200 px of plot',
  { viewport: { width: 390, height: 844 } },
  async (open) => {
    await visit(open, `${server}/plugin/1337?view=history&range=1y`);
    for (const id of ['players', 'minecraftVersion', 'location', 'enabled_features']) {
      const chart = open.page.locator(`#${id}`);
      await chart.scrollIntoViewIfNeeded();
      const box = await chart.getByRole('slider').boundingBox();
      assert.ok(box !== null && box.height >= 200, `${id}: ${box?.height}`);
    }
  },
);
