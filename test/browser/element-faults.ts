// The element where data is late, missing or strange, and in pages whose style reaches into it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../support/wait-until.ts';
import { openPage } from './support/open-page.ts';
import { servePage, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;

function embed(html: string, from = server): Promise<string> {
  const policy = `default-src 'none'; script-src ${from}; connect-src ${from}; img-src ${from}; style-src 'unsafe-inline'`;
  return servePage({ html: `<script type="module" src="${from}/embed.js"></script>${html}`, policy });
}

test('a picture comes where data is late, and stays until the chart is drawn', async () => {
  await using open = await openPage();
  const { page } = open;
  const data = Promise.withResolvers<void>();
  await page.route('**/api/**', (route) => data.promise.then(() => route.continue()));
  await page.goto(address);
  const picture = page.locator('#players img');
  const isSeen = () =>
    picture.evaluate((image) => {
      const { left } = image.getBoundingClientRect();
      return image instanceof HTMLImageElement && image.naturalWidth > 0 && left >= 0;
    });
  await waitUntil(isSeen);
  data.resolve();
  await page.locator('#players .stage > svg').waitFor();
  assert.equal(await picture.isVisible(), false);
});

test('a chart that fails has its name and a way to try again, and is small below the window', async () => {
  await using open = await openPage({ mayFail: true, viewport: { width: 1000, height: 700 } });
  const { page } = open;
  await page.route('**/series?*', (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto(
    await embed(
      '<p style="height:800px"></p><plugin-chart plugin="1337" chart="players"><img alt="Players on servers" src="about:blank"></plugin-chart>',
    ),
  );
  const host = page.locator('plugin-chart');
  await page.locator('.message b').getByText('Players on servers').waitFor();
  assert.ok(((await host.boundingBox())?.height ?? 0) < 160);
  await page.unroute('**/series?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('slider').waitFor();
  assert.equal((await host.boundingBox())?.height, 340);
});

test('a pie is no stop of the Tab key, only its names are, and a click on it does not focus it', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(await embed('<plugin-chart plugin="1337" chart="onlineMode"></plugin-chart>'));
  await page.locator('.stage > svg').click({ position: { x: 400, y: 200 } });
  const focused = () =>
    page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent ?? '');
  assert.equal(await focused(), '');
  await page.keyboard.press('Tab');
  assert.match(await focused(), /^online/);
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Now');
});

test('a tap on a slice shows its tip until the next tap', async () => {
  await using open = await openPage({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 800 },
  });
  const { page } = open;
  await page.goto(await embed('<plugin-chart plugin="1337" chart="onlineMode"></plugin-chart>'));
  const { x, y, width, height } =
    (await page.locator('[data-index="0"] > path').boundingBox()) ?? assert.fail();
  await page.touchscreen.tap(x + width - 8, y + height / 2);
  const tip = page.locator('.tip');
  await tip.waitFor();
  assert.match(await tip.innerText(), /^online\n[\d,]+ · \d+%$/);
  await page.touchscreen.tap(300, 700);
  await tip.waitFor({ state: 'hidden' });
});

test('no style of the page around the element reaches into it', async () => {
  await using open = await openPage();
  const { page } = open;
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
    await embed(`<style>.page,.page *{${style}}</style><div>${chart}</div><div class="page">${chart}</div>`),
  );
  for (const host of await page.locator('plugin-chart').all()) await host.getByRole('slider').waitFor();
  const found = await page.evaluate(() =>
    ['.stage text', '.bar button', '.tip b', '.said'].flatMap((selector) => {
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

test('an element is as visible, and as dark, as the page around it says', async () => {
  await using open = await openPage();
  const { page } = open;
  const chart = '<plugin-chart plugin="1337" chart="players"></plugin-chart>';
  await page.goto(
    await embed(`<div style="visibility:hidden">${chart}</div><div style="color-scheme:dark">${chart}</div>`),
  );
  const stage = page.locator('.stage > svg');
  await stage.nth(1).waitFor();
  assert.equal(await stage.nth(0).isVisible(), false);
  const [light, dark] = await page
    .locator('.box')
    .evaluateAll((boxes) => boxes.map((box) => getComputedStyle(box).backgroundColor));
  assert.notEqual(light, dark);
});
