// Lines without points in the window of their page: small and named, from the first byte on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { chartRecord, dataRecord, historyRecord, pluginRecord, softwareRecord } from '../support/records.ts';
import { lineOf, lineRecords } from './support/line-records.ts';
import { openPage, pageTest } from './support/open-page.ts';
import { recordShifts } from './support/pages.ts';
import { buttonIn, linkIn, sliderIn } from './support/roles.ts';
import { embed, serveRecords } from './support/site-server.ts';

const halfHourMs = 30 * 60 * 1000;
const start = Date.UTC(2026, 5, 1);
const points = Array.from({ length: 480 }, (_, index) => [start + index * halfHourMs, index] as const);

const fields = { position: -1, title: 'Ended <line>' };
const ended = lineOf('ended', 2, [[Date.UTC(2025, 5, 1), 7]], fields);
const { url } = await serveRecords([...lineRecords(points), ...ended]);
const inWindow = `${url}/plugin/bukkit/Lined/1?from=2026-06-02&to=2026-06-04`;
const sentence = 'No points from 2 Jun 2026 until 4 Jun 2026.';

function heightOf(page: Page, chartId: string): Promise<number> {
  return page
    .locator(`plugin-chart[chart=${chartId}]`)
    .evaluate((chart) => Math.round(chart.getBoundingClientRect().height));
}

pageTest(
  'a line without points in the window is small and named, and nothing moves',
  {},
  async ({ page }) => {
    const shifts = await recordShifts(page);
    await page.goto(inWindow);
    assert.equal(await heightOf(page, 'ended'), 112);
    await page.locator('#players .chart-box > svg').waitFor();
    await page.locator('#ended .message').getByText(sentence).waitFor();
    await page.locator('#ended .message').getByText('Ended <line>').waitFor();
    assert.equal(await heightOf(page, 'ended'), 112);
    assert.equal(await heightOf(page, 'players'), 312);
    assert.deepEqual(await shifts(), []);
  },
);

pageTest('it grows when a range with points is chosen', { at: inWindow }, async ({ page }) => {
  await page.locator('#ended .message').getByText(sentence).waitFor();
  await linkIn(page, /^All$/).click();
  await page.locator('#ended .chart-box > svg').waitFor();
  assert.equal(await heightOf(page, 'ended'), 312);
});

test('shares of which nothing is reported any more say so, and lead to what was before', async () => {
  const at = Date.UTC(2026, 5, 2, 14);
  const { url: other } = await serveRecords([
    softwareRecord(),
    pluginRecord(1, 'Lined'),
    chartRecord('gone', 1, { type: 'simple_pie' }),
    dataRecord('gone', [{ name: 'a', y: 1 }], { at }),
    dataRecord('gone', []),
    chartRecord('kept', 2, { type: 'simple_pie', position: 1 }),
    historyRecord('kept', [at], [{ name: 'a', values: [1] }]),
    chartRecord('emptied', 3, { type: 'simple_pie', position: 2 }),
    dataRecord('emptied', []),
    chartRecord('never', 4, { type: 'drilldown_pie', position: 3 }),
  ]);
  const words = 'Nothing reported since 2 Jun 2026, 14:00 UTC. “Over time” shows earlier data.';
  await using open = await openPage();
  const { page } = open;
  await page.goto(`${other}/plugin/bukkit/Lined/1`);
  const gone = page.locator('#gone');
  await gone.locator('.message').getByText(words).waitFor();
  await buttonIn(gone, 'Over time').click();
  await sliderIn(gone).waitFor();
  assert.equal(new URL(page.url()).search, '?view=history');
  // In a page of somebody else.
  await page.goto(await embed(other, 'plugin="1" chart="gone"'));
  await page.locator('.message').getByText(words).waitFor();
  await buttonIn(page.locator('.message'), 'Over time').click();
  await sliderIn(page).waitFor();
  for (const [chartId, sentence] of [
    ['emptied', 'Nothing reported since 2 Jun 2026, 14:00 UTC.'],
    ['never', 'No data yet.'],
  ] as const) {
    await page.goto(await embed(other, `plugin="1" chart="${chartId}"`));
    await page.locator('.message').getByText(sentence, { exact: true }).waitFor();
  }
});

