// Charts of versions and sums of shares in the element: what it shows is what the picture of the same name
// shows.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readSvg } from '../support/read-svg.ts';
import { pageTest } from './support/open-page.ts';
import { buttonIn, radioIn } from './support/roles.ts';
import { embed, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

/** The texts of a picture below its heading. */
async function textsOf(path: string): Promise<readonly string[]> {
  const svg = await (await fetch(server + path)).text();
  return readSvg(svg).flatMap(({ name, text }) => (name === 'text' ? [text] : []));
}

/** The texts of the drawing in the page. */
const textsIn = (page: Page) => page.locator('plugin-chart .chart-box > svg text').allTextContents();

for (const [chart, group] of [
  ['pluginVersion', 'none'],
  ['minecraftVersion', 'minor'],
  ['javaVersion', 'none'],
] as const)
  pageTest(`the ladder of ${chart} has the versions and the shares of its picture`, {}, async ({ page }) => {
    const attributes = `plugin="1337" chart="${chart}" view="ladder" group="${group}" height="500"`;
    await page.goto(await embed(server, attributes));
    await page.locator('plugin-chart .chart-box > svg').waitFor();
    const drawn = await textsIn(page);
    const isOfVersion = (text: string) => /^[\dv].*|^Java|^was /.test(text);
    const expected = await textsOf(`/embed/1337/${chart}.svg?view=ladder&group=${group}&height=480`);
    assert.ok(drawn.filter(isOfVersion).length > 6, drawn.join());
    assert.deepEqual(drawn.filter(isOfVersion), expected.filter(isOfVersion));
    await buttonIn(page, 'Table').click();
    await page.getByRole('columnheader', { name: 'Or newer' }).waitFor();
  });

pageTest('a chart of versions has a button for its ladder, and others have none', {}, async ({ page }) => {
  await page.goto(await embed(server, 'plugin="1337" chart="pluginVersion"'));
  await buttonIn(page, 'Ladder').click();
  await page.getByText('this version or newer').waitFor();
  assert.equal(await buttonIn(page, 'Counts').count(), 0);
  await buttonIn(page, 'Over time').click();
  await page.getByRole('group', { name: / over time, / }).waitFor();
  await page.goto(await embed(server, 'plugin="1337" chart="serverSoftware"'));
  await buttonIn(page, 'Over time').waitFor();
  assert.equal(await buttonIn(page, 'Ladder').count(), 0);
  await page.goto(await embed(server, 'plugin="1337" chart="serverSoftware" view="ladder"'));
  await page.getByText('Only charts of versions have a ladder.').first().waitFor();
});

pageTest(
  'a version has one colour in every view of the element, that of its picture',
  {},
  async ({ page }) => {
    const keysIn = async (attributes: string) => {
      await page.goto(await embed(server, `plugin="1337" chart="pluginVersion" theme="light" ${attributes}`));
      await page.locator('plugin-chart .chart-box > svg [data-index] text').first().waitFor();
      return page
        .locator('plugin-chart .chart-box > svg g[data-index]:has(text)')
        .evaluateAll((rows) =>
          rows.map((row): [string, string] => [
            row.querySelector('text')?.textContent ?? '',
            row.querySelector('rect[rx]')?.getAttribute('fill') ?? '',
          ]),
        );
    };
    const colours = new Map(await keysIn('view="history" range="all"'));
    assert.ok(colours.size > 4);
    for (const attributes of ['', 'view="history" range="7d"', 'view="lines" range="1y"'])
      for (const [name, colour] of await keysIn(attributes))
        assert.equal(colour, colours.get(name), `${attributes}: ${name}`);
    const svg = await (await fetch(`${server}/embed/1337/pluginVersion.svg`)).text();
    for (const [name, colour] of colours)
      if (svg.includes(`>${name}</text>`)) assert.ok(svg.includes(`fill="${colour}"`), name);
  },
);

const sum = 'charts=1337:serverSoftware,2048:serverSoftware';

for (const view of ['now', 'history', 'lines'])
  pageTest(`a sum of shares has in the view ${view} what its picture has`, {}, async ({ page }) => {
    const attributes = `charts="${sum.slice(7)}" mode="sum" view="${view}" range="30d" height="340"`;
    await page.goto(await embed(server, attributes));
    await page.locator('plugin-chart .chart-box > svg [data-index]').first().waitFor();
    const drawn = await textsIn(page);
    const expected = await textsOf(`/embed/shares.svg?${sum}&view=${view}&range=30d`);
    assert.match(drawn[0] ?? '', /, added up$/);
    const shares = (texts: readonly string[]) => texts.filter((text) => /^[\d.]+%$/.test(text));
    assert.equal(drawn[0], expected[0]);
    assert.deepEqual(shares(drawn), shares(expected));
    await buttonIn(page, 'Table').click();
    await page.getByRole('table').waitFor();
  });

for (const charts of ['1337:serverSoftware,1337:players', '1337:serverSoftware,1337:javaVersion'])
  pageTest(`a sum of ${charts} is none`, { mayFail: true }, async ({ page }) => {
    await page.goto(await embed(server, `charts="${charts}" mode="sum"`));
    await page.getByText('This chart does not exist.').first().waitFor();
  });

pageTest(
  'the Embed dialog offers the ladder of a chart of versions, as picture and as tag',
  { at: `${server}/plugin/1337` },
  async ({ page }) => {
    await page.locator('button[data-embed][data-chart="pluginVersion"]').click();
    const dialog = page.getByRole('dialog');
    await radioIn(dialog, 'Ladder').check();
    assert.match(await dialog.locator('.code').innerText(), /pluginVersion\.svg\?view=ladder/);
    assert.equal(await dialog.getByRole('group', { name: 'Range' }).count(), 0);
    await radioIn(dialog, 'Tag').check();
    assert.match(await dialog.locator('.code').innerText(), / chart="pluginVersion" view="ladder"/);
    await buttonIn(dialog, 'Close').click();
    await page.locator('button[data-embed][data-chart="serverSoftware"]').click();
    await radioIn(dialog, 'Over time').waitFor();
    assert.equal(await radioIn(dialog, 'Ladder').count(), 0);
  },
);
