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
  test(`an outlier of ${range} does not flatten the line`, async () => {
    await using open = await openPage();
    const { page } = open;
    const html = `<script type="module" src="${server}/embed.js"></script><plugin-chart plugin="1" chart="players" range="${range}"></plugin-chart>`;
    const policy = `default-src 'none'; script-src ${server}; connect-src ${server}`;
    await page.goto(await servePage({ html, policy }));
    await page.getByRole('img', { name: /axis cut above 970/ }).waitFor();
    const tickTexts = () => page.locator('svg g[text-anchor=end] text').allTextContents();
    assert.equal((await tickTexts()).at(-1), '1,000');
    await page.locator('.stage text').getByText('axis cut above 970').waitFor();
  });

test('an address with all values goes on working, on a linear axis', async () => {
  await using open = await openPage();
  const { page } = open;
  await page.goto(`${server}/plugin/bukkit/Lined/1?axis=whole`);
  await page.getByRole('img', { name: /axis cut above 970/ }).waitFor();
  await page.getByRole('link', { name: '90d' }).click();
  await page.waitForURL(`${server}/plugin/bukkit/Lined/1?range=90d`);
  const [svg, usual] = await Promise.all(
    ['?axis=whole', ''].map(async (query) => (await fetch(`${server}/embed/1/players.svg${query}`)).text()),
  );
  assert.equal(svg, usual);
  assert.match(svg ?? '', /axis cut above 970/);
});

test('an outlier does not flatten a comparison', async () => {
  await using open = await openPage();
  const { page } = open;
  const other = lineRecords(points.map(([time]) => [time, 300] as const))
    .filter((record) => 'chartId' in record)
    .map((record) => ({ ...record, chartId: 'servers', ...('uid' in record ? { uid: 2 } : {}) }));
  const { url } = await serveRecords([...lineRecords(points), ...other]);
  for (const query of ['range=30d', 'range=90d', 'axis=whole']) {
    await page.goto(`${url}/compare?charts=1:players,1:servers&${query}`);
    await page.locator('plugin-chart svg[aria-label*="axis cut above 970"]').waitFor();
    await page.getByRole('link', { name: 'Linear' }).and(page.locator('[aria-current]')).waitFor();
  }
});
