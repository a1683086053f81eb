// The custom element in a real browser, in pages of another origin whose policy allows only its script and its requests.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { openPage } from './support/open-page.ts';
import { recordShifts } from './support/pages.ts';
import { servePage, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

const strictPolicy = (from = server) =>
  `default-src 'none'; script-src ${from}; connect-src ${from}; require-trusted-types-for 'script'; trusted-types 'none'`;
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

function embed(html: string, from = server): Promise<string> {
  const script = `<script type="module" src="${from}/embed.js"></script>`;
  return servePage({ html: script + html, policy: strictPolicy(from) });
}

const line = '<plugin-chart plugin="1337" chart="players" range="30d"></plugin-chart>';

/** The point that the slider of a chart names. */
async function contentOf(slider: Locator): Promise<string> {
  return (await slider.getAttribute('aria-valuetext')) ?? '';
}

function wordsOf([timestamp, value]: Point): string {
  const date = new Date(timestamp);
  const month = date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  const day = `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`;
  return `${day}, ${date.toISOString().slice(11, 16)} UTC: ${value.toLocaleString('en-US')} players`;
}

test('hovering over a line reads the nearest point', async () => {
  await using open = await openPage();
  await open.page.goto(await embed(line));
  const slider = open.page.getByRole('slider');
  const box = await slider.boundingBox();
  assert.ok(box !== null);
  const newest = points.at(-1)?.[0] ?? 0;
  for (const part of [0, 0.137, 0.5, 0.873, 1]) {
    await open.page.mouse.move(box.x + Math.min(box.width * part, box.width - 0.5), box.y + 40);
    const time: number = newest - 30 * dayMs * (1 - Math.min(part, 1 - 0.5 / box.width));
    const nearest: Point = points.reduce((best, point) =>
      Math.abs(point[0] - time) < Math.abs(best[0] - time) ? point : best,
    );
    assert.equal(await contentOf(slider), wordsOf(nearest));
    assert.ok((await textOf(open.page.locator('.tip'))).includes(nearest[1].toLocaleString('en-US')));
  }
  await open.page.mouse.move(0, 0);
  await open.page.locator('.tip').waitFor({ state: 'hidden' });
});

test('arrow keys walk a line from its newest point', async () => {
  await using open = await openPage();
  await open.page.goto(await embed(line));
  const slider = open.page.getByRole('slider');
  await slider.focus();
  const at = async (index: number) =>
    assert.equal(await contentOf(slider), wordsOf(points.at(index) ?? [0, 0]));
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
  assert.equal(await open.page.locator('.tip').isVisible(), true);
  await slider.press('Escape');
  assert.equal(await open.page.locator('.tip').isVisible(), false);
});

test('a range that is already loaded is not requested; a longer one is, and the page gets an event', async () => {
  await using open = await openPage();
  await open.page.goto(await embed(line));
  const button = (name: string) => open.page.getByRole('button', { name, exact: true });
  await button('7d').waitFor();
  const heard = open.page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('rangechange', (event) => resolve(event instanceof CustomEvent && event.detail), {
          once: true,
        });
      }),
  );
  const before = open.requests.length;
  await button('7d').click();
  assert.equal(await button('7d').getAttribute('aria-pressed'), 'true');
  assert.deepEqual(await heard, { range: '7d', view: 'now', unit: 'percent' });
  assert.match(await textOf(open.page.getByRole('status')), /in the (last )?7 days( before)?$/);
  assert.equal(open.requests.length, before);
  await button('1y').click();
  await open.page
    .getByText(/in the (last )?year/)
    .first()
    .waitFor();
  const to = (points.at(-1)?.[0] ?? 0) + 1;
  assert.deepEqual(
    open.requests.slice(before).filter((each) => each.includes('/api/')),
    ['mean', 'min', 'max'].map(
      (aggregate) =>
        `${server}/api/v2/series?charts=1337:players&from=${to - 1 - 365 * dayMs}&to=${to}&step=1d&aggregate=${aggregate}`,
    ),
  );
});

test('a chart of a type that is not known says so, on its page with a link to its data', async () => {
  await using open = await openPage();
  await open.page.goto(await embed('<plugin-chart plugin="4242" chart="guestbook"></plugin-chart>'));
  await open.page.getByText("This chart's type is not known here.", { exact: true }).waitFor();
  assert.equal(await open.page.getByRole('button', { name: 'Table' }).count(), 0);
  await open.page.goto(`${server}/plugin/4242#guestbook`);
  const article = open.page.locator('#guestbook');
  await article.getByText("This chart's type is not known here.", { exact: true }).waitFor();
  const json = article.getByRole('link', { name: 'JSON' });
  assert.equal(await json.getAttribute('href'), '/api/v1/plugins/4242/charts/guestbook/data');
});

