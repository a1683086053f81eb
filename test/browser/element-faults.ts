// The element where data or a part of the script is missing or strange, and in pages whose style reaches into
// it.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { pageTest } from './support/open-page.ts';
import { buttonIn, sliderIn } from './support/roles.ts';
import { embedHtml, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

const embedded = (html: string) => embedHtml(server, html, `img-src ${server}; style-src 'unsafe-inline'`);

pageTest(
  'a chart that fails has its name and a way to try again, and is small below the window',
  { mayFail: true, viewport: { width: 1000, height: 700 } },
  async ({ page }) => {
    let isFaulty = true;
    // Only a reader who asks gets it again: by itself it might come before the click.
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After',
      'Retry-After': '3600',
    };
    await page.route('**/series?*', (route) =>
      isFaulty ? route.fulfill({ status: 503, headers, body: '' }) : route.continue(),
    );
    await page.goto(
      await embedded(
        '<p style="height:800px"></p><plugin-chart plugin="1337" chart="players"><img alt="Players on servers" src="about:blank"></plugin-chart>',
      ),
    );
    const host = page.locator('plugin-chart');
    await page.locator('.message b').getByText('Players on servers').waitFor();
    // It becomes small right before it is painted.
    await page.locator('.box.small').waitFor();
    assert.ok(((await host.boundingBox())?.height ?? 0) < 160);
    isFaulty = false;
    await buttonIn(page, 'Try again').click();
    await sliderIn(page).waitFor();
    assert.equal((await host.boundingBox())?.height, 340);
  },
);

pageTest(
  'attributes that are no time or no window are said in place of another window',
  {},
  async ({ page }) => {
    await page.goto(
      await embedded(
        '<plugin-chart plugin="1337" chart="players" from="2026" to="2027-01-01"></plugin-chart>',
      ),
    );
    await page
      .locator('.message')
      .getByText('got "2026", which looks like a year: write 2026-01-01.')
      .waitFor();
    const setFrom = (from: string) =>
      page.locator('plugin-chart').evaluate((element, value) => element.setAttribute('from', value), from);
    await setFrom('2026-01-01');
    await sliderIn(page).waitFor();
    await setFrom('20260101');
    await page.locator('.message').getByText('a day without hyphens: write 2026-01-01.').waitFor();
    await setFrom('2027-02-01');
    await page.locator('.message').getByText('A window must begin before it ends').waitFor();
    await page.locator('plugin-chart').evaluate((element) => element.removeAttribute('to'));
    await page.locator('.message').getByText('A window is either range, or from and a later to.').waitFor();
  },
);

pageTest(
  'a pie is no stop of the Tab key, only its names are, and a click on it does not focus it',
  {},
  async ({ page }) => {
    await page.goto(await embedded('<plugin-chart plugin="1337" chart="onlineMode"></plugin-chart>'));
    await page.locator('.chart-box > svg').click({ position: { x: 400, y: 200 } });
    const focused = () =>
      page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent ?? '');
    assert.equal(await focused(), '');
    await page.keyboard.press('Tab');
    assert.match(await focused(), /^online/);
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Now');
  },
);

pageTest(
  'a tap on a slice shows its tip until the next tap',
  { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } },
  async ({ page }) => {
    await page.goto(await embedded('<plugin-chart plugin="1337" chart="onlineMode"></plugin-chart>'));
    const { x, y, width, height } =
      (await page.locator('[data-index="0"] > path:first-child').boundingBox()) ?? assert.fail();
    await page.touchscreen.tap(x + width - 8, y + height / 2);
    const tip = page.locator('.tip');
    await tip.waitFor();
    assert.match(await tip.innerText(), /^online\n[\d,]+ · \d+%$/);
    await page.touchscreen.tap(300, 700);
    await tip.waitFor({ state: 'hidden' });
  },
);

