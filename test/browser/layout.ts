// The layout of pages in windows of every width, on paper, and with reduced motion.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from './support/open-page.ts';
import { samplePages, scrollThrough, visit } from './support/pages.ts';
import { serveRecords, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

/** Lists the elements that overflow the window. */
function outside(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`);
  });
}

for (const [what, path] of Object.entries(samplePages))
  test(`${what} fits windows from 320 to 1440 px, with charts as wide as their container`, async () => {
    await using open = await openPage();
    await visit(open, server + path);
    for (const width of [320, 390, 820, 1440]) {
      await open.page.setViewportSize({ width, height: 900 });
      await scrollThrough(open.page);
      assert.deepEqual(await outside(open.page), [], `${width} px`);
      const misplaced = await open.page.evaluate(() => {
        const edges = (element: Element) => {
          const { left, right } = element.getBoundingClientRect();
          return `${Math.round(left)} to ${Math.round(right)}`;
        };
        return [...document.querySelectorAll('plugin-chart')].flatMap((chart) => {
          const svg = chart.shadowRoot?.querySelector('.stage > svg');
          return svg && edges(svg) !== edges(chart) ? [`${chart.getAttribute('chart')}: ${edges(svg)}`] : [];
        });
      });
      assert.deepEqual(misplaced, [], `${width} px`);
    }
  });

for (const [what, path] of Object.entries(samplePages))
  test(`every tap target in ${what} is large enough for a finger`, async () => {
    await using open = await openPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await visit(open, server + path);
    const small = await open.page.evaluate(() => {
      const roots = [
        document,
        ...[...document.querySelectorAll('plugin-chart')].map((each) => each.shadowRoot),
      ];
      return (
        roots
          .flatMap((root) => [...(root?.querySelectorAll('a, button, input, select, summary') ?? [])])
          .filter((element) => element.checkVisibility() && !element.matches('.skip, p a:not(.actions a)'))
          .map((element) => ({ element, box: element.getBoundingClientRect() }))
          // A name may be one letter wide.
          .filter(
            ({ element, box }) => box.height < 24 || (box.width < 24 && !element.matches('th a, small a')),
          )
          .map(({ element, box }) => `${element.textContent}: ${box.width} × ${box.height}`)
      );
    });
    assert.deepEqual(small, []);
  });

test('totals of nine digits stay on one line in every window', async () => {
  const rows = ['servers', 'players'].flatMap((chartId, position) => [
    {
      record: 'chart',
      pluginId: 1,
      chartId,
      uid: position + 1,
      type: 'single_linechart',
      position,
      title: chartId,
      isDefault: true,
      data: { lineName: chartId, filter: { enabled: false, maxValue: null, minValue: null } },
    },
    { record: 'data', pluginId: 1, chartId, data: [[Date.UTC(2026, 5, 30), 888_888_888]] },
  ]);
  const { url } = await serveRecords([
    { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null },
    { record: 'plugin', id: 1, name: 'Many', owner: { id: 1, name: 'A' }, softwareId: 1, isGlobal: false },
    ...rows,
  ]);
  for (const width of [320, 360, 390, 820]) {
    await using open = await openPage({ viewport: { width, height: 800 } });
    await visit(open, `${url}/`);
    assert.deepEqual(await outside(open.page), [], `${width} px`);
    const heights = await open.page
      .locator('.totals dd')
      .evaluateAll((all) => new Set(all.map((each) => each.getBoundingClientRect().height)).size);
    assert.equal(heights, 1, `${width} px`);
    const overlaps = await open.page
      .locator('.totals div')
      .evaluateAll((all) => all.some((each) => each.scrollWidth > each.clientWidth));
    assert.equal(overlaps, false, `${width} px`);
  }
});

test('the theme switch moves nothing when its choice becomes bold', async () => {
  await using open = await openPage({ viewport: { width: 390, height: 844 } });
  await visit(open, `${server}/about`);
  const widths = () =>
    open.page.locator('.theme label').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
  const before = await widths();
  await open.page.getByRole('radio', { name: 'Dark' }).click();
  assert.deepEqual(await widths(), before);
  await open.page.getByRole('radio', { name: 'Auto' }).click();
});

test('servers and players are beside each other, and the dates have fields of the browser', async () => {
  await using open = await openPage({ viewport: { width: 765, height: 844 }, javaScriptEnabled: false });
  await open.page.goto(`${server}/plugin/1337`);
  const tops = await open.page
    .locator('.figure')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1);
  assert.equal(await open.page.locator('.dates input[type=date]').count(), 2);
});

test('the figures of a plugin stay in their column in the narrowest window', async () => {
  await using open = await openPage({ viewport: { width: 320, height: 844 } });
  await visit(open, `${server}/plugin/1337`);
  const overflows = await open.page
    .locator('.figure')
    .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));
  assert.deepEqual(overflows, [0, 0]);
});

test('the figures of a plugin, and the links of a chart, are in one row each', async () => {
  for (const [width, parts] of [
    [1000, '.figure:first-of-type dl > div'],
    [1440, '.figure:first-of-type dl > div'],
    [390, '#players .actions > *'],
  ] as const) {
    await using open = await openPage({ viewport: { width, height: 844 } });
    await visit(open, `${server}/plugin/1337`);
    const tops = await open.page
      .locator(parts)
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().bottom)));
    assert.equal(new Set(tops).size, 1, `${width} px: ${tops.join()}`);
  }
});

test('printed pages have no controls', async () => {
  await using open = await openPage();
  for (const path of Object.values(samplePages)) {
    await visit(open, server + path);
    await open.page.emulateMedia({ media: 'print' });
    for (const control of await open.page.locator('button, input, select, summary, nav, .remove').all())
      assert.equal(await control.isVisible(), false, `${path}: ${await control.textContent()}`);
  }
});

test('printed pages have the numbers and the charts', async () => {
  await using open = await openPage();
  const { page } = open;
  await visit(open, `${server}/plugin/1337`);
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.locator('.now').first().isVisible());
  for (const chart of await page.locator('plugin-chart').all()) {
    const pictures = chart.locator('.stage > svg, img').filter({ visible: true });
    assert.equal(await pictures.count(), 1);
  }
});

test('nothing is animated for people who prefer reduced motion', async () => {
  await using open = await openPage({ reducedMotion: 'reduce' });
  await visit(open, `${server}/plugin/1337`);
  const behavior = await open.page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  assert.equal(behavior, 'auto');
  const running = await open.page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  );
  assert.equal(running, 0);
});
