// Charts that are far more expensive to show than to store: every response is bounded, and says where it is
// truncated.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '../http/support/test-server.ts';
import { importFile } from '../support/stores.ts';
import { costly, costlyArchive } from './costly.ts';
import { serveSite } from './pages/support/site-client.ts';

const counts = { charts: 3000, largeSettings: 4, lineDays: 3650, namesakes: 3000 };
const store = join(makeDirectory(), 'costly.db');
const file = join(makeDirectory(), 'costly.ndjson');
writeFileSync(file, [...costlyArchive(counts)].join(''));
await importFile(store, file);
const site = await serveSite(store);
const longLine = `/api/v1/plugins/${costly.longLine}/charts/players/data`;

test('the CSV of bars with a product of rows ends at 16 MiB and says so, and other large responses overtake it', async () => {
  const order: string[] = [];
  const csv = site.get(`/plugin/bukkit/bars/${costly.bars}/c.csv`, { 'Accept-Encoding': 'identity' });
  void csv.then(() => order.push('csv'));
  const other = site.get(`${longLine}?maxElements=100000`);
  void other.then(() => order.push('other'));
  const [{ status, body }] = await Promise.all([csv, other]);
  assert.equal(status, 200);
  assert.ok(body.length > 15 * 2 ** 20 && body.length < 16.1 * 2 ** 20, `${body.length}`);
  assert.match(body.slice(-100), /\r\n\(cut here: [^\r\n]*\)\r\n$/);
  assert.deepEqual(order, ['other', 'csv']);
});

test('the CSV of very many slices that name the same parts has each part once', async () => {
  const { body } = await site.get(`/plugin/bukkit/drilldown/${costly.drilldown}/c.csv`);
  assert.match(body, /^name,part,value\r\ns,p0,1\r\n/);
  assert.ok(body.length < 2 ** 20, `${body.length}`);
});

test('bars with more values than a table has columns say how many are omitted', async () => {
  const { body } = await site.get(`/plugin/bukkit/bars/${costly.bars}/c.csv`);
  const [header = ''] = body.split('\r\n', 1);
  assert.equal(header.split(',').length, 1002);
  assert.match(header, /,value 1000,\(cut here: \d{6} more values\)$/);
});

for (const kind of ['bars', 'drilldown', 'pie', 'map'] as const) {
  test(`a picture of huge data (${kind}) shows the largest and names the others`, async () => {
    for (const path of [`/embed/${costly[kind]}/c.svg`, `/badge/${costly[kind]}/c.svg`]) {
      const { status, body } = await site.get(path);
      assert.equal(status, 200, path);
      assert.ok(body.length < 50_000, `${path}: ${body.length}`);
    }
    const { body } = await site.get(`/embed/${costly[kind]}/c.svg?height=1000`);
    assert.match(body, /[\d,]+ others/);
  });
}

test('the page of a plugin with thousands of charts shows the first and links to all; its detail has them in order', async () => {
  const { body } = await site.get(`/plugin/bukkit/manyCharts/${costly.manyCharts}`);
  assert.equal(body.match(/<article/g)?.length, 500);
  assert.match(body, /These are the first 500 charts/);
  const { body: json } = await site.get(`/api/v1/plugins/${costly.manyCharts}`);
  const { charts } = JSON.parse(json) as {
    readonly charts: Readonly<Record<string, { readonly position: number }>>;
  };
  const positions = Object.values(charts).map(({ position }) => position);
  assert.equal(positions.length, counts.charts);
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  );
});

test('a plugin with megabytes of settings has its page, and its detail is complete', async () => {
  const { body } = await site.get(`/plugin/bukkit/largeSettings/${costly.largeSettings}`);
  assert.ok(body.length < 50_000);
  const { body: json } = await site.get(`/api/v1/plugins/${costly.largeSettings}/charts`);
  assert.ok(json.length > 4 * 2 ** 20);
  assert.equal(Object.keys(JSON.parse(json) as object).length, counts.largeSettings);
});
