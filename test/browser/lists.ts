// Lists of plugins in a real browser: search, also as you type, sort, filter, paging and links, with and without script.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import type { Page } from 'playwright-core';
import { pageTest } from './support/open-page.ts';
import { buttonIn, linkIn, searchIn } from './support/roles.ts';
import { serveSampleSite } from './support/site-server.ts';

interface Summary {
  readonly id: number;
  readonly name: string;
  readonly owner: { readonly name: string };
  readonly software: { readonly name: string };
}

const { url: server } = await serveSampleSite();
let plugins: readonly Summary[] = [];

before(async () => {
  const response = await fetch(`${server}/api/v1/plugins`);
  plugins = (await response.json()) as readonly Summary[];
});

/** The ids of the listed plugins, from the links to their pages. */
async function listedIds(page: Page): Promise<readonly number[]> {
  const links = await page
    .locator('#plugins tbody th span a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  return links.map((href) => Number(href.split('/').at(-1)));
}

/** The numbers of a column; plugins without a value are left out. */
async function numbers(page: Page, column: 'Servers' | 'Players'): Promise<readonly number[]> {
  const texts = await page
    .locator(`#plugins tbody td:nth-of-type(${column === 'Servers' ? 1 : 2})`)
    .allInnerTexts();
  return texts.filter((text) => text !== '–').map((text) => Number(text.replaceAll(',', '')));
}

const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script';

  pageTest(
    `a search finds plugins by name, owner and id, ${how}`,
    { javaScriptEnabled },
    async ({ page }) => {
      for (const text of ['harbor', 'EXAMPLE', 'Ветка', '園', "o'brien", '<b>', '1337', 'nothing like it']) {
        await page.goto(server);
        const answer = page.waitForResponse(/\?.*q=/);
        await searchIn(page).fill(text);
        if (!javaScriptEnabled) await buttonIn(page, 'Search').click();
        await answer;
        await page.waitForURL(/[?&]q=/);
        const wanted = plugins.filter(({ id, name, owner }) =>
          [name, owner.name, String(id)].some((each) => each.toLowerCase().includes(text.toLowerCase())),
        );
        assert.deepEqual(ascending(await listedIds(page)), ascending(wanted.map(({ id }) => id)), text);
        if (wanted.length === 0)
          assert.match((await page.locator('#plugins').textContent()) ?? '', /No plugins match/);
      }
    },
  );

  pageTest(
    `a click on a column sorts by it, and a second click reverses the order, ${how}`,
    { at: server, javaScriptEnabled },
    async ({ page }) => {
      for (const column of ['Players', 'Servers'] as const) {
        await page.getByRole('columnheader', { name: column }).getByRole('link').click();
        await page.waitForURL(new RegExp(`sort=${column.toLowerCase()}$`));
        const down = await numbers(page, column);
        assert.deepEqual(down, ascending(down).toReversed());
        await page.getByRole('columnheader', { name: column }).getByRole('link').click();
        await page.waitForURL(/dir=asc/);
        assert.deepEqual(await numbers(page, column), ascending(down));
        assert.equal(
          await page.getByRole('columnheader', { name: column }).getAttribute('aria-sort'),
          'ascending',
        );
      }
      await linkIn(page.getByRole('columnheader', { name: 'Plugin' }), 'Plugin').click();
      await page.waitForURL(/sort=name/);
      const names = await page.locator('#plugins tbody th span bdi').allInnerTexts();
      const latin = names.map((name) => name.toLowerCase()).filter((name) => /^[a-z]/.test(name));
      assert.deepEqual(latin, latin.toSorted());
      assert.equal(names.length, plugins.length);
    },
  );

  pageTest(
    `a software can be chosen from the list, and stays chosen, ${how}`,
    { at: server, javaScriptEnabled },
    async ({ page }) => {
      await page.getByRole('combobox').selectOption({ label: 'Velocity' });
      if (!javaScriptEnabled) await buttonIn(page, 'Search').click();
      await page.waitForURL(/software\/velocity/);
      const wanted = plugins.filter(({ software }) => software.name === 'Velocity').map(({ id }) => id);
      assert.deepEqual(ascending(await listedIds(page)), ascending(wanted));
      await page.reload();
      assert.equal(await page.getByRole('combobox').inputValue(), 'velocity');
      assert.equal((await listedIds(page)).length, wanted.length);
    },
  );
}

