// Lists of plugins in a real browser: search, sort, filter, paging and links, with and without script.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from './support/open-page.ts';
import { serveRecords, serveSampleSite } from './support/site-server.ts';

interface Summary {
  readonly id: number;
  readonly name: string;
  readonly owner: { readonly name: string };
  readonly software: { readonly name: string };
}

const { url: server } = await serveSampleSite();
const many = 120;
const { url: largeServer } = await serveRecords([
  { record: 'software', id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId: null },
  ...Array.from({ length: many }, (_, index) => ({
    record: 'plugin',
    id: index + 1,
    name: `Plugin ${String(index + 1).padStart(3, '0')}`,
    owner: { id: 1, name: 'Someone' },
    softwareId: 1,
    isGlobal: false,
  })),
]);
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

  test(`a search finds plugins by name, owner and id, ${how}`, async () => {
    await using open = await openPage({ javaScriptEnabled });
    for (const text of ['harbor', 'EXAMPLE', 'Ветка', '園', "o'brien", '<b>', '1337', 'nothing like it']) {
      await open.page.goto(server);
      const answer = open.page.waitForResponse(/\?.*q=/);
      await open.page.getByRole('searchbox').fill(text);
      if (!javaScriptEnabled) await open.page.getByRole('button', { name: 'Search' }).click();
      await answer;
      await open.page.waitForURL(/[?&]q=/);
      const wanted = plugins.filter(({ id, name, owner }) =>
        [name, owner.name, String(id)].some((each) => each.toLowerCase().includes(text.toLowerCase())),
      );
      assert.deepEqual(ascending(await listedIds(open.page)), ascending(wanted.map(({ id }) => id)), text);
      if (wanted.length === 0)
        assert.match((await open.page.locator('#plugins').textContent()) ?? '', /No plugins match/);
    }
  });

  test(`a click on a column sorts by it, and a second click reverses the order, ${how}`, async () => {
    await using open = await openPage({ javaScriptEnabled });
    const { page } = open;
    await page.goto(server);
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
    await page.getByRole('columnheader', { name: 'Plugin' }).getByRole('link', { name: 'Plugin' }).click();
    await page.waitForURL(/sort=name/);
    const names = await page.locator('#plugins tbody th span bdi').allInnerTexts();
    const latin = names.map((name) => name.toLowerCase()).filter((name) => /^[a-z]/.test(name));
    assert.deepEqual(latin, latin.toSorted());
    assert.equal(names.length, plugins.length);
  });

  test(`a software can be chosen from the list, and stays chosen, ${how}`, async () => {
    await using open = await openPage({ javaScriptEnabled });
    const { page } = open;
    await page.goto(server);
    await page.getByRole('combobox').selectOption({ label: 'Velocity' });
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/software\/velocity/);
    const wanted = plugins.filter(({ software }) => software.name === 'Velocity').map(({ id }) => id);
    assert.deepEqual(ascending(await listedIds(page)), ascending(wanted));
    await page.reload();
    assert.equal(await page.getByRole('combobox').inputValue(), 'velocity');
    assert.equal((await listedIds(page)).length, wanted.length);
  });

  test(`paging shows every plugin once and links back, ${how}`, async () => {
    await using open = await openPage({ javaScriptEnabled });
    const { page } = open;
    await page.goto(largeServer);
    const seen = [...(await listedIds(page))];
    for (const number of [2, 3]) {
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByText(`Page ${number} of 3`).waitFor();
      seen.push(...(await listedIds(page)));
    }
    assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0);
    assert.deepEqual(
      ascending(seen),
      Array.from({ length: many }, (_, index) => index + 1),
    );
    await page.goBack();
    await page.getByText('Page 2 of 3').waitFor();
    await page.getByRole('searchbox').fill('Plugin 11');
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('11 plugins').first().waitFor();
  });

  test(`a list links to a plugin, its owner and its software, ${how}`, async () => {
    await using open = await openPage({ javaScriptEnabled });
    const { page } = open;
    const heading = page.getByRole('heading', { level: 1 });
    await page.goto(server);
    await page.getByRole('link', { name: 'HarborGate' }).click();
    await page.waitForURL(`${server}/plugin/velocity/HarborGate/2049`);
    assert.equal(await heading.textContent(), 'HarborGate');
    await page.getByRole('link', { name: 'harborworks' }).click();
    await page.waitForURL(/owner/);
    assert.equal(await heading.textContent(), 'harborworks');
    assert.equal((await listedIds(page)).length, 3);
    await page.getByRole('table').getByRole('link', { name: 'Velocity' }).click();
    await page.waitForURL(/software/);
    assert.equal(await heading.textContent(), 'Velocity');
    await page.goBack();
    await page.goBack();
    await page.goBack();
    assert.equal((await listedIds(page)).length, plugins.length);
  });
}
