// Parts of the script that cannot be loaded, because the connection failed or the server has another release by now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from './support/open-page.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;

/** Fails the first request for a part. */
async function missOnce(page: Page, part: string): Promise<void> {
  await page.route(`**/${part}-*.js`, (route) => route.fulfill({ status: 404, body: '' }), { times: 1 });
}

test('a chart whose part is missing says so, and can be tried again', async () => {
  await using open = await openPage({ mayFail: true });
  const { page } = open;
  await missOnce(page, 'shares');
  await page.goto(`${address}#onlineMode`);
  const chart = page.locator('#onlineMode');
  await chart.locator('.message').getByText('This chart could not be loaded.').waitFor();
  await chart.getByRole('button', { name: 'Try again' }).click();
  await chart.locator('.stage > svg').waitFor();
});

test('a table whose part is missing can be tried again', async () => {
  await using open = await openPage({ mayFail: true });
  const { page } = open;
  await missOnce(page, 'table');
  await page.goto(address);
  const chart = page.locator('#players');
  await chart.getByRole('button', { name: 'Table' }).click();
  await chart.getByRole('button', { name: 'Try again' }).click();
  await chart.getByRole('button', { name: 'Table' }).click();
  await chart.getByRole('region', { name: /, table$/ }).waitFor();
});

test('a dialog whose part is missing opens on a page that is loaded again', async () => {
  await using open = await openPage({ mayFail: true });
  const { page } = open;
  await missOnce(page, 'embed-dialog');
  const questions: string[] = [];
  // The support dismisses dialogs.
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.accept();
  });
  await page.goto(address);
  const embed = page.locator('#players').getByRole('button', { name: 'Embed' });
  const loaded = page.waitForEvent('load');
  await embed.click();
  await loaded;
  assert.deepEqual(questions, ['The dialog could not be loaded. Load the page again?']);
  await embed.click();
  await page.getByRole('dialog').waitFor();
});
