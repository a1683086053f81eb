// The custom element in a real browser, in pages of another origin whose policy allows only its script and
// its requests.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { openPage, pageTest } from './support/open-page.ts';
import { recordShifts, valueText } from './support/pages.ts';
import { buttonIn, linkIn, sliderIn } from './support/roles.ts';
import { embed, embedHtml, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

const dayMs = 24 * 60 * 60 * 1000;

type Point = readonly [timestamp: number, value: number];
let points: readonly Point[] = [];

before(async () => {
  const response = await fetch(`${server}/api/v1/plugins/1337/charts/players/data?maxElements=1441`);
  const all = (await response.json()) as readonly Point[];
  // Some half hours are missing, so that many points reach further back than that many half hours.
  const first = (all.at(-1)?.[0] ?? 0) - 30 * dayMs;
  points = all.filter(([timestamp]) => timestamp >= first);
});

const strict = (html: string) =>
  embedHtml(server, html, "require-trusted-types-for 'script'; trusted-types 'none'");

const line = '<plugin-chart plugin="1337" chart="players" range="30d"></plugin-chart>';

function wordsOf([timestamp, value]: Point): string {
  const date = new Date(timestamp);
  const month = date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  const day = `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`;
  return `${day}, ${date.toISOString().slice(11, 16)} UTC: ${value.toLocaleString('en-US')} players`;
}

pageTest('hovering over a line reads the nearest point', {}, async ({ page }) => {
  await page.goto(await strict(line));
  const slider = sliderIn(page);
  const box = await slider.boundingBox();
  assert.ok(box !== null);
  const newest = points.at(-1)?.[0] ?? 0;
  for (const part of [0, 0.137, 0.5, 0.873, 1]) {
    await page.mouse.move(box.x + Math.min(box.width * part, box.width - 0.5), box.y + 40);
    const time: number = newest - 30 * dayMs * (1 - Math.min(part, 1 - 0.5 / box.width));
    const nearest: Point = points.reduce((best, point) =>
      Math.abs(point[0] - time) < Math.abs(best[0] - time) ? point : best,
    );
    assert.equal(await valueText(slider), wordsOf(nearest));
    assert.ok((await textOf(page.locator('.tip'))).includes(nearest[1].toLocaleString('en-US')));
  }
  await page.mouse.move(0, 0);
  await page.locator('.tip').waitFor({ state: 'hidden' });
});

pageTest('arrow keys walk a line from its newest point', {}, async ({ page }) => {
  await page.goto(await strict(line));
  const slider = sliderIn(page);
  await slider.focus();
  const at = async (index: number) =>
    assert.equal(await valueText(slider), wordsOf(points.at(index) ?? [0, 0]));
  await at(-1);
  for (const [key, index] of [
    ['ArrowLeft', -1],
    ['ArrowLeft', -2],
    ['ArrowLeft', -3],
    ['ArrowRight', -2],
    ['Home', 0],
    ['ArrowLeft', 0],
    ['PageUp', 144],
    ['PageDown', 0],
    ['End', -1],
  ] as const) {
    await slider.press(key);
    await at(index);
  }
  assert.equal(await page.locator('.tip').isVisible(), true);
  await slider.press('Escape');
  assert.equal(await page.locator('.tip').isVisible(), false);
});

pageTest(
  'a range that is already loaded is not requested; a longer one is, and the page gets an event',
  {},
  async ({ page, requests }) => {
    await page.goto(await strict(line));
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('7d').waitFor();
    const heard = page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('rangechange', (event) => resolve(event instanceof CustomEvent && event.detail), {
            once: true,
          });
        }),
    );
    const before = requests.length;
    await button('7d').click();
    assert.equal(await button('7d').getAttribute('aria-pressed'), 'true');
    assert.deepEqual(await heard, { range: '7d', view: 'now', unit: 'percent' });
    assert.match(await textOf(page.getByRole('status')), /in the (last )?7 days( before)?$/);
    assert.equal(requests.length, before);
    await button('1y').click();
    await page
      .getByText(/in the (last )?year/)
      .first()
      .waitFor();
    const last = points.at(-1)?.[0] ?? 0;
    const isoOf = (time: number) => new Date(time).toISOString().replace(':00.000Z', 'Z');
    const ends = `from=${isoOf(last - 365 * dayMs)}&to=${isoOf(last + 1)}`;
    assert.deepEqual(
      requests.slice(before).filter((each) => each.includes('/api/')),
      [`${server}/api/v2/series?charts=1337:players&${ends}&step=1d&aggregate=mean&top=1&level=1&band=true`],
    );
  },
);