pageTest('no style of the page around the element reaches into it', {}, async ({ page }) => {
  const style = [
    ...[
      'text-transform:uppercase',
      'letter-spacing:9px',
      'word-spacing:9px',
      'white-space:pre',
      'text-indent:90px',
    ],
    ...['text-shadow:0 0 3px red', 'font:italic small-caps 900 30px/3 serif', 'font-feature-settings:"smcp"'],
    ...[
      'text-align:right',
      'word-break:break-all',
      'hyphens:auto',
      'cursor:wait',
      'user-select:none',
      'tab-size:1',
    ],
    ...['-webkit-text-stroke:2px red', 'border-collapse:collapse', 'fill:red', 'quotes:"a" "b"'],
    ...[
      'stroke:red',
      'stroke-width:9px',
      'text-rendering:geometricPrecision',
      'text-anchor:end',
      'direction:rtl',
    ],
  ].join(';');
  const chart = '<plugin-chart plugin="1337" chart="players"></plugin-chart>';
  await page.goto(
    await embedded(
      `<style>.page,.page *{${style}}</style><div>${chart}</div><div class="page">${chart}</div>`,
    ),
  );
  for (const host of await page.locator('plugin-chart').all()) await sliderIn(host).waitFor();
  const found = await page.evaluate(() =>
    ['.chart-box text', '.bar button', '.tip b', '.said'].flatMap((selector) => {
      const [plain, styled] = [...document.querySelectorAll('plugin-chart')].map((host) => {
        const element = host.shadowRoot?.querySelector(selector);
        return element ? getComputedStyle(element) : undefined;
      });
      if (plain === undefined || styled === undefined) return [`no ${selector}`];
      const names = [...plain].filter(
        (name) => plain.getPropertyValue(name) !== styled.getPropertyValue(name),
      );
      return names.map((name) => `${selector} ${name}: ${styled.getPropertyValue(name)}`);
    }),
  );
  assert.deepEqual(found, []);
});

pageTest('an element is as visible, and as dark, as the page around it says', {}, async ({ page }) => {
  const chart = '<plugin-chart plugin="1337" chart="players"></plugin-chart>';
  await page.goto(
    await embedded(
      `<div style="visibility:hidden">${chart}</div><div style="color-scheme:dark">${chart}</div>`,
    ),
  );
  const stage = page.locator('.chart-box > svg');
  await stage.nth(1).waitFor();
  assert.equal(await stage.nth(0).isVisible(), false);
  const [light, dark] = await page
    .locator('.box')
    .evaluateAll((boxes) => boxes.map((box) => getComputedStyle(box).backgroundColor));
  assert.notEqual(light, dark);
});

const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;

/** Fails the first requests for a part. */
async function miss(page: Page, part: string, times = 1): Promise<() => void> {
  let left = times;
  // The route stays: a browser under test forgets a request on its way when its last route is removed.
  await page.route(`**/${part}-*.js*`, (route) =>
    left-- > 0 ? route.fulfill({ status: 404, body: '' }) : route.fallback(),
  );
  return () => {
    left = 0;
  };
}

pageTest(
  'a chart whose part is missing says so, and gets it by itself or by a page that is loaded again',
  { mayFail: true },
  async ({ page }) => {
    await miss(page, 'shares');
    await page.goto(`${address}#onlineMode`);
    const chart = page.locator('#onlineMode');
    await chart.locator('.chart-box > svg').waitFor();
    const find = await miss(page, 'shares', 1000);
    await page.reload();
    await chart.locator('.message').getByText('This chart could not be loaded.').waitFor();
    const loaded = page.waitForEvent('load');
    await buttonIn(chart, 'Try again').click();
    await loaded;
    find();
    await chart.locator('.chart-box > svg').waitFor();
  },
);

pageTest('a table whose part is missing comes by itself', { mayFail: true }, async ({ page }) => {
  await miss(page, 'table');
  await page.goto(address);
  const chart = page.locator('#players');
  await buttonIn(chart, 'Table').click();
  await chart.getByRole('region', { name: /, table$/ }).waitFor();
});

pageTest(
  'a dialog whose part is missing opens on a page that is loaded again',
  { mayFail: true },
  async ({ page }) => {
    await miss(page, 'embed-dialog', 2);
    const questions: string[] = [];
    // The support dismisses dialogs.
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.accept();
    });
    await page.goto(address);
    const embed = buttonIn(page.locator('#players'), 'Embed');
    const loaded = page.waitForEvent('load');
    await embed.click();
    await loaded;
    assert.deepEqual(questions, ['The dialog could not be loaded. Load the page again?']);
    await embed.click();
    await page.getByRole('dialog').waitFor();
  },
);
