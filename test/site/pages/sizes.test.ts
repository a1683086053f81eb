// Long lists, and plugins with many charts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStore } from '../../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';
import { checkHtml } from './support/html-check.ts';
import { serveSite } from './support/site-client.ts';

const chartCount = 500;

const line = (id: number, chartId = 'players', index = 0) =>
  chartRecord(chartId, id * 1000 + index, { pluginId: id, position: index });
const site = await serveSite(
  await makeStore([
    softwareRecord({ url: 's1' }),
    ...Array.from({ length: 60 }, (_, index) => pluginRecord(index + 1, `Plugin ${index}`)),
    pluginRecord(2000, 'Many charts'),
    ...Array.from({ length: chartCount }, (_, index) => [
      line(2000, `chart_${index}`, index),
      dataRecord(`chart_${index}`, [[Date.UTC(2026, 5, 30), index]], { pluginId: 2000 }),
    ]).flat(),
  ]),
);

test('a long list has pages, which have every plugin once and link to each other', async () => {
  const rowsOf = (body: string) => [...body.matchAll(/<th scope="row">.*?\/(\d+)"/g)].map(([, id]) => id);
  const [first, second] = [await site.get('/?sort=name'), await site.get('/?sort=name&page=2')];
  const ids = [first, second].flatMap(({ body }) => rowsOf(body));
  assert.deepEqual([new Set(ids).size, ids.length], [61, 61]);
  assert.match(first.body, /Page 1 of 2.*href="\/\?sort&#61;name&#38;page&#61;2"/s);
  assert.match(second.body, /href="\/\?sort&#61;name".*Page 2 of 2/s);
});

test('the page of a plugin with 500 charts is small, and loads only visible pictures', async () => {
  const { body, sentBytes } = await site.get('/plugin/s1/Many%20charts/2000');
  assert.ok(sentBytes < 60_000, `${sentBytes}`);
  const images = checkHtml(body, site.url).filter(({ name, isEnd }) => name === 'img' && !isEnd);
  assert.equal(images.length, chartCount);
  for (const { attributes } of images) {
    assert.equal(attributes.get('loading'), 'lazy');
    assert.match(`${attributes.get('width')}x${attributes.get('height')}`, /^\d+x\d+$/);
  }
});
