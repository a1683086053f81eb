// The layout of pages in windows of every width, on paper, and with reduced motion.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../support/records.ts';
import { lineOf } from './support/line-records.ts';
import { openPage, pageTest } from './support/open-page.ts';
import { samplePages, scrollThrough, visit } from './support/pages.ts';
import { radioIn } from './support/roles.ts';
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
  pageTest(
    `${what} fits windows from 320 to 1440 px, with charts as wide as their container`,
    {},
    async (open) => {
      await visit(open, server + path);
      for (const width of [320, 390, 820, 1440]) {
        await open.page.setViewportSize({ width, height: 900 });
        await scrollThrough(open.page);
        assert.deepEqual(await outside(open.page), [], `${width} px`);
        const misplaced = await open.page.evaluate(() => {
          const edges = (element: Element) => {
            const { left, right } = element.getBoundingClientRect();
            return [left, right] as const;
          };
          return [...document.querySelectorAll('plugin-chart')].flatMap((chart) => {
            const svg = chart.shadowRoot?.querySelector('.chart-box > svg');
            if (!svg) return [];
            const wanted = edges(chart);
            const isBeside = edges(svg).some((edge, index) => Math.abs(edge - (wanted[index] ?? 0)) >= 1);
            return isBeside ? [`${chart.getAttribute('chart')}: ${edges(svg).join(' to ')}`] : [];
          });
        });
        assert.deepEqual(misplaced, [], `${width} px`);
      }
    },
  );

pageTest(
  'on a phone, the table of releases fits into its card',
  { at: `${server}/plugin/1337`, viewport: { width: 390, height: 844 } },
  async ({ page }) => {
    const missing = await page.locator('.releases').evaluate((card) => card.scrollWidth - card.clientWidth);
    assert.equal(missing, 0);
  },
);

pageTest(
  'a chart keeps the spaces between the notes below its title',
  { at: `${server}/compare?charts=1337:players,2048:players&mode=sum` },
  async ({ page }) => {
    const note = page.locator('plugin-chart svg text', { hasText: 'in total' });
    // An SVG in a page ignores the attribute that keeps them in a file.
    assert.equal(await note.evaluate((text) => getComputedStyle(text).whiteSpace), 'pre');
    assert.match((await note.textContent()) ?? '', /in total on .* {4}in the 30 days before/);
  },
);

for (const [what, path] of Object.entries(samplePages))
  pageTest(
    `every tap target in ${what} is large enough for a finger`,
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    async (open) => {
      await visit(open, server + path);
      const small = await open.page.evaluate(() => {
        const roots = [
          document,
          ...[...document.querySelectorAll('plugin-chart')].map((each) => each.shadowRoot),
        ];
        return (
          roots
            .flatMap((root) => [...(root?.querySelectorAll('a, button, input, select, summary') ?? [])])
            .filter((element) => element.checkVisibility() && !element.matches('.skip, p a'))
            .map((element) => ({ element, box: element.getBoundingClientRect() }))
            // A name may be one letter wide.
            .filter(
              ({ element, box }) => box.height < 24 || (box.width < 24 && !element.matches('th a, small a')),
            )
            .map(({ element, box }) => `${element.textContent}: ${box.width} × ${box.height}`)
        );
      });
      assert.deepEqual(small, []);
    },
  );

test('the cards of platforms are even, and numbers of nine digits stay in them, in every window', async () => {
  const { url } = await serveRecords(
    [1, 2].flatMap((id) => [
      softwareRecord({ id, url: `s${id}` }),
      pluginRecord(id, 'Many', { softwareId: id }),
      chartRecord('servers', id, { pluginId: id, isDefault: true }),
      dataRecord('servers', [[Date.UTC(2026, 5, 30), id === 1 ? 888_888_888 : 8]], { pluginId: id }),
    ]),
  );
  for (const width of [320, 360, 390, 820]) {
    await using open = await openPage({ viewport: { width, height: 800 } });
    await visit(open, `${url}/`);
    assert.deepEqual(await outside(open.page), [], `${width} px`);
    const cards = await open.page
      .locator('.platforms .card')
      .evaluateAll((all) =>
        all.map((each) => [each.getBoundingClientRect().height, each.scrollWidth - each.clientWidth]),
      );
    assert.deepEqual(cards[0], cards[1], `${width} px`);
    assert.equal(cards[0]?.[1], 0, `${width} px`);
  }
});

test('the rows of a list have one height in a window, whatever the names', async () => {
  for (const width of [320, 390, 768, 1280]) {
    await using open = await openPage({ viewport: { width, height: 800 } });
    await visit(open, `${server}/`);
    const heights = await open.page
      .locator('#plugins tbody tr')
      .evaluateAll((all) => [...new Set(all.map((each) => Math.round(each.getBoundingClientRect().height)))]);
    assert.equal(heights.length, 1, `${width} px: ${heights.join()}`);
  }
});

