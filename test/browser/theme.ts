// The switch between themes: on pages, in pictures and charts, without a flash, on paper, and in forced
// colours.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, pageTest } from './support/open-page.ts';
import { samplePages, visit } from './support/pages.ts';
import { buttonIn, radioIn, sliderIn } from './support/roles.ts';
import { embedHtml, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
/** The grounds of pages, and of the charts on them. */
const pageGrounds = { light: 'rgb(246, 247, 249)', dark: 'rgb(11, 13, 17)' } as const;
const grounds = { light: 'rgb(255, 255, 255)', dark: 'rgb(17, 19, 24)' } as const;

const groundOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

/** The ground of every chart that has been drawn. */
const chartGrounds = (page: Page) =>
  page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll('plugin-chart')].flatMap((chart) => {
        const box = chart.shadowRoot?.querySelector('.box');
        return box === null || box === undefined ? [] : getComputedStyle(box).backgroundColor;
      }),
    ),
  ]);

/** True if every chart of a page has this ground. */
const allCharts = (ground: string) =>
  [...document.querySelectorAll('plugin-chart')].every((chart) => {
    const box = chart.shadowRoot?.querySelector('.box');
    return box != null && getComputedStyle(box).backgroundColor === ground;
  });

async function choose(page: Page, theme: string): Promise<void> {
  await radioIn(page, theme).check();
}

pageTest(
  'a chosen theme holds for every page and its charts, and auto is that of the system again',
  {},
  async (open) => {
    const { page } = open;
    await page.emulateMedia({ colorScheme: 'light' });
    await visit(open, server);
    await choose(page, 'Dark');
    for (const path of Object.values(samplePages)) {
      await visit(open, server + path);
      assert.equal(await groundOf(page), pageGrounds.dark, path);
      assert.ok(await radioIn(page, 'Dark').isChecked());
      assert.ok(
        (await chartGrounds(page)).every((ground) => ground === grounds.dark),
        path,
      );
    }
    await choose(page, 'Light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit(open, `${server}/plugin/1337`);
    assert.equal(await groundOf(page), pageGrounds.light);
    assert.deepEqual(await chartGrounds(page), [grounds.light]);
    await choose(page, 'Auto');
    assert.equal(await groundOf(page), pageGrounds.dark);
    assert.deepEqual(await chartGrounds(page), [grounds.dark]);
  },
);

pageTest('the theme is there before the first paint', {}, async (open) => {
  const { page } = open;
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(open, server);
  await choose(page, 'Dark');
  // The script of the page never comes.
  await page.route('**/site-*.js', () => {});
  await page.goto(`${server}/about`, { waitUntil: 'commit' });
  await page.locator('footer').waitFor();
  // Nothing is painted before the style sheet.
  await page.waitForFunction(() => document.styleSheets.length > 0);
  assert.equal(await groundOf(page), pageGrounds.dark);
  await page.evaluate(() => localStorage.clear());
});

pageTest('pictures in pages have the chosen theme', {}, async (open) => {
  const { page } = open;
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(open, `${server}/software/bukkit`);
  const picture = page.locator('.total img');
  // The colour of the ground alone: pixels at the edges of a picture depend on how far the page is scrolled.
  const ground = () =>
    picture.evaluate((image: HTMLImageElement) => {
      const canvas = new OffscreenCanvas(4, 4).getContext('2d');
      canvas?.drawImage(image, 0, 0, image.width, image.height);
      return [...(canvas?.getImageData(2, 2, 1, 1).data ?? [])].slice(0, 3).join();
    });
  assert.equal(await ground(), '255,255,255');
  for (const [theme, colour] of [
    ['Dark', '17,19,24'],
    ['Auto', '255,255,255'],
  ] as const) {
    await choose(page, theme);
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.total img')?.complete);
    assert.equal(await ground(), colour, theme);
  }
});

pageTest('windows of the same site follow the choice', {}, async (open) => {
  const { page } = open;
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(open, server);
  const other = await page.context().newPage();
  await other.emulateMedia({ colorScheme: 'light' });
  await other.goto(`${server}/about`);
  await choose(page, 'Dark');
  await other.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
  await choose(page, 'Auto');
  await other.waitForFunction(() => document.documentElement.dataset['theme'] === undefined);
});

pageTest(
  'without script there is no switch, and the theme is that of the system',
  { at: server, javaScriptEnabled: false, colorScheme: 'dark' },
  async ({ page }) => {
    assert.equal(await page.getByRole('radio').count(), 0);
    assert.equal(await groundOf(page), pageGrounds.dark);
  },
);

pageTest('paper is light, whatever the theme of the screen', {}, async (open) => {
  const { page } = open;
  for (const theme of ['Auto', 'Dark']) {
    await page.emulateMedia({ colorScheme: 'dark', media: 'screen' });
    await visit(open, `${server}/plugin/1337`);
    await choose(page, theme);
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    assert.equal(await groundOf(page), pageGrounds.light, theme);
    await page.waitForFunction(allCharts, grounds.light);
    await page.emulateMedia({ colorScheme: 'dark', media: 'screen' });
    await page.waitForFunction(allCharts, grounds.dark);
  }
  await choose(page, 'Auto');
});

pageTest(
  'in forced colours buttons have an edge, and lines the colour of the text',
  { forcedColors: 'active' },
  async (open) => {
    const { page } = open;
    await visit(open, `${server}/plugin/1337`);
    const button = buttonIn(page, 'Embed').first();
    assert.equal(await button.evaluate((element) => getComputedStyle(element).borderTopWidth), '1px');
    const [stroke, text] = await page
      .locator('.spark')
      .first()
      .evaluate((line) => [getComputedStyle(line).stroke, getComputedStyle(document.body).color]);
    assert.equal(stroke, text);
  },
);

/** The contrast of two colours such as `rgb(1, 2, 3)` (WCAG 2.2). */
function contrast(a: string, b: string): number {
  const [first = 0, second = 0] = [a, b].map((colour) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((text) => {
      const part = Number(text) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

test('a chart with the colours of the documentation is readable in light and in dark', async () => {
  const text = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
  const [, css = assert.fail()] =
    /```css\n(plugin-chart \{\n {2}--plugin-chart-ground.*?)```/s.exec(text) ?? [];
  const html = `<style>${css}</style><plugin-chart plugin="1337" chart="players"></plugin-chart>`;
  const page = await embedHtml(server, html, "style-src 'unsafe-inline'");
  for (const colorScheme of ['light', 'dark'] as const) {
    await using open = await openPage({ colorScheme });
    await open.page.goto(page);
    await sliderIn(open.page).waitFor();
    const looks = await open.page.locator('plugin-chart').evaluate((chart) => {
      const style = (selector: string) =>
        getComputedStyle(chart.shadowRoot?.querySelector(selector) ?? chart);
      const { backgroundColor } = style('.box');
      return [backgroundColor, style('svg text').fill, style('.box').color, style('svg circle').fill];
    });
    const [ground = '', ...inks] = looks;
    for (const ink of inks) assert.ok(contrast(ground, ink) >= 4, `${colorScheme}: ${ink} on ${ground}`);
  }
});