pageTest(
  'a chart of a type that is not known says so, on its page with a link to its data',
  {},
  async ({ page }) => {
    await page.goto(await strict('<plugin-chart plugin="4242" chart="guestbook"></plugin-chart>'));
    await page.getByText("This chart's type is not known here.", { exact: true }).waitFor();
    assert.equal(await buttonIn(page, 'Table').count(), 0);
    await page.goto(`${server}/plugin/4242#guestbook`);
    const article = page.locator('#guestbook');
    await article.getByText("This chart's type is not known here.", { exact: true }).waitFor();
    await article.locator('summary').click();
    const json = linkIn(article, 'JSON');
    assert.equal(await json.getAttribute('href'), '/api/v1/plugins/4242/charts/guestbook/data');
  },
);

pageTest(
  'in a narrow page the buttons of a history have rows, and the drawing the rest',
  { viewport: { width: 390, height: 800 } },
  async ({ page }) => {
    for (const attributes of ['chart="minecraftVersion" view="history"', 'chart="players"']) {
      await page.goto(await embed(server, `plugin="1337" ${attributes}`));
      await page.locator('.chart-box > svg').waitFor();
      const heights = () =>
        page
          .locator('.chart-box, .chart-box > svg')
          .evaluateAll((all) => all.map((each) => each.clientHeight));
      await waitUntil(async () => new Set(await heights()).size === 1);
      const boxes = await page
        .locator('.bar button')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
      const shown = boxes.filter(({ width }) => width > 0);
      assert.ok(shown.length > 5);
      for (const [index, { left, right, top }] of shown.entries()) {
        assert.ok(left >= 0 && right <= 390, `${attributes}: ${right}`);
        const before = shown[index - 1];
        assert.ok(
          before === undefined || before.right <= left || before.bottom <= top,
          `${attributes}: ${index}`,
        );
      }
    }
  },
);

pageTest('data without a history have a table, bars of several values too', {}, async ({ page }) => {
  for (const [plugin, chartId, expected] of [
    [4242, 'Zoo', ['Name', 'Young', 'Grown', 'Average age', 'Sum', 'Share']],
    [2050, 'serverSoftware', ['Name', 'Value', 'Share']],
  ] as const) {
    await page.goto(`${server}/plugin/${plugin}#${chartId}`);
    const article = page.locator(`#${chartId}`);
    await buttonIn(article, 'Table').click();
    await article.locator('table').waitFor();
    assert.deepEqual(await article.locator('thead th').allTextContents(), expected);
  }
});

pageTest('a table in a page without a doctype has the colour and size of its chart', {}, async ({ page }) => {
  const html =
    '<style>body{color:#060}</style><plugin-chart plugin="1337" chart="players" theme="dark"></plugin-chart>';
  await page.goto(await embedHtml(server, html, "style-src 'unsafe-inline'", ''));
  assert.equal(await page.evaluate(() => document.compatMode), 'BackCompat');
  await buttonIn(page, 'Table').click();
  const look = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { color, fontSize } = getComputedStyle(element);
      return { color, fontSize };
    });
  assert.deepEqual(await look('tbody'), await look('.box'));
});

pageTest('a slice of a drilldown pie opens and closes by click and by keys', {}, async ({ page }) => {
  await page.goto(await strict('<plugin-chart plugin="1337" chart="javaVersion"></plugin-chart>'));
  const slice = buttonIn(page, /^Java 25: .*, open$/);
  await slice.hover();
  assert.match(await textOf(page.locator('.tip')), /^Java 25\s*1,181 · 48%$/);
  await slice.click();
  await page.getByText('Java Version › Java 25', { exact: true }).waitFor();
  const back = buttonIn(page, 'Back');
  assert.equal(await isFocused(back), true);
  await page.keyboard.press('Enter');
  assert.equal(await isFocused(slice), true);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByText('Java Version › Java 21', { exact: true }).waitFor();
});

