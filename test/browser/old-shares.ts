// Shares of a chart that has ended: their day, in place of a silent "now".
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './support/open-page.ts';
import { visit } from './support/pages.ts';
import { serveRecords } from './support/site-server.ts';

const halfHourMs = 30 * 60 * 1000;
const shares = [
  { name: 'Paper', y: 12 },
  { name: 'Spigot', y: 3 },
];

function chartRecords(chartId: string, uid: number, data: object): object[] {
  const chart = { pluginId: 1, chartId };
  const settings = { type: 'simple_pie', title: chartId, isDefault: false, data: {} };
  return [
    { record: 'chart', ...chart, uid, position: uid, ...settings },
    { record: 'data', ...chart, data: shares, ...data },
  ];
}

const { url } = await serveRecords([
  { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null },
  { record: 'plugin', id: 1, name: 'Ended', owner: { id: 1, name: 'A' }, softwareId: 1, isGlobal: false },
  ...chartRecords('ended', 1, { at: Date.UTC(2024, 5, 30, 12) }),
  ...chartRecords('current', 2, { at: Math.floor(Date.now() / halfHourMs) * halfHourMs }),
  ...chartRecords('undated', 3, {}),
]);

test('a pie that has ended has its day in the page and in its picture', async () => {
  await using open = await openPage();
  await visit(open, `${url}/plugin/bukkit/Ended/1`);
  const labels = await open.page
    .locator('.stage > svg')
    .evaluateAll((all) => all.map((svg) => svg.ariaLabel));
  assert.deepEqual(labels, [
    'ended (Ended) on 30 Jun 2024: Paper 80% and Spigot 20%',
    'current (Ended): Paper 80% and Spigot 20%',
    'undated (Ended): Paper 80% and Spigot 20%',
  ]);
  assert.ok(await open.page.locator('#ended .stage svg text').getByText('30 Jun 2024').isVisible());
  const picture = async (chartId: string) => (await fetch(`${url}/embed/1/${chartId}.svg`)).text();
  assert.match(await picture('ended'), />30 Jun 2024 *</);
  // A picture depends on the data alone, so that it has the day always.
  assert.match(await picture('current'), /<desc[^>]*>current \(Ended\) on \d/);
  assert.match(await picture('undated'), /<desc[^>]*>undated \(Ended\): Paper/);
});
