// Accessibility: axe-core, and use by keyboard only.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { pageTest } from './support/open-page.ts';
import { samplePages, scrollThrough, visit } from './support/pages.ts';
import { serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The findings of axe, minor ones too, each with its elements. */
async function findings(page: Page): Promise<readonly string[]> {
  // Evaluated rather than added as a script, which the content security policy of the page would block.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** Checks a page in light and dark, on phones and desktops. */
async function findingsOfAllLooks(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of [390, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await scrollThrough(page);
      found.push(...(await findings(page)).map((finding) => `${width} px, ${colorScheme}: ${finding}`));
    }
  return found;
}

for (const [what, path] of Object.entries(samplePages))
  pageTest(`axe finds nothing in ${what}, in light and dark, on phones and desktops`, {}, async (open) => {
    await visit(open, server + path);
    assert.deepEqual(await findingsOfAllLooks(open.page), []);
  });

pageTest('axe finds nothing in the Embed dialog', {}, async (open) => {
  await visit(open, `${server}/plugin/1337`);
  await open.page.locator('[data-embed]').first().click();
  await open.page.getByRole('dialog').waitFor();
  assert.deepEqual(await findingsOfAllLooks(open.page), []);
});

/** Describes the element with the focus: its name, its outline and its position. */
function focused(page: Page) {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (element === null || element === document.body) return undefined;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const slice = element instanceof SVGGElement ? element.querySelector(':scope > path:first-child') : null;
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return {
      text: element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '',
      isMarked:
        slice === null
          ? outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
          : getComputedStyle(slice).strokeWidth === '2px',
      isSeen: top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1,
    };
  });
}

pageTest(
  'the first Tab offers to skip to the content, and the next Tab is in the content',
  {},
  async (open) => {
    const { page } = open;
    await visit(open, `${server}/plugin/1337`);
    await page.keyboard.press('Tab');
    assert.deepEqual(await focused(page), { text: 'Skip to content', isMarked: true, isSeen: true });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal((await focused(page))?.text, 'Bukkit / Spigot');
  },
);

for (const what of ['the list', 'a plugin', 'a comparison', 'an error'])
  pageTest(
    `Tab goes through ${what} and out of it, with a visible focus at each step`,
    { reducedMotion: 'reduce' },
    async (open) => {
      const { page } = open;
      await visit(open, server + samplePages[what]);
      const seen: string[] = [];
      for (;;) {
        await page.keyboard.press('Tab');
        const at = await focused(page);
        if (at === undefined) break;
        assert.ok(at.isMarked, `the focus on “${at.text}” is not marked`);
        assert.ok(at.isSeen, `“${at.text}” has the focus and cannot be seen`);
        seen.push(at.text);
        assert.ok(seen.length < 400, 'Tab does not come to an end');
      }
      assert.equal(seen[0], 'Skip to content');
      assert.deepEqual(seen.slice(-2), ['About', '']);
    },
  );

pageTest('a plugin can be found, opened and embedded with the keyboard alone', {}, async (open) => {
  const { page } = open;
  await visit(open, server);
  for (let count = 0; (await focused(page))?.text !== 'Search plugins and owners'; count++) {
    assert.ok(count < 10);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('example');
  await page.getByRole('option', { name: 'ExamplePlugin' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/plugin/**');
  for (let count = 0; (await focused(page))?.text !== 'Table'; count++) {
    assert.ok(count < 40);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  assert.equal((await focused(page))?.text, 'Embed');
});