pageTest(
  'a chart follows its theme attribute, or the colour scheme of the page, and its custom properties',
  { colorScheme: 'light' },
  async ({ page }) => {
    await page.goto(
      await strict(
        '<meta name="color-scheme" content="light dark"><plugin-chart plugin="1337" chart="players" theme="dark"></plugin-chart>',
      ),
    );
    const ground = () => page.locator('.box').evaluate((box) => getComputedStyle(box).backgroundColor);
    await sliderIn(page).waitFor();
    assert.equal(await ground(), 'rgb(17, 19, 24)');
    await page.locator('plugin-chart').evaluate((host) => host.setAttribute('theme', 'auto'));
    assert.equal(await ground(), 'rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await ground(), 'rgb(17, 19, 24)');
    const setScheme = (scheme: string) =>
      page.evaluate((value) => document.documentElement.style.setProperty('color-scheme', value), scheme);
    await setScheme('light');
    assert.equal(await ground(), 'rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'light' });
    await setScheme('dark');
    assert.equal(await ground(), 'rgb(17, 19, 24)');
    await page
      .locator('plugin-chart')
      .evaluate(
        (host) =>
          host instanceof HTMLElement && host.style.setProperty('--plugin-chart-ground', 'rgb(1, 2, 3)'),
      );
    assert.equal(await ground(), 'rgb(1, 2, 3)');
  },
);

pageTest(
  'a chart out of view is not refreshed, and an overdue one at once when it is seen again',
  {},
  async ({ page, requests }) => {
    await page.clock.install();
    await page.goto(await strict(line));
    await sliderIn(page).waitFor();
    await page.evaluate(() => {
      document.body.style.paddingBottom = '5000px';
      scrollTo(0, 5000);
    });
    // The chart learns in a frame that it is out of view; its own observer is asked before this one.
    await page.locator('plugin-chart').evaluate(
      (host) =>
        new Promise<void>((resolve) => {
          new IntersectionObserver(
            (entries) => {
              if (entries.at(-1)?.isIntersecting === false) resolve();
            },
            { rootMargin: '300px' },
          ).observe(host);
        }),
    );
    await page.clock.runFor(1000);
    await page.clock.fastForward('40:00');
    const data = () => requests.filter((each) => each.includes('/series?')).length;
    assert.equal(data(), 1);
    const again = page.waitForRequest(/\/series\?/);
    await page.evaluate(() => scrollTo(0, 0));
    await page.clock.runFor(1000);
    await again;
    assert.equal(data(), 2);
  },
);

pageTest(
  'an unknown chart says so, and attributes may change at any time',
  { mayFail: true },
  async ({ page }) => {
    await page.goto(
      await strict('<plugin-chart plugin="1337" chart="nope"></plugin-chart><plugin-chart></plugin-chart>'),
    );
    const host = page.locator('plugin-chart').first();
    await page.getByText('This chart does not exist.').nth(3).waitFor({ state: 'attached' });
    await host.evaluate((element) => element.setAttribute('chart', 'players'));
    await sliderIn(page).waitFor();
    await host.evaluate((element) => document.body.append(element));
    assert.equal(await sliderIn(page).count(), 1);
    await host.evaluate((element) => element.setAttribute('plugin', '99999999'));
    await host.getByText('This chart does not exist.').first().waitFor();
  },
);

pageTest(
  'a chart that is removed while it loads shows the chosen chart when it is added again',
  {},
  async ({ page }) => {
    await page.goto(await strict(line));
    await sliderIn(page).waitFor();
    await page.route('**/series?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await buttonIn(page, 'All').click();
    const host = page.locator('plugin-chart');
    await host.evaluate(async (element) => {
      element.remove();
      await new Promise((resolve) => setTimeout(resolve, 50));
      document.body.append(element);
    });
    await host.locator('[aria-busy=false]').waitFor();
    await page.getByRole('button', { name: 'All', pressed: true }).waitFor();
  },
);

pageTest(
  'a choice that is taken back before its data come does not leave the chart loading',
  {},
  async ({ page }) => {
    // A chart with events loads a part of the script too, after which nothing is left to mark.
    await page.goto(await strict('<plugin-chart plugin="3304" chart="players" range="30d"></plugin-chart>'));
    await sliderIn(page).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/series?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    const host = page.locator('plugin-chart');
    const answered = page.waitForResponse('**/series?*');
    await host.evaluate(async (element) => {
      for (const range of ['all', '30d']) {
        element.setAttribute('range', range);
        await undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    held.resolve();
    await answered;
    assert.equal(await host.getAttribute('aria-busy'), 'false');
  },
);

test('a chart reserves its space: nothing on the page moves', async () => {
  for (const path of ['/plugin/1337', '/plugin/4242']) {
    await using open = await openPage();
    const shifts = await recordShifts(open.page);
    await open.page.goto(server + path);
    await open.page.locator('plugin-chart .chart-box > svg').first().waitFor();
    await open.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    assert.deepEqual(await shifts(), []);
  }
});

async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? '';
}

async function isFocused(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => {
    const root = element.getRootNode();
    return root instanceof ShadowRoot && root.activeElement === element;
  });
}