pageTest('a list links to a plugin, its owner and its software', {}, async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto(server);
  await linkIn(page, 'HarborGate').click();
  await page.waitForURL(`${server}/plugin/velocity/HarborGate/2049`);
  assert.equal(await heading.textContent(), 'HarborGate');
  await linkIn(page, 'harborworks').click();
  await page.waitForURL(/owner/);
  assert.equal(await heading.textContent(), 'harborworks');
  assert.equal((await listedIds(page)).length, 3);
  await linkIn(page.getByRole('table'), 'Velocity').click();
  await page.waitForURL(/software/);
  assert.equal(await heading.textContent(), 'Velocity');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  assert.equal((await listedIds(page)).length, plugins.length);
});

pageTest(
  'typing finds plugins at once, shows the count, and updates the address',
  { at: server },
  async ({ page }) => {
    await searchIn(page).pressSequentially('harb', { delay: 20 });
    // A slow typist is shown the plugins of the first letters too.
    await page.waitForURL(`${server}/?q=harb`);
    await linkIn(page, 'HarborHomes').waitFor();
    await page.getByRole('status').getByText('3 plugins').waitFor({ state: 'attached' });
    assert.equal(await page.locator('#plugins tbody tr').count(), 3);
    await linkIn(page, 'HarborGate').click();
    await page.goBack();
    assert.equal(await searchIn(page).inputValue(), 'harb');
    assert.equal(await page.locator('#plugins tbody tr').count(), 3);
  },
);

pageTest('what is typed before the script comes is searched when it comes', {}, async ({ page }) => {
  const script = Promise.withResolvers<void>();
  await page.route('**/site-*.js', (route) => script.promise.then(() => route.continue()));
  await page.goto(server, { waitUntil: 'commit' });
  await searchIn(page).fill('harb');
  await page.getByLabel('Software').selectOption('velocity');
  script.resolve();
  await page.waitForURL(`${server}/software/velocity?q=harb`);
  assert.equal(await page.locator('#plugins tbody tr').count(), 1);
});

pageTest(
  'choosing a software shows the heading, totals and title that a reload shows',
  { at: server },
  async ({ page }) => {
    await page.getByLabel('Software').selectOption('bukkit');
    await page.getByRole('heading', { level: 1, name: 'Bukkit / Spigot' }).waitFor();
    const shown = async () => [await page.title(), await page.locator('#subject').innerHTML()];
    const chosen = await shown();
    assert.equal(new URL(page.url()).pathname, '/software/bukkit');
    await page.reload();
    assert.deepEqual(await shown(), chosen);
    await page.getByLabel('Software').selectOption('');
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor();
    assert.equal(await page.locator('.totals div').count(), 4);
  },
);

pageTest('a slow response never replaces a newer one', { at: server }, async ({ page }) => {
  await page.route('**/?q=h', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue().catch(() => {});
  });
  const box = searchIn(page);
  const asked = page.waitForRequest('**/?q=h');
  await box.fill('h');
  await asked;
  await box.fill('museum');
  await page.locator('#plugins').getByText('1 plugin').waitFor();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
  assert.equal(await page.locator('#plugins tbody tr').count(), 1);
  assert.equal(new URL(page.url()).search, '?q=museum');
});

pageTest('Enter searches without reloading the page', { at: server }, async ({ page }) => {
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
  await searchIn(page).fill('museum');
  await page.keyboard.press('Enter');
  await page.locator('#plugins').getByText('1 plugin').waitFor();
  assert.equal(await page.evaluate('globalThis.isSame'), true);
});

pageTest(
  'without a connection the list stays, and the next search works again',
  { at: server, mayFail: true },
  async ({ page }) => {
    await page.route('**/?q=harb', (route) => route.abort());
    const box = searchIn(page);
    await box.fill('harb');
    await page.locator('#plugins').getByText('The server did not answer.').waitFor();
    assert.equal(await box.inputValue(), 'harb');
    assert.equal(await page.locator('#plugins tbody tr').count(), 21);
    await box.fill('museum');
    await page.locator('#plugins').getByText('1 plugin').waitFor();
  },
);
