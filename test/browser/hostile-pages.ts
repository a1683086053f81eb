// Hostile names in a real browser: none of their scripts runs, and no page overflows its window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileNames } from '../support/hostile-names.ts';
import { hostileRecords } from './support/hostile-records.ts';
import { openPage, pageTest } from './support/open-page.ts';
import { scrollThrough, visit } from './support/pages.ts';
import { serveRecords } from './support/site-server.ts';

const { url: server } = await serveRecords(hostileRecords());
const ids = hostileNames.map((_, index) => index + 1);
const lines = ids.map((id) => `${id}:players`).join(',');
const paths = [
  '/',
  '/software/bukkit',
  `/compare?charts=${lines}`,
  `/compare?charts=${lines}&mode=indexed&add=a`,
  `/compare?charts=${lines}&mode=sum`,
  ...ids.flatMap((id) => [`/plugin/${id}`, `/owner/${id}`, `/compare?charts=${id}:players`]),
  ...hostileNames.map((name) => `/?q=${encodeURIComponent(name)}`),
];

for (const width of [390, 1440])
  pageTest(
    `hostile names stay text on every page, ${width} px wide`,
    { viewport: { width, height: 900 } },
    async (open) => {
      await open.page.addInitScript(() => {
        const violations: string[] = [];
        Object.assign(globalThis, { violations });
        addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
      });
      for (const path of paths) {
        await visit(open, server + path);
        await scrollThrough(open.page);
        const found = await open.page.evaluate(() => ({
          violations: Reflect.get(globalThis, 'violations') as unknown,
          isHacked: document.title === 'hacked',
          scripts: document.querySelectorAll('body script, [onerror], [onload], [href^="javascript:"]')
            .length,
          overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
        }));
        assert.deepEqual(found, { violations: [], isHacked: false, scripts: 0, overflow: 0 }, path);
      }
    },
  );

test('a plugin page shows the name exactly as stored', async () => {
  for (const [index, name] of hostileNames.entries()) {
    await using open = await openPage();
    await visit(open, `${server}/plugin/${index + 1}`);
    assert.equal(await open.page.getByRole('heading', { level: 1 }).textContent(), name);
    assert.ok((await open.page.title()).startsWith(`${name} for `));
    await open.page.locator('[data-embed]').first().click();
    assert.ok((await open.page.getByRole('dialog').getByRole('heading').textContent())?.includes(name));
  }
});
