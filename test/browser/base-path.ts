// Pages below a path of their host: charts, choices, search and the Embed dialog stay below it.
import assert from 'node:assert/strict';
import { serveSite } from '../site/pages/support/site-client.ts';
import { pageTest } from './support/open-page.ts';
import { searchIn } from './support/roles.ts';
import { serveSampleSite } from './support/site-server.ts';

await serveSampleSite();
const publicUrl = 'https://stats.example.org/metrics';
const site = await serveSite(undefined, { publicUrl });
const below = `${site.url}/metrics`;

pageTest(
  'charts are drawn, and what is chosen stays below the path',
  { at: `${below}/plugin/1337` },
  async ({ page, requests }) => {
    await page.locator('plugin-chart svg[role="img"], plugin-chart svg').first().waitFor();
    await page.getByRole('link', { name: '7d', exact: true }).click();
    assert.equal(new URL(page.url()).pathname, '/metrics/plugin/bukkit/ExamplePlugin/1337');
    assert.equal(new URL(page.url()).search, '?range=7d');
    for (const link of await page.locator('[data-svg], [data-csv], [data-compare]').all())
      assert.match((await link.getAttribute('href')) ?? '', /^\/metrics\/(?!metrics)/);
    await page.goto(`${below}/compare?charts=1337:players,1337:servers`);
    await page.getByRole('link', { name: 'Sum', exact: true }).click();
    assert.equal(page.url(), `${below}/compare?charts=1337:players,1337:servers&mode=sum`);
    await page.goto(`${below}/`);
    await searchIn(page).fill('chest');
    await page.waitForURL(`${below}/?q=chest`);
    for (const request of requests) assert.match(request, new RegExp(`^(?:GET )?(?:${below}/|data:)`));
  },
);

pageTest(
  'the code of the Embed dialog has the public address with its path once',
  { at: `${below}/plugin/1337?range=7d` },
  async ({ page }) => {
    await page.locator('#players button[data-embed]').click();
    const preview = page.getByAltText('Preview');
    const code = (await page.locator('.code').textContent()) ?? '';
    assert.ok((await preview.getAttribute('src'))?.startsWith(`${below}/embed/1337/`));
    assert.ok(code.includes(`src="${publicUrl}/embed/1337/`), code);
    assert.ok(code.includes(`href="${publicUrl}/plugin/bukkit/ExamplePlugin/1337?range=7d#`), code);
  },
);
