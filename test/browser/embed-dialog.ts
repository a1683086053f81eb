// The Embed dialog in a real browser: its snippets work in a page of another origin with a strict policy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { serveSite } from '../site/pages/support/site-client.ts';
import { openPage, pageTest } from './support/open-page.ts';
import { valueText } from './support/pages.ts';
import { buttonIn, radioIn, sliderIn } from './support/roles.ts';
import { servePage, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

async function openDialog(page: Page, chart = 'players'): Promise<void> {
  await page.locator(`button[data-embed][data-chart="${chart}"]`).click();
}

async function copied(page: Page, format: string): Promise<string> {
  await page.getByRole('radio', { name: format, exact: true }).check();
  await buttonIn(page, 'Copy').click();
  await page.getByText('Copied', { exact: true }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Renders the Markdown and BBCode of the snippets as sites do. */
function toHtml(format: string, text: string): string {
  if (format === 'URL' || format === 'PNG') return `<img src="${text}">`;
  if (format === 'BBCode')
    return text.replace(/^\[url=(\S+)\]\[img\](\S+)\[\/img\]\[\/url\]$/, '<a href="$1"><img src="$2"></a>');
  return text.replace(/^\[!\[(.*)\]\((\S+)\)\]\((\S+)\)$/, (_all, alt: string, src, href) => {
    const plain = alt.replace(/\\([!-/:-@[-`{-~])/g, '$1');
    return `<a href="${href}"><img src="${src}" alt="${plain.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)}"></a>`;
  });
}

pageTest(
  'what is pasted into another site shows the picture and links to the page',
  { at: `${server}/plugin/1337`, ...clipboard },
  async ({ page }) => {
    await openDialog(page);
    const texts = new Map<string, string>();
    for (const format of ['Markdown', 'Markdown image', 'HTML', 'BBCode', 'Badge', 'URL', 'PNG'])
      texts.set(format, await copied(page, format));
    for (const [format, text] of texts) {
      const policy = `default-src 'none'; img-src ${server}`;
      await page.goto(await servePage({ html: toHtml(format, text), policy }));
      const width = await page.locator('img').evaluate(async (element) => {
        if (!(element instanceof HTMLImageElement)) return 0;
        await element.decode();
        return element.naturalWidth;
      });
      assert.ok(width >= (format === 'Badge' ? 60 : 800), `${format}: ${width} pixels`);
      if (format === 'URL' || format === 'PNG') continue;
      const href = await page.locator('a').getAttribute('href');
      assert.equal(href, `${server}/plugin/bukkit/ExamplePlugin/1337#players`, format);
    }
  },
);

pageTest(
  'the tag pasted into another site is a readable chart',
  { at: `${server}/plugin/1337`, ...clipboard },
  async ({ page }) => {
    await openDialog(page);
    const html = await copied(page, 'Tag');
    const policy = `default-src 'none'; script-src ${server}; connect-src ${server}`;
    await page.goto(await servePage({ html, policy }));
    const slider = sliderIn(page);
    await slider.waitFor();
    assert.match(await valueText(slider), /^30 Jun 2026, 23:30 UTC: 3,883 players$/);
  },
);

pageTest(
  'choices change the preview and the code',
  { at: `${server}/plugin/1337?range=7d`, ...clipboard },
  async ({ page }) => {
    await openDialog(page);
    assert.equal(await radioIn(page, '7d').isChecked(), true);
    await radioIn(page.getByRole('dialog'), 'Dark').check();
    await radioIn(page, 'Large').check();
    await radioIn(page, '90d').check();
    const url = `${server}/embed/1337/players.svg?range=90d&theme=dark&width=1200&height=400`;
    assert.equal(await copied(page, 'URL'), url);
    assert.equal(await page.getByAltText('Preview').getAttribute('src'), url);
  },
);

test('the code has the public address, the preview is of this server, and a loopback address is said', async () => {
  const publicUrl = 'https://metrics.example.org';
  await using open = await openPage(clipboard);
  const { page } = open;
  const known = await serveSite(undefined, { publicUrl });
  for (const target of ['/plugin/1337', '/compare?charts=1337:players']) {
    await page.goto(known.url + target);
    await page.locator('button[data-embed]').first().click();
    assert.match(await copied(page, 'URL'), /^https:\/\/metrics\.example\.org\/embed\//);
    const preview = page.getByAltText('Preview');
    assert.ok((await preview.getAttribute('src'))?.startsWith(`${known.url}/embed/`));
    assert.equal(await page.getByText('leads to this computer alone').count(), 0);
  }
  await page.goto(`${server}/plugin/1337`);
  await openDialog(page);
  await page.getByText('leads to this computer alone').waitFor();
});

pageTest(
  'the dialog takes the focus, Escape closes it, and the focus returns',
  { at: `${server}/plugin/1337` },
  async ({ page }) => {
    await openDialog(page);
    const dialog = page.getByRole('dialog', { name: /^Embed Players/ });
    assert.equal(await dialog.evaluate((element) => element.contains(document.activeElement)), true);
    await page.keyboard.press('Escape');
    assert.equal(await dialog.count(), 0);
    const focused = page.locator(':focus');
    assert.equal(await focused.getAttribute('data-chart'), 'players');
  },
);

test('on a phone the dialog opens at its top, with the copy button in view', async () => {
  for (const width of [320, 390]) {
    await using open = await openPage({ viewport: { width, height: 664 } });
    await open.page.goto(`${server}/plugin/1337`);
    await openDialog(open.page);
    const dialog = open.page.getByRole('dialog');
    assert.equal(await dialog.evaluate(({ scrollTop }) => scrollTop), 0);
    const box = await buttonIn(open.page, 'Copy').boundingBox();
    assert.ok(box !== null && box.y + box.height <= 664, JSON.stringify(box));
  }
});

pageTest('without a clipboard the code is copied from a selection', {}, async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto(`${server}/plugin/1337`);
  await openDialog(page);
  await buttonIn(page, 'Copy').click();
  await page.getByText('Copied', { exact: true }).waitFor();
});

pageTest(
  'the dialog begins with what the chart shows: its view, its unit, its two dates',
  { at: `${server}/plugin/1337?view=history&unit=count&range=90d`, ...clipboard },
  async ({ page }) => {
    await openDialog(page, 'serverSoftware');
    const url = `${server}/embed/1337/serverSoftware.svg?view=history&unit=count&range=90d`;
    assert.equal(await copied(page, 'URL'), url);
    await page.keyboard.press('Escape');
    await page.goto(`${server}/plugin/1337?from=2026-06-01&to=2026-06-08`);
    await openDialog(page);
    assert.match(await copied(page, 'Tag'), / from="2026-06-01" to="2026-06-08" /);
    assert.equal(await radioIn(page.getByRole('dialog'), /^30d$/).isChecked(), false);
    const dates = 'from=2026-06-01&to=2026-06-08';
    assert.equal(await copied(page, 'URL'), `${server}/embed/1337/players.svg?${dates}`);
    await radioIn(page, /^30d$/).check();
    assert.equal(await copied(page, 'URL'), `${server}/embed/1337/players.svg`);
    await page.goto(`${server}/compare?charts=1337:players,2048:players&${dates}`);
    await buttonIn(page, 'Embed').click();
    const lines = `${server}/embed/lines.svg?charts=1337:players,2048:players&${dates}`;
    assert.equal(await copied(page, 'URL'), lines);
    assert.equal(await page.getByAltText('Preview').getAttribute('src'), lines);
  },
);

pageTest(
  'the dialog offers the picture of servers and players, and the label of a badge',
  { at: `${server}/plugin/1337`, ...clipboard },
  async ({ page }) => {
    await openDialog(page);
    const dialog = page.getByRole('dialog');
    await radioIn(dialog, /^Badge$/).check();
    await dialog.getByLabel('Label').fill('online');
    await dialog.getByLabel('Label').press('Enter');
    assert.equal(await dialog.getByRole('group', { name: 'Theme' }).count(), 0);
    const badge = `${server}/badge/1337/players.svg?label=online`;
    assert.ok((await copied(page, 'Badge')).includes(`(${badge})`));
    assert.equal(await page.getByAltText('Preview').getAttribute('src'), badge);
    await radioIn(dialog, 'Servers and players').check();
    await page.getByRole('dialog', { name: 'Embed ExamplePlugin', exact: true }).waitFor();
    assert.ok(await radioIn(dialog, /^Markdown$/).isChecked());
    assert.equal(await radioIn(dialog, /^Badge$/).count(), 0);
    assert.equal(await copied(page, 'URL'), `${server}/embed/1337.svg`);
    const html = await copied(page, 'HTML');
    await page.goto(await servePage({ html, policy: `default-src 'none'; img-src ${server}` }));
    assert.equal(await page.locator('img').getAttribute('alt'), 'ExamplePlugin');
    const href = await page.locator('a').getAttribute('href');
    assert.equal(href, `${server}/plugin/bukkit/ExamplePlugin/1337?range=7d`);
  },
);

test('the format comes first, and all of the code is seen', async () => {
  for (const width of [390, 1200]) {
    await using open = await openPage({ viewport: { width, height: 800 } });
    const { page } = open;
    await page.goto(`${server}/plugin/1337`);
    await openDialog(page);
    assert.equal(await page.getByRole('dialog').locator('legend').first().innerText(), 'Format');
    const hidden = await page
      .locator('.embed .code')
      .evaluate((code) => [code.scrollWidth - code.clientWidth, code.scrollHeight - code.clientHeight]);
    assert.deepEqual(hidden, [0, 0]);
  }
});