pageTest(
  'the theme switch moves nothing when its choice becomes bold',
  { viewport: { width: 390, height: 844 } },
  async (open) => {
    await visit(open, `${server}/about`);
    const widths = () =>
      open.page
        .locator('.theme label')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
    const before = await widths();
    await radioIn(open.page, 'Dark').click();
    assert.deepEqual(await widths(), before);
    await radioIn(open.page, 'Auto').click();
  },
);

test('the figures of a plugin, and the buttons of a chart, stay in one row and in their column', async () => {
  for (const [width, parts] of [
    [320, '#players'],
    [390, '#players .tools > *'],
  ] as const) {
    await using open = await openPage({ viewport: { width, height: 844 } });
    await visit(open, `${server}/plugin/1337`);
    const ends = await open.page
      .locator(parts)
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().bottom)));
    assert.equal(new Set(ends).size, 1, `${width} px: ${ends.join()}`);
    const overflows = await open.page
      .locator('.figure')
      .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));
    assert.deepEqual(overflows, [0, 0, 0], `${width} px`);
  }
});

test('60 charts with titles of 200 characters, and names from right to left, stay in their cards', async () => {
  const words = ['حارس البوابة ', 'A title that says everything '];
  const slices = [{ name: 'لغة'.repeat(20), y: 3 }, ...words.map((name, index) => ({ name, y: index + 1 }))];
  const charts = Array.from({ length: 60 }, (_, index) => {
    const title = (words[index % 2] ?? '').repeat(20).slice(0, 200);
    const [chartId, about] = [`chart_${index}`, { pluginId: 1, position: index, title }];
    return index % 3 === 0
      ? lineOf(chartId, index + 1, [[Date.UTC(2026, 5, 30), index]], about)
      : [
          chartRecord(chartId, index + 1, { ...about, type: 'simple_pie', data: {} }),
          dataRecord(chartId, slices),
        ];
  });
  const { url } = await serveRecords([softwareRecord(), pluginRecord(1, words.join(' ')), ...charts.flat()]);
  for (const width of [320, 1280]) {
    await using open = await openPage({ viewport: { width, height: 800 } });
    await visit(open, `${url}/plugin/1`);
    await scrollThrough(open.page);
    assert.equal(await open.page.locator('.chart').count(), 60);
    assert.deepEqual(await outside(open.page), [], `${width} px`);
    const covered = await open.page.locator('.chart').evaluateAll((all) =>
      all.filter((card) => {
        const title = card.querySelector('plugin-chart')?.shadowRoot?.querySelector('svg > text');
        const tools = card.querySelector('.tools');
        return !title || !tools || title.getBoundingClientRect().right > tools.getBoundingClientRect().left;
      }),
    );
    assert.equal(covered.length, 0, `${width} px`);
    for (const index of [0, 1, 2]) {
      const card = open.page.locator('.chart').nth(index);
      await card.locator('summary').click();
      const menu = await card.locator('ul').boundingBox();
      assert.ok(menu && menu.x >= 0 && menu.x + menu.width <= width, `${width} px, ${index}`);
    }
    // The heading of the Embed dialog stays in view while it is scrolled, so a long one is cut to two lines.
    await open.page.locator('.chart button[data-embed]').first().click();
    const heading = await open.page.locator('.embed h2').boundingBox();
    assert.ok(heading && heading.height < 80, `${width} px: ${heading?.height}`);
  }
});

pageTest('printed pages have no controls', {}, async (open) => {
  for (const path of Object.values(samplePages)) {
    await visit(open, server + path);
    await open.page.emulateMedia({ media: 'print' });
    for (const control of await open.page.locator('button, input, select, summary, nav, .remove').all())
      assert.equal(await control.isVisible(), false, `${path}: ${await control.textContent()}`);
  }
});

pageTest('printed pages have the numbers and the charts', {}, async (open) => {
  const { page } = open;
  await visit(open, `${server}/plugin/1337`);
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.locator('.now').first().isVisible());
  for (const chart of await page.locator('plugin-chart').all()) {
    const pictures = chart.locator('.chart-box > svg, img').filter({ visible: true });
    assert.equal(await pictures.count(), 1);
  }
});

pageTest(
  'nothing is animated for people who prefer reduced motion',
  { reducedMotion: 'reduce' },
  async (open) => {
    await visit(open, `${server}/plugin/1337`);
    // A chart just below the window loads too.
    await open.page.waitForFunction(() => document.querySelector('plugin-chart[aria-busy="true"]') === null);
    const behavior = await open.page.evaluate(
      () => getComputedStyle(document.documentElement).scrollBehavior,
    );
    assert.equal(behavior, 'auto');
    const running = await open.page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
    );
    assert.equal(running, 0);
  },
);
