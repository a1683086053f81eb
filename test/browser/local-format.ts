// Times in the zone of the reader, and numbers in English.
import assert from 'node:assert/strict';
import { pageTest } from './support/open-page.ts';
import { visit } from './support/pages.ts';
import { buttonIn, linkIn, searchIn, sliderIn } from './support/roles.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const berlin = { timezoneId: 'Europe/Berlin', locale: 'de-DE' };

pageTest(
  "charts and figures have the reader's zone, and UTC is one click away",
  { ...berlin },
  async (open) => {
    const { page } = open;
    await visit(open, `${server}/plugin/bukkit/ExamplePlugin/1337`);
    const slider = sliderIn(page.locator('#players'));
    assert.equal(await slider.getAttribute('aria-valuetext'), '1 Jul 2026, 01:30 GMT+2: 3,883 players');
    assert.deepEqual(await page.locator('.value .now').allTextContents(), ['2,444', '3,883']);
    const by = (await page.locator('.by').textContent()) ?? '';
    assert.match(by, /· 1 Jul 2026, 01:30 GMT\+2 older than two hours$/);
    assert.match((await page.locator('footer').textContent()) ?? '', /Times are those of Europe\/Berlin\./);
    await buttonIn(page, 'Show UTC').click();
    await page.getByText('All times are UTC.').waitFor();
    await visit(open, `${server}/plugin/bukkit/ExamplePlugin/1337`);
    assert.equal(await slider.getAttribute('aria-valuetext'), '30 Jun 2026, 23:30 UTC: 3,883 players');
    await buttonIn(page, 'Show local times').click();
    await page.getByText('Times are those of Europe/Berlin.').waitFor();
  },
);

pageTest(
  'two dates are days of UTC in every zone',
  { ...berlin, timezoneId: 'America/Los_Angeles' },
  async (open) => {
    const { page } = open;
    await visit(open, `${server}/plugin/bukkit/ExamplePlugin/1337?from=2026-06-01&to=2026-06-08`);
    const label = await page.locator('#players').locator('svg[role=img]').first().getAttribute('aria-label');
    assert.match(label ?? '', /from 1 Jun 2026 until 8 Jun 2026/);
  },
);

pageTest("the time of a list is in the reader's zone, also after a search", { ...berlin }, async (open) => {
  const { page } = open;
  const times: (string | null)[] = [];
  const note = async () => times.push(await page.locator('.by').last().textContent());
  await visit(open, server);
  await note();
  await searchIn(page).fill('example');
  await page.waitForURL(/q=example/);
  await note();
  await linkIn(page.getByRole('navigation', { name: 'Platform' }), 'Sponge').click();
  // With the script of the page.
  await page.waitForURL(`${server}/software/sponge?q=example`);
  await page.getByRole('heading', { level: 1, name: 'Sponge' }).waitFor();
  await note();
  const time = '1 Jul 2026, 01:30 GMT+2 older than two hours';
  const all = `16 plugins on 6 platforms · ${time}`;
  assert.deepEqual(times, [all, all, `1 plugin · ${time}`]);
});
