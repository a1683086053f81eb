// Hostile names change nothing on any page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeStore } from '../../http/support/test-server.ts';
import { hostileNames } from '../../support/hostile-names.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';
import { checkHtml, skeletonOf } from './support/html-check.ts';
import { serveSite } from './support/site-client.ts';

const paths = (names: readonly string[]) => [
  '/',
  ...names.map((name) => `/?q=${encodeURIComponent(name.slice(0, 150))}`),
  '/software/s',
  '/owner/1',
  ...names.map((_, index) => `/plugin/${index + 1}`),
  '/plugin/1+2+3',
  '/compare',
  '/compare?charts=1:players,2:players,3:players&mode=indexed',
  '/compare?charts=1:players,2:players&mode=sum',
  '/compare?charts=1:pie,2:pie,3:pie&view=now',
  '/compare?add=a',
  '/none',
];

async function serveNames(names: readonly string[]) {
  const line = [
    [0, 1],
    [1_800_000, 2],
  ];
  return serveSite(
    await makeStore([
      softwareRecord({ name: names[0], url: 's' }),
      ...names.flatMap((title, index) => {
        const pluginId = index + 1;
        return [
          pluginRecord(pluginId, title, { owner: { id: 1, name: names[1] } }),
          chartRecord('players', 2 * index + 1, { pluginId, title }),
          dataRecord('players', line, { pluginId }),
          chartRecord('pie', 2 * index + 2, { pluginId, title, type: 'simple_pie' }),
          dataRecord('pie', [{ name: title, y: 1 }], { pluginId }),
        ];
      }),
    ]),
  );
}

const hostile = await serveNames(hostileNames);
// As long as the others: long names have smaller headings.
const harmlessNames = hostileNames.map((name, index) =>
  `Name ${index}`.padEnd(Math.min(name.length, 200), 'x'),
);
const harmless = await serveNames(harmlessNames);

async function read(site: typeof hostile, path: string) {
  const first = await site.get(path);
  const location = first.headers.get('location');
  return location === undefined ? first : site.get(location);
}

describe('a hostile name', () => {
  test('is text on every page, and the page is the same as with another name', async () => {
    const harmlessPaths = paths(harmlessNames);
    for (const [index, path] of paths(hostileNames).entries()) {
      const page = await read(hostile, path);
      const other = await read(harmless, harmlessPaths[index] ?? '');
      const tags = checkHtml(page.body, hostile.url);
      if (/[?&](?:q|add)=/.test(path)) continue;
      assert.deepEqual(
        withoutPictures(skeletonOf(tags)),
        withoutPictures(skeletonOf(checkHtml(other.body, harmless.url))),
        path,
      );
    }
  });

  test('in an address is text in the error page', async () => {
    for (const path of [
      '/"><script>alert(1)</script>',
      '/?sort="><script>',
      '/software/%22%3E%3Cscript%3E',
      '/owner/%3Cb%3E',
      '/compare?charts=%3Cscript%3E',
      '/plugin/1/%3Cscript%3E.csv',
    ]) {
      const { status, body } = await hostile.get(path);
      assert.ok(status === 400 || status === 404, path);
      checkHtml(body, hostile.url);
    }
  });
});

/** Long names take more lines in a picture. */
function withoutPictures(skeleton: readonly string[]): string[] {
  let isPicture = false;
  return skeleton.filter((tag) => {
    if (tag.startsWith('svg ')) isPicture = true;
    const isKept = !isPicture;
    if (tag === '/svg') isPicture = false;
    return isKept;
  });
}
