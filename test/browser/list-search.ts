// Search as you type, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './support/open-page.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

test('typing finds plugins at once, shows the count, and updates the address', async () => {
  await using open = await openPage();
  await open.page.goto(server);
  await open.page.getByRole('searchbox').pressSequentially('harb', { delay: 20 });
  // A slow typist is shown the plugins of the first letters too.
  await open.page.waitForURL(`${server}/?q=harb`);
  await open.page.getByRole('link', { name: 'HarborHomes' }).waitFor();
  await open.page.getByRole('status').getByText('3 plugins').waitFor({ state: 'attached' });
  assert.equal(await open.page.locator('#plugins tbody tr').count(), 3);
  await open.page.getByRole('link', { name: 'HarborGate' }).click();
  await open.page.goBack();
  assert.equal(await open.page.getByRole('searchbox').inputValue(), 'harb');
  assert.equal(await open.page.locator('#plugins tbody tr').count(), 3);
});

test('what is typed before the script comes is searched when it comes', async () => {
  await using open = await openPage();
  const { page } = open;
  const script = Promise.withResolvers<void>();
  await page.route('**/site-*.js', (route) => script.promise.then(() => route.continue()));
  await page.goto(server, { waitUntil: 'commit' });
  await page.getByRole('searchbox').fill('harb');
  await page.getByLabel('Software').selectOption('velocity');
  script.resolve();
  await page.waitForURL(`${server}/software/velocity?q=harb`);
  assert.equal(await page.locator('#plugins tbody tr').count(), 1);
});

test('choosing a software shows the heading, totals and title that a reload shows', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(server);
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
});

test('a wrong letter finds similar names, and says so', async () => {
  await using open = await openPage();
  await open.page.goto(server);
  await open.page.getByRole('searchbox').fill('harborgaet');
  await open.page.getByRole('status').getByText('but 1 similar name').waitFor({ state: 'attached' });
  assert.equal(await open.page.locator('#plugins tbody tr').count(), 1);
});

test('a slow response never replaces a newer one', async () => {
  await using open = await openPage();
  await open.page.goto(server);
  await open.page.route('**/?q=h', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue().catch(() => {});
  });
  const box = open.page.getByRole('searchbox');
  const asked = open.page.waitForRequest('**/?q=h');
  await box.fill('h');
  await asked;
  await box.fill('museum');
  await open.page.locator('#plugins').getByText('1 plugin').waitFor();
  await open.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
  assert.equal(await open.page.locator('#plugins tbody tr').count(), 1);
  assert.equal(new URL(open.page.url()).search, '?q=museum');
});

test('Enter searches without reloading the page', async () => {
  await using open = await openPage();
  await open.page.goto(server);
  await open.page.evaluate(() => Object.assign(globalThis, { isSame: true }));
  await open.page.getByRole('searchbox').fill('museum');
  await open.page.keyboard.press('Enter');
  await open.page.locator('#plugins').getByText('1 plugin').waitFor();
  assert.equal(await open.page.evaluate('globalThis.isSame'), true);
});

test('without a connection the list stays, and the next search works again', async () => {
  await using open = await openPage({ mayFail: true });
  await open.page.goto(server);
  await open.page.route('**/?q=harb', (route) => route.abort());
  const box = open.page.getByRole('searchbox');
  await box.fill('harb');
  await open.page.locator('#plugins').getByText('The server did not answer.').waitFor();
  assert.equal(await box.inputValue(), 'harb');
  assert.equal(await open.page.locator('#plugins tbody tr').count(), 21);
  await box.fill('museum');
  await open.page.locator('#plugins').getByText('1 plugin').waitFor();
});