test('a table in a page without a doctype has the colour and size of its chart', async () => {
  await using open = await openPage();
  const html = `<style>body{color:#060}</style><script type="module" src="${server}/embed.js"></script>
<plugin-chart plugin="1337" chart="players" theme="dark"></plugin-chart>`;
  const policy = `${strictPolicy()}; style-src 'unsafe-inline'`;
  await open.page.goto(await servePage({ html, policy, doctype: '' }));
  assert.equal(await open.page.evaluate(() => document.compatMode), 'BackCompat');
  await open.page.getByRole('button', { name: 'Table' }).click();
  const look = (selector: string) =>
    open.page.locator(selector).evaluate((element) => {
      const { color, fontSize } = getComputedStyle(element);
      return { color, fontSize };
    });
  assert.deepEqual(await look('tbody'), await look('.box'));
});

test('a slice of a drilldown pie opens and closes by click and by keys', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(await embed('<plugin-chart plugin="1337" chart="javaVersion"></plugin-chart>'));
  const slice = page.getByRole('button', { name: /^Java 25: .*, open$/ });
  await slice.hover();
  assert.match(await textOf(page.locator('.tip')), /^Java 25\s*1,181 · 48%$/);
  await slice.click();
  await page.getByText('Java Version › Java 25', { exact: true }).waitFor();
  const back = page.getByRole('button', { name: 'Back' });
  assert.equal(await isFocused(back), true);
  await page.keyboard.press('Enter');
  assert.equal(await isFocused(slice), true);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByText('Java Version › Java 21', { exact: true }).waitFor();
});

test('every type of chart draws at every width, in light and dark, with no other network requests', async () => {
  const charts = ['players', 'Zoo', 'os', 'visitor_origin', 'guestbook', 'never_reported', '__proto__', '12'];
  const html = charts.map((chart) => `<plugin-chart plugin="4242" chart="${chart}"></plugin-chart>`).join('');
  const address = await embed(`<meta name="color-scheme" content="light dark">${html}`);
  for (const width of [320, 640, 1200])
    for (const colorScheme of ['light', 'dark'] as const) {
      await using open = await openPage({ viewport: { width, height: 3000 }, colorScheme });
      await open.page.goto(address);
      for (const chart of charts) {
        const host = open.page.locator(`plugin-chart[chart="${chart}"]`);
        await host.locator('svg, table, .message b').first().waitFor();
        const drawn = host.locator('.stage > svg');
        if ((await drawn.count()) > 0)
          assert.equal((await drawn.boundingBox())?.width, (await host.boundingBox())?.width);
      }
      const ground = await open.page
        .locator('.box')
        .first()
        .evaluate((box) => getComputedStyle(box).backgroundColor);
      assert.equal(ground, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(17, 19, 24)');
      const others = open.requests.filter((each) => !each.startsWith(server) && each !== address);
      assert.deepEqual(
        others.filter((each) => !each.endsWith('/favicon.ico')),
        [],
      );
    }
});

test('a chart follows its theme attribute, or the colour scheme of the page, and its custom properties', async () => {
  await using open = await openPage({ colorScheme: 'light' });
  await open.page.goto(
    await embed(
      '<meta name="color-scheme" content="light dark"><plugin-chart plugin="1337" chart="players" theme="dark"></plugin-chart>',
    ),
  );
  const ground = () => open.page.locator('.box').evaluate((box) => getComputedStyle(box).backgroundColor);
  await open.page.getByRole('slider').waitFor();
  assert.equal(await ground(), 'rgb(17, 19, 24)');
  await open.page.locator('plugin-chart').evaluate((host) => host.setAttribute('theme', 'auto'));
  assert.equal(await ground(), 'rgb(255, 255, 255)');
  await open.page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await ground(), 'rgb(17, 19, 24)');
  const setScheme = (scheme: string) =>
    open.page.evaluate((value) => document.documentElement.style.setProperty('color-scheme', value), scheme);
  await setScheme('light');
  assert.equal(await ground(), 'rgb(255, 255, 255)');
  await open.page.emulateMedia({ colorScheme: 'light' });
  await setScheme('dark');
  assert.equal(await ground(), 'rgb(17, 19, 24)');
  await open.page
    .locator('plugin-chart')
    .evaluate(
      (host) =>
        host instanceof HTMLElement && host.style.setProperty('--plugin-chart-ground', 'rgb(1, 2, 3)'),
    );
  assert.equal(await ground(), 'rgb(1, 2, 3)');
});

