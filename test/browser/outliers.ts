// A line with a value that would flatten all others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineRecords } from './support/line-records.ts';
import { openPage } from './support/open-page.ts';
import { servePage, serveRecords } from './support/site-server.ts';

const halfHourMs = 30 * 60 * 1000;
const end = Date.UTC(2026, 5, 30);
const points = Array.from(
  { length: 4800 },
  (_, index) =>
    [end - (4799 - index) * halfHourMs, index === 4000 ? 2_147_483_647 : 500 + (index % 48) * 10] as const,
);
const { url: server } = await serveRecords(lineRecords(points));

for (const range of ['30d', '90d'])
  test(`an outlier of ${range} does not flatten the line, and a switch shows the whole axis`, async () => {
    await using open = await openPage();
    const { page } = open;
    const html = `<script type="module" src="${server}/embed.js"></script><plugin-chart plugin="1" chart="players" range="${range}"></plugin-chart>`;
    const policy = `default-src 'none'; script-src ${server}; connect-src ${server}`;
    await page.goto(await servePage({ html, policy }));
    const whole = page.getByRole('button', { name: 'All values' });
    await whole.waitFor();
    const tickTexts = () => page.locator('svg g[text-anchor=end] text').allTextContents();
    assert.equal((await tickTexts()).at(-1), '1,000');
    await page.getByRole('img', { name: /axis cut above 970/ }).waitFor();
    await page.locator('.stage text').getByText('axis cut above 970').waitFor();
    await whole.click();
    assert.equal((await tickTexts()).at(-1), '2B');
    assert.equal(await whole.getAttribute('aria-pressed'), 'true');
    await whole.click();
    assert.equal((await tickTexts()).at(-1), '1,000');
  });

test('all values are in the address of a page, for its links and pictures too', async () => {
  await using open = await openPage();
  const { page } = open;
  const address = `${server}/plugin/bukkit/Lined/1`;
  await page.goto(address);
  const whole = page.getByRole('button', { name: 'All values' });
  await whole.click();
  assert.equal(page.url(), `${address}?axis=whole`);
  const topLabel = page.locator('#players .stage g[text-anchor=end] text').last();
  const hrefOf = (name: string) => page.locator('#players').getByRole('link', { name }).getAttribute('href');
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    await whole.and(page.locator('[aria-pressed=true]')).waitFor();
    assert.equal(await topLabel.textContent(), '2B');
    assert.equal(await hrefOf('SVG'), '/embed/1/players.svg?axis=whole');
    assert.equal(await hrefOf('Compare'), '/compare?charts=1:players&axis=whole&range=30d');
  }
  await page.getByRole('link', { name: '90d' }).click();
  await page.waitForURL(`${address}?range=90d&axis=whole`);
  await page.goBack();
  await page.goBack();
  await page.waitForURL(address);
  await page.getByRole('img', { name: /axis cut above 970/ }).waitFor();
  assert.equal(await whole.getAttribute('aria-pressed'), 'false');
  await page.goForward();
  await page.waitForURL(`${address}?axis=whole`);
  await whole.and(page.locator('[aria-pressed=true]')).waitFor();
  const svg = await (await fetch(`${server}/embed/1/players.svg?axis=whole`)).text();
  assert.doesNotMatch(svg, /axis cut/);
  assert.match(svg, />2B</);
  assert.equal((await fetch(`${server}/embed/1/players.svg?axis=log`)).status, 400);
});

test('a line without outliers has no such switch', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(`${server}/plugin/bukkit/Far/1?range=7d&axis=whole`);
  await page.locator('#players .stage > svg').waitFor();
  assert.equal(await page.getByRole('button', { name: 'All values' }).count(), 0);
});

test('an outlier does not flatten a comparison, and a link shows the whole axis', async () => {
  await using open = await openPage();
  const { page } = open;
  const other = lineRecords(points.map(([time]) => [time, 300] as const))
    .filter((record) => 'chartId' in record)
    .map((record) => ({ ...record, chartId: 'servers', ...('uid' in record ? { uid: 2 } : {}) }));
  const { url } = await serveRecords([...lineRecords(points), ...other]);
  for (const range of ['30d', '90d']) {
    await page.goto(`${url}/compare?charts=1:players,1:servers&range=${range}`);
    const picture = page.getByRole('img').filter({ visible: true }).first();
    assert.match((await picture.textContent()) ?? '', /axis cut above 970/);
    await page.getByRole('link', { name: 'All values' }).click();
    await page.waitForURL(/axis=whole/);
    await page.getByRole('link', { name: 'All values' }).and(page.locator('[aria-current]')).waitFor();
    assert.doesNotMatch((await picture.textContent()) ?? '', /axis cut/);
    await page.getByRole('link', { name: 'Linear' }).click();
    await page.waitForURL((address) => !address.search.includes('axis'));
  }
  await page.goto(`${url}/compare?charts=1:players,1:servers&range=7d`);
  assert.equal(await page.getByRole('link', { name: 'All values' }).count(), 0);
});
