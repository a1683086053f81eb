// Lists of plugins in a real browser: search, also as you type, sort, filter, paging and links, with and
// without script.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import type { Page } from 'playwright-core';
import { pageTest } from './support/open-page.ts';
import { buttonIn, linkIn, searchIn, sliderIn } from './support/roles.ts';
import { serveSampleSite } from './support/site-server.ts';

interface Summary {
  readonly id: number;
  readonly isGlobal: boolean;
  readonly name: string;
  readonly owner: { readonly name: string };
  readonly software: { readonly name: string };
}

const { url: server } = await serveSampleSite();
let plugins: readonly Summary[] = [];

before(async () => {
  const response = await fetch(`${server}/api/v1/plugins`);
  plugins = ((await response.json()) as readonly Summary[]).filter(({ isGlobal }) => !isGlobal);
});

/** The ids of the listed plugins, from the links to their pages. */
async function listedIds(page: Page): Promise<readonly number[]> {
  const links = await page
    .locator('#plugins tbody th > a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  return links.map((href) => Number(href.split('/').at(-1)));
}

/** The numbers of a column; plugins without a value are left out. */
async function numbers(page: Page, column: 'Servers' | 'Players'): Promise<readonly number[]> {
  const texts = await page
    .locator(`#plugins tbody td.number:nth-of-type(${column === 'Servers' ? 3 : 4})`)
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
        if (!javaScriptEnabled) await buttonIn(page.getByRole('main'), 'Search').click();
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
    `a choice sorts the list, and a second click reverses the order, ${how}`,
    { at: server, javaScriptEnabled },
    async ({ page }) => {
      const choice = (name: string) => linkIn(page.getByRole('navigation', { name: 'By' }), name);
      for (const column of ['Players', 'Servers'] as const) {
        await choice(column).click();
        await page.waitForURL(new RegExp(`sort=${column.toLowerCase()}$`));
        const down = await numbers(page, column);
        assert.deepEqual(down, ascending(down).toReversed());
        await choice(column).click();
        await page.waitForURL(/dir=asc/);
        assert.deepEqual(await numbers(page, column), ascending(down));
        assert.equal(
          await page.getByRole('columnheader', { name: column }).getAttribute('aria-sort'),
          'ascending',
        );
      }
      await choice('Name').click();
      await page.waitForURL(/sort=name/);
      const names = await page.locator('#plugins tbody th > a').allInnerTexts();
      const latin = names.map((name) => name.toLowerCase()).filter((name) => /^[a-z]/.test(name));
      assert.deepEqual(latin, latin.toSorted());
      assert.equal(names.length, plugins.length);
    },
  );

  pageTest(
    `a platform can be chosen for a search, ${how}`,
    { at: `${server}/?q=harbor`, javaScriptEnabled },
    async ({ page }) => {
      await linkIn(page.getByRole('navigation', { name: 'Platform' }), 'Velocity').click();
      await page.waitForURL(`${server}/software/velocity?q=harbor`);
      assert.deepEqual(await listedIds(page), [2049]);
    },
  );

  pageTest(
    `the search in the head of a page shows all that it finds, ${how}`,
    { at: `${server}/about`, javaScriptEnabled },
    async ({ page }) => {
      const field = page.getByLabel('Search plugins and owners');
      await field.fill('harbor');
      await field.press('Enter');
      await page.waitForURL(`${server}/?q=harbor`);
      assert.equal((await listedIds(page)).length, 3);
    },
  );
}

pageTest(
  'the totals of a platform are a chart with a range of its own',
  { at: `${server}/software/velocity` },
  async ({ page }) => {
    const chart = page.locator('plugin-chart');
    await sliderIn(chart).waitFor();
    const label = () => chart.locator('svg[role=img]').getAttribute('aria-label');
    assert.match((await label()) ?? '', /^All servers and their players/);
    const before = await label();
    await buttonIn(chart, '7d').click();
    await page.waitForFunction(
      (text) =>
        document
          .querySelector('plugin-chart')
          ?.shadowRoot?.querySelector('svg[role=img]')
          ?.getAttribute('aria-label') !== text,
      before,
    );
    assert.equal(page.url(), `${server}/software/velocity`);
  },
);

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
  script.resolve();
  await page.waitForURL(`${server}/?q=harb`);
  assert.equal(await page.locator('#plugins tbody tr').count(), 3);
});

pageTest('the head of every page offers plugins as you type', { at: `${server}/about` }, async ({ page }) => {
  const field = page.getByRole('combobox', { name: 'Search plugins and owners' });
  const chosen = () => page.getByRole('option', { selected: true }).allInnerTexts();
  await page.keyboard.press('/');
  await page.keyboard.insertText('harbor');
  await page.getByRole('option').nth(2).waitFor();
  assert.equal(await field.inputValue(), 'harbor');
  assert.equal(await field.getAttribute('aria-expanded'), 'true');
  assert.deepEqual(await chosen(), []);
  await page.keyboard.press('ArrowUp');
  assert.match((await chosen()).join(), /^HarborStalls .*harborworks · Bukkit \/ Spigot.*487$/s);
  await page.keyboard.press('ArrowDown');
  assert.deepEqual(await chosen(), [], 'the field follows the last one');
  await page.keyboard.press('ArrowDown');
  assert.match((await chosen()).join(), /^HarborHomes/);
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('option').count(), 0);
  assert.equal(await field.getAttribute('aria-expanded'), 'false');
  assert.equal(await field.inputValue(), 'harbor');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await field.getAttribute('aria-activedescendant'), 'offer1');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server}/plugin/velocity/HarborGate/2049`);
});

pageTest('offers say that names are near, or that there are none', { at: server }, async ({ page }) => {
  const field = page.getByLabel('Search plugins and owners');
  const said = page.locator('.popup [role=status]');
  await field.fill('harborgates');
  await said.getByText('Nothing matches “harborgates”, but 1 similar name').waitFor();
  assert.equal(await page.getByRole('option').count(), 1);
  await field.fill('nothing like it');
  await said.getByText('No plugins match “nothing like it”.').waitFor();
  assert.equal(await page.getByRole('option').count(), 0);
  await field.fill(' ');
  await said.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { level: 1 }).click();
  await field.fill('museum');
  await page.getByRole('option').click();
  await page.waitForURL('**/plugin/bukkit/ChartMuseum/4242');
});

pageTest(
  'without a connection the head says so, and a search offers again later',
  { at: server, mayFail: true },
  async ({ page }) => {
    await page.route('**/?q=harb', (route) => route.abort());
    const field = page.getByLabel('Search plugins and owners');
    await field.fill('harb');
    await page.getByText('The server did not answer.').waitFor();
    await field.fill('museum');
    await page.getByRole('option', { name: 'ChartMuseum' }).waitFor();
    await page.route('**/?q=broken', (route) =>
      route.fulfill({ status: 400, body: '<title>No list</title>' }),
    );
    await field.fill('broken');
    await page.getByText('This search finds nothing.').waitFor();
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
    assert.equal(await page.locator('#plugins tbody tr').count(), plugins.length);
    await box.fill('museum');
    await page.locator('#plugins').getByText('1 plugin').waitFor();
  },
);
