// Histories with far more names than a picture can show.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createSite } from '../../../src/site/site.ts';
import { importRecords, makeDirectory, serveStore } from '../../http/support/test-server.ts';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';

const hour = 3_600_000;
const newest = Date.UTC(2026, 5, 30, 18);
const about = { pluginId: 1, type: 'simple_pie', position: 0, isDefault: false, data: {} };
const store = join(makeDirectory(), 'many-names.db');
await importRecords(
  store,
  [
    { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null },
    { record: 'plugin', id: 1, name: 'X', owner: { id: 1, name: 'Owner' }, softwareId: 1, isGlobal: false },
    { record: 'chart', ...about, chartId: 'same', uid: 1, title: 'Same' },
    { record: 'chart', ...about, chartId: 'changing', uid: 2, title: 'Changing' },
    // The same 2,000 names at each time.
    ...Array.from({ length: 24 }, (_, index) => ({
      record: 'data',
      pluginId: 1,
      chartId: 'same',
      at: newest - index * hour,
      data: Array.from({ length: 2000 }, (_, rank) => ({ name: `name ${rank}`, y: rank + index })),
    })),
    // 2,000 other names at each time.
    ...Array.from({ length: 60 }, (_, index) => ({
      record: 'history',
      pluginId: 1,
      chartId: 'changing',
      times: [newest - index * hour],
      series: Array.from({ length: 2000 }, (_, rank) => ({
        name: `${index} ${rank}`.padEnd(200, 'x'),
        values: [1 + rank],
      })),
    })),
  ],
  2,
);
const server = await serveStore(store, createSite());
after(() => server[Symbol.asyncDispose]());

test('of two thousand names the largest twelve and the others are drawn, and small requests overtake the picture', async () => {
  const order: string[] = [];
  const picture = ask(server, '/embed/1/same.svg?view=history');
  void picture.then(() => order.push('picture'));
  const list = ask(server, '/api/v1/plugins/1');
  void list.then(() => order.push('list'));
  const [{ status, text }] = await Promise.all([picture, list]);
  assert.equal(status, 200);
  const elements = assertSvg(text);
  assert.equal(
    elements.filter(({ name, attributes }) => name === 'path' && attributes['d']?.endsWith('Z')).length,
    13,
  );
  assert.match(elements.find(({ name }) => name === 'desc')?.text ?? '', /: name 1999 .* and 1,997 more; /);
  assert.ok(text.length < 20_000, String(text.length));
  assert.deepEqual(order, ['list', 'picture']);
});

test('of a hundred thousand names the newest part is drawn, and the title says so', async () => {
  const { status, text } = await ask(server, '/embed/1/changing.svg?view=history');
  assert.equal(status, 200);
  assert.ok(
    assertSvg(text).some((element) => element.name === 'text' && element.text === 'Changing (newest part)'),
  );
  assert.ok(text.length < 30_000, String(text.length));
});

test('the CSV of a hundred thousand names has the newest part, and its last row says so', async () => {
  const { status, text } = await ask(server, '/plugin/bukkit/X/1/changing.csv?view=history');
  assert.equal(status, 200);
  const rows = text.trimEnd().split('\r\n');
  assert.match(rows.at(-2) ?? '', /^2026-06-30T18:00:00\.000Z,/);
  assert.match(rows.at(-1) ?? '', /^\(this is the newest part: /);
});