test('several charts share requests, and a chart far below requests nothing', async () => {
  await using open = await openPage();
  const far = '<div id="gap"></div><plugin-chart plugin="1337" chart="os"></plugin-chart>';
  const address = await embed(line + line + line + far);
  await open.page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const gap = document.getElementById('gap');
      if (gap !== null) gap.style.height = '5000px';
    });
  });
  await open.page.goto(address);
  await open.page.getByRole('slider').nth(2).waitFor();
  const asked = () => open.requests.filter((each) => each.includes('/api/'));
  const to = (points.at(-1)?.[0] ?? 0) + 1;
  assert.deepEqual(asked(), [
    `${server}/api/v2/plugins/1337`,
    `${server}/api/v2/series?charts=1337:players&from=${to - 1 - 30 * dayMs}&to=${to}`,
  ]);
  await open.page.locator('plugin-chart').nth(3).scrollIntoViewIfNeeded();
  await open.page.getByText('Operating System').first().waitFor();
  assert.equal(asked().length, 2);
});

test('a chart out of view is not refreshed, and an overdue one at once when it is seen again', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.clock.install();
  await page.goto(await embed(line));
  await page.getByRole('slider').waitFor();
  await page.evaluate(() => {
    document.body.style.paddingBottom = '5000px';
    scrollTo(0, 5000);
  });
  await page.clock.runFor(1000);
  await page.clock.fastForward('40:00');
  const data = () => open.requests.filter((each) => each.includes('/series?')).length;
  assert.equal(data(), 1);
  const again = page.waitForRequest(/\/series\?/);
  await page.evaluate(() => scrollTo(0, 0));
  await page.clock.runFor(1000);
  await again;
  assert.equal(data(), 2);
});

test('a failure shows a message, and retrying works', async () => {
  await using open = await openPage({ mayFail: true });
  await open.page.route('**/series?*', (route) => route.fulfill({ status: 503, body: '' }));
  await open.page.goto(await embed(line));
  const retry = open.page.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  assert.match(await textOf(open.page.locator('.message')), /could not be loaded/);
  await open.page.unroute('**/series?*');
  await retry.click();
  await open.page.getByRole('slider').waitFor();
  assert.deepEqual(
    open.faults.filter((fault) => !fault.includes('503')),
    [],
  );
});

test('an unknown chart says so, and attributes may change at any time', async () => {
  await using open = await openPage({ mayFail: true });
  await open.page.goto(
    await embed('<plugin-chart plugin="1337" chart="nope"></plugin-chart><plugin-chart></plugin-chart>'),
  );
  const host = open.page.locator('plugin-chart').first();
  await open.page.getByText('This chart does not exist.').nth(3).waitFor({ state: 'attached' });
  await host.evaluate((element) => element.setAttribute('chart', 'players'));
  await open.page.getByRole('slider').waitFor();
  await host.evaluate((element) => document.body.append(element));
  assert.equal(await open.page.getByRole('slider').count(), 1);
  await host.evaluate((element) => element.setAttribute('plugin', '99999999'));
  await host.getByText('This chart does not exist.').first().waitFor();
});

test('a chart that is removed while it loads shows the chosen chart when it is added again', async () => {
  await using open = await openPage();
  await open.page.goto(await embed(line));
  await open.page.getByRole('slider').waitFor();
  await open.page.route('**/series?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await open.page.getByRole('button', { name: 'All' }).click();
  const host = open.page.locator('plugin-chart');
  await host.evaluate(async (element) => {
    element.remove();
    await new Promise((resolve) => setTimeout(resolve, 50));
    document.body.append(element);
  });
  await host.locator('[aria-busy=false]').waitFor();
  await open.page.getByRole('button', { name: 'All', pressed: true }).waitFor();
});

test('a choice that is taken back before its data come does not leave the chart loading', async () => {
  await using open = await openPage();
  const { page } = open;
  // A chart with events loads a part of the script too, after which nothing is left to mark.
  await page.goto(await embed('<plugin-chart plugin="3304" chart="players" range="30d"></plugin-chart>'));
  await page.getByRole('slider').waitFor();
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
});

test('a chart reserves its space: nothing on the page moves', async () => {
  for (const path of ['/plugin/1337', '/plugin/4242']) {
    await using open = await openPage();
    const shifts = await recordShifts(open.page);
    await open.page.goto(server + path);
    await open.page.locator('plugin-chart .stage > svg').first().waitFor();
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
