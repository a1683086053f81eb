// Shares over time: in the page of a plugin for all charts, and in an embedded chart with its own buttons.
import assert from 'node:assert/strict';
import { pageTest } from './support/open-page.ts';
import { valueText } from './support/pages.ts';
import { buttonIn, linkIn, sliderIn } from './support/roles.ts';
import { embed, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const address = `${server}/plugin/bukkit/ExamplePlugin/1337`;

pageTest(
  'all shares of a page are shown over time, in per cent or counts, and that is in the address',
  { at: `${address}?range=1y`, viewport: { width: 1200, height: 1600 } },
  async ({ page }) => {
    await linkIn(page, 'Over time').click();
    await page.waitForURL(`${address}?range=1y&view=history`);
    const chart = page.locator('#minecraftVersion');
    await chart.getByRole('group', { name: /over time, in the (last )?year.*: / }).waitFor();
    await linkIn(page, 'Counts').click();
    await page.waitForURL(`${address}?range=1y&view=history&unit=count`);
    await page.reload();
    await chart.getByRole('group', { name: /over time, in the (last )?year.*: / }).waitFor();
    await chart.locator('svg').getByText('most used: ').waitFor();
    await page.goBack();
    await page.goBack();
    await page.locator('#minecraftVersion [data-index]').first().waitFor();
    await sliderIn(chart).waitFor({ state: 'hidden' });
  },
);

pageTest('a history is read time by time, and zoomed', {}, async ({ page }) => {
  await page.goto(await embed(server, 'plugin="1337" chart="serverSoftware" view="history" range="90d"'));
  const plot = sliderIn(page);
  await plot.focus();
  const text = async () => valueText(plot);
  assert.match(await text(), /^30 Jun 2026.*: \S+ \d+% · [\d,.]+, /);
  for (const key of ['End', 'Shift+PageDown', 'Enter']) await plot.press(key);
  await page.getByRole('group', { name: / from .* until / }).waitFor();
  await plot.press('Escape');
  await page.getByRole('group', { name: /in the (last )?90 days/ }).waitFor();
});

pageTest('an embedded chart of shares has its own view', {}, async ({ page }) => {
  await page.goto(await embed(server, 'plugin="1337" chart="serverSoftware"'));
  await buttonIn(page, 'Over time').click();
  await page.getByRole('group', { name: /over time, in the (last )?30 days/ }).waitFor();
  await buttonIn(page, 'Counts').click();
  assert.equal(await buttonIn(page, 'Counts').getAttribute('aria-pressed'), 'true');
  await buttonIn(page, /^Now$/).click();
  await page.locator('[data-index]').first().waitFor();
  await sliderIn(page).waitFor({ state: 'hidden' });
});

pageTest('an outer share of a drilldown opens over time, and closes', {}, async ({ page }) => {
  await page.goto(await embed(server, 'plugin="1337" chart="javaVersion" view="history" range="1y"'));
  await buttonIn(page, /^Java 21: .*, open$/)
    .locator('text')
    .first()
    .click();
  await page.getByText('Java Version › Java 21', { exact: true }).waitFor();
  await buttonIn(page, 'Back').and(page.locator(':focus')).click();
  await buttonIn(page, /^Java 21: .*, open$/)
    .and(page.locator(':focus'))
    .waitFor();
});

pageTest(
  'inner shares that cannot be fetched say so, and the outer ones can be loaded again',
  { mayFail: true },
  async ({ page }) => {
    await page.route('**/*level=2*', (route) => route.abort());
    await page.goto(await embed(server, 'plugin="1337" chart="javaVersion" view="history" range="1y"'));
    const slice = buttonIn(page, /^Java 21: .*, open$/);
    await slice.locator('text').first().click();
    await page.getByText('This chart could not be loaded.').first().waitFor();
    await buttonIn(page, 'Try again').click();
    await slice.waitFor();
  },
);

pageTest('the table has every share at both ends of the window, and its change', {}, async ({ page }) => {
  await page.goto(await embed(server, 'plugin="1337" chart="pluginVersion" view="history" range="1y"'));
  await buttonIn(page, 'Table').click();
  await page.getByRole('columnheader', { name: 'Change' }).waitFor();
  assert.match(
    (await page.locator('caption').first().textContent()) ?? '',
    /most used: \S+ since \d+ \w+ 2026/,
  );
  for (const cell of await page.locator('table').first().locator('tbody td:nth-child(4)').allTextContents())
    assert.match(cell, /^(±0|[+−][\d.]+ pp)$/);
});

pageTest('a chart without a history says so', {}, async ({ page }) => {
  await page.goto(await embed(server, 'plugin="4242" chart="never_reported" view="history"'));
  await page.locator('.message b').waitFor();
});
