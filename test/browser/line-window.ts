// The data that the custom element asks for, by window and step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Request } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { lineRecords } from './support/line-records.ts';
import { type OpenPage, openPage } from './support/open-page.ts';
import { servePage, serveRecords, serveSampleSite } from './support/site-server.ts';

const dayMs = 24 * 60 * 60 * 1000;
const halfHourMs = dayMs / 48;
const end = Date.UTC(2026, 5, 30);

async function embed(server: string, attributes: string): Promise<string> {
  const html = `<script type="module" src="${server}/embed.js"></script><plugin-chart ${attributes}></plugin-chart>`;
  return servePage({ html, policy: `default-src 'none'; script-src ${server}; connect-src ${server}` });
}

/** Adds up the bytes of answers, as they are sent, when all that was asked for has come. */
function countBytes({ page, requests }: OpenPage): () => Promise<number> {
  const sizes: ReturnType<Request['sizes']>[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().includes('/api/')) sizes.push(request.sizes());
  });
  return async () => {
    await waitUntil(() => sizes.length === requests.filter((url) => url.includes('/api/')).length);
    return (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  };
}

test('ten years of half hours transfer less than 150 KB', async () => {
  const pointCount = 10 * 365 * 48;
  const valueAt = (index: number) =>
    Math.round(5000 + 2000 * Math.sin(index / 7.6) + ((index * 2_654_435_761) % 977));
  const points = Array.from(
    { length: pointCount },
    (_, index) => [end - (pointCount - 1 - index) * halfHourMs, valueAt(index)] as const,
  );
  const { url } = await serveRecords(lineRecords(points));
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 800 },
  ]) {
    await using open = await openPage({ viewport });
    const countedBytes = countBytes(open);
    await open.page.goto(await embed(url, 'plugin="1" chart="players" range="all"'));
    await open.page.getByRole('slider').waitFor();
    const bytes = await countedBytes();
    assert.ok(bytes > 1000 && bytes < 150_000, `${bytes} bytes`);
  }
});

test('a window is shown from its beginning to its end', async () => {
  const { url } = await serveSampleSite();
  await using open = await openPage();
  await open.page.goto(
    await embed(url, 'plugin="1337" chart="players" from="2026-06-01" to="2026-06-03T12:00:00Z"'),
  );
  const slider = open.page.getByRole('slider');
  await slider.focus();
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^3 Jun 2026, 11:30 UTC: /);
  await slider.press('Home');
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^1 Jun 2026, 00:00 UTC: /);
  const status = (await open.page.getByRole('status').textContent()) ?? '';
  assert.match(status, /from 1 Jun 2026, 00:00 UTC until 3 Jun 2026, 12:00 UTC$/);
});

test('one request that fails leaves a server as it is: after another try there are windows and histories', async () => {
  const { url } = await serveSampleSite();
  await using open = await openPage({ mayFail: true });
  const { page, requests } = open;
  await page.route('**/api/v2/plugins/*', (route) => route.abort(), { times: 1 });
  await page.goto(
    await embed(url, 'plugin="1337" chart="players" from="2026-06-01" to="2026-06-03T12:00:00Z"'),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('slider').waitFor();
  assert.match((await page.getByRole('status').textContent()) ?? '', /until 3 Jun 2026, 12:00 UTC$/);
  await page.locator('plugin-chart').evaluate((element) => {
    element.setAttribute('chart', 'serverSoftware');
    element.setAttribute('view', 'history');
  });
  await page
    .getByText(/over time/)
    .first()
    .waitFor();
  assert.equal(requests.filter((each) => each.includes('/api/v1/')).length, 0);
});

test('a server without the second interface has no such chart', async () => {
  const { url } = await serveSampleSite();
  await using open = await openPage({ mayFail: true });
  const { page, requests } = open;
  await page.route('**/api/v2/**', (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.goto(await embed(url, 'plugin="1337" chart="players" range="1y"'));
  await page.getByText('This chart does not exist.').first().waitFor();
  assert.equal(requests.filter((each) => each.includes('/api/v1/')).length, 0);
});

test('a line that ended two years ago says when, and one of today says now', async () => {
  const { url } = await serveSampleSite();
  await using open = await openPage();
  const { page } = open;
  const address = await embed(url, 'plugin="1337" chart="players"');
  await page.clock.setFixedTime(new Date('2026-07-01T08:00:00Z'));
  await page.goto(address);
  await page.getByText(/^[\d,]+ now, between .* in the last 30 days$/).waitFor();
  await page.clock.setFixedTime(new Date('2028-07-01T08:00:00Z'));
  await page.goto(address);
  await page.getByText(/^[\d,]+ on 30 Jun 2026, between .* in the 30 days before$/).waitFor();
  assert.doesNotMatch((await page.getByRole('status').textContent()) ?? '', /now|last/);
});
