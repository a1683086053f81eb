// The head, the bar, the ladder and the releases of a plugin's page in a real browser.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { openPage, pageTest } from './support/open-page.ts';
import { recordShifts, scrollThrough } from './support/pages.ts';
import { buttonIn, linkIn, radioIn } from './support/roles.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;
const question = (page: Page) => page.locator('form[data-ladder] p').innerText();

pageTest(
  'a version is chosen in the ladder without another page',
  { at: address },
  async ({ page, requests }) => {
    const loaded = requests.length;
    const select = page.getByLabel('Oldest version that is supported');
    assert.equal(await select.inputValue(), '1.20');
    await select.selectOption('1.19');
    await page.waitForURL(`${address}?atLeast=1.19`);
    assert.match(
      await question(page),
      /on, and 120 servers \(4\.7%\) are left behind; 7\.8% three months ago\./,
    );
    const left = page.locator('.ladder tr.left th');
    assert.deepEqual(await left.allTextContents(), ['1.16', '1.12', '1.8']);
    await linkIn(page, '7d').click();
    await page.waitForURL(`${address}?range=7d&atLeast=1.19`);
    await page.goBack();
    await page.goBack();
    await waitUntil(async () => (await select.inputValue()) === '1.20');
    assert.deepEqual(await left.allTextContents(), ['1.19', '1.16', '1.12', '1.8']);
    assert.deepEqual(
      requests.slice(loaded).filter((url) => url.startsWith(address)),
      [],
    );
  },
);

pageTest(
  'and without script by its button',
  { at: `${address}?range=7d`, javaScriptEnabled: false },
  async ({ page }) => {
    await page.getByLabel('Oldest version that is supported').selectOption('1.19');
    await buttonIn(page, 'Apply').click();
    await page.waitForURL(`${address}?atLeast=1.19&range=7d#-versions`);
    assert.match(await question(page), /on, and 120 servers \(4\.7%\) are left behind/);
  },
);

pageTest(
  'a window that is no range is named, with the way back to the range before',
  { at: address },
  async ({ page }) => {
    await linkIn(page, '90d').click();
    const shown = page.locator('.shown');
    const back = linkIn(shown, /^Back to/);
    assert.equal(await back.isVisible(), false);
    await linkIn(page.locator('.releases'), '28 Apr 2026').click();
    await page.waitForURL(`${address}?from=2026-04-14&to=2026-05-13`);
    assert.equal(await shown.locator('span').textContent(), 'from 14 Apr 2026 until 13 May 2026');
    await waitUntil(async () => ((await page.locator('#servers').boundingBox())?.y ?? 0) > 0);
    assert.equal(await back.textContent(), 'Back to 90 days');
    await back.click();
    await page.waitForURL(`${address}?range=90d`);
    assert.equal(await back.isVisible(), false);
  },
);

pageTest(
  'a menu closes by Escape, by a click beside it, and by another one',
  { at: address },
  async ({ page }) => {
    const entry = linkIn(page, 'Everything as CSV');
    const opener = page.getByText('Download');
    await opener.click();
    await entry.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    assert.equal(await entry.isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Download');
    await opener.click();
    await page.getByText('Custom').click();
    assert.equal(await entry.isVisible(), false);
    await page.locator('.dates input').first().click();
    await page.locator('h1').click();
    assert.equal(await page.locator('.dates input').first().isVisible(), false);
  },
);

pageTest('the dialog of the head begins with servers and players', { at: address }, async ({ page }) => {
  await buttonIn(page.locator('.acts'), 'Embed').click();
  await page.getByRole('dialog').waitFor();
  assert.ok(await radioIn(page, 'Servers and players').isChecked());
  assert.ok(await radioIn(page, '7d').isChecked());
  assert.match((await page.getByAltText('Preview').getAttribute('src')) ?? '', /\/embed\/1337\.svg$/);
});

pageTest('numbers that are older than two hours are marked by script', {}, async ({ page }) => {
  const newest = Date.UTC(2026, 5, 30, 23, 30);
  const mark = page.locator('.by').getByText('older than two hours');
  for (const [hours, count] of [
    [1.9, 0],
    [2.1, 1],
  ] as const) {
    await page.clock.setFixedTime(newest + hours * 3_600_000);
    await page.goto(address);
    await page.locator('[aria-current]').first().waitFor();
    await page.waitForFunction(() => document.querySelector('.sections [aria-current]') !== null);
    assert.equal(await mark.count(), count);
  }
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const)
  pageTest(
    `no choice moves anything at ${width} px, and neither does the page as it is loaded`,
    { viewport: { width, height } },
    async ({ page }) => {
      const shifts = await recordShifts(page);
      await page.goto(address);
      await scrollThrough(page);
      for (const choice of [
        'view=history',
        'group=minor',
        'unit=count',
        'previous=true',
        'range=7d',
        'view=now',
      ]) {
        // A shift within half a second of a click of the reader does not count.
        await page.evaluate(
          (set) => document.querySelector<HTMLElement>(`[data-set="${set}"]`)?.click(),
          choice,
        );
        await page.waitForFunction(() => document.querySelector('plugin-chart[aria-busy="true"]') === null);
      }
      assert.deepEqual(await shifts(), []);
    },
  );

pageTest('what is chosen can be told in forced colours', { forcedColors: 'active' }, async ({ page }) => {
  await page.goto(address);
  const decoration = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((link) => getComputedStyle(link).textDecorationLine);
  assert.equal(await decoration('.choice [aria-current]'), 'underline');
  assert.equal(await decoration('.choice a:not([aria-current])'), 'none');
});

pageTest('everything is reached without script at 320 px, as at a zoom of 400 %', {}, async () => {
  await using open = await openPage({ viewport: { width: 320, height: 200 }, javaScriptEnabled: false });
  const { page } = open;
  await page.goto(address);
  await page.getByText('Custom').click();
  await page.locator('form').getByLabel('From').fill('2026-06-01');
  await page.locator('form').getByLabel('until').fill('2026-06-05');
  await buttonIn(page, 'Show').click();
  await page.waitForURL(`${address}?from=2026-06-01&to=2026-06-05`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});