test('all charts of a page have the window that ends with the newest of them, with nothing where one has no points', async () => {
  const dayMs = 48 * halfHourMs;
  const young = lineOf('young', 3, points.slice(-96), { title: 'Young' });
  const late = lineOf('late', 4, points.slice(0, 240), { title: 'Late' });
  const times = points.slice(0, 96).map(([time]) => time);
  const { url: apart } = await serveRecords([
    ...lineRecords(points),
    ...lineOf('ended', 2, [[start - 40 * dayMs, 7]], fields),
    ...young,
    ...late,
    chartRecord('os', 5, { type: 'simple_pie', position: 4 }),
    historyRecord('os', times, [{ name: 'a', values: times.map(() => 480) }]),
  ]);
  await using open = await openPage({ viewport: { width: 1200, height: 2400 } });
  const { page } = open;
  await page.goto(`${apart}/plugin/bukkit/Lined/1?range=7d`);
  await page.locator('#ended .message').getByText('No points in the 7 days to 10 Jun 2026.').waitFor();
  const ticksOf = (chartId: string) =>
    page
      .locator(`#${chartId} .chart-box > svg text`)
      .evaluateAll((texts) =>
        texts.flatMap(({ textContent }) => (/^\d+ Jun( 2026)?$/.test(textContent) ? textContent : [])),
      );
  for (const chartId of ['players', 'young', 'late']) {
    await page.locator(`#${chartId} .chart-box > svg`).waitFor();
    assert.deepEqual([chartId, await ticksOf(chartId)], [chartId, await ticksOf('players')]);
  }
  assert.match(
    (await page.locator('#late [role=status]').textContent()) ?? '',
    /: 239 on 5 Jun 2026, .* in the 7 days to 10 Jun 2026$/,
  );
  assert.match((await ticksOf('young'))[0] ?? '', /^4 Jun/);
  await page.getByRole('link', { name: 'Over time' }).click();
  await page.locator('#os .message').getByText('Nothing was counted in the 7 days to 10 Jun 2026.').waitFor();
  // A chart in the page of somebody else has its own.
  await page.goto(await embed(apart, 'plugin="1" chart="late" range="7d"'));
  await page
    .getByRole('status')
    .getByText('239 on 5 Jun 2026, between 0 and 239 in the 7 days before')
    .waitFor();
});

test('a chart without data below the window moves nothing where the reader scrolls to it meanwhile', async () => {
  const pies = ['above', 'empty', 'below'].flatMap((chartId, index) => [
    chartRecord(chartId, index + 1, { type: 'simple_pie' }),
    dataRecord(chartId, chartId === 'empty' ? [] : [{ name: 'a', y: 1 }]),
  ]);
  const { url: other } = await serveRecords([softwareRecord(), pluginRecord(1, 'Lined'), ...pies]);
  await using open = await openPage({ viewport: { width: 390, height: 600 } });
  const { page } = open;
  const shifts = await recordShifts(page);
  const { promise: isReady, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/v2/plugins/1', async (route) => {
    await isReady;
    await route.continue();
  });
  await page.goto(`${other}/plugin/bukkit/Lined/1`);
  const chart = page.locator('plugin-chart[chart=empty]');
  await chart.evaluate((element) => {
    // Below the window, and near enough to load.
    scrollBy({ top: element.getBoundingClientRect().top - innerHeight - 100, behavior: 'instant' });
    // As it is drawn, before the page is painted again.
    new MutationObserver(() => {
      if (element.ariaBusy === 'false') scrollBy({ top: innerHeight, behavior: 'instant' });
    }).observe(element, { attributes: true, attributeFilter: ['aria-busy'] });
  });
  await page.locator('plugin-chart[chart=empty][aria-busy=true]').waitFor();
  answer();
  await page.locator('plugin-chart[chart=empty][aria-busy=false]').waitFor();
  await chart.locator('.message').getByText('No data yet.').waitFor();
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  );
  assert.deepEqual(await shifts(), []);
});
