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

test('a line without outliers has no such switch', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(`${server}/plugin/bukkit/Far/1?range=7d`);
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
