// The CSV of any chart compared with its JSON.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { importRecords, makeDirectory } from '../../http/support/test-server.ts';
import { fc } from '../../support/seed.ts';
import { serveSite } from '../pages/support/site-client.ts';

const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });
const anyName = fc.string({
  unit: fc.oneof(fc.constantFrom(...'=+-@＝＋－＠"\',;\r\n\t\u0000é😀'), fc.string()),
});
const anyLine = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 253_402_300_799_999 }), anyNumber), {
  selector: ([timestamp]) => timestamp,
  maxLength: 200,
});
const anyPie = fc.array(fc.record({ name: anyName, y: anyNumber }), { maxLength: 50 });

test('lines and pies have the same numbers and names in CSV and in JSON', async () => {
  const lines = fc.sample(anyLine, { seed: 1, numRuns: 40 });
  const pies = fc.sample(anyPie, { seed: 2, numRuns: 40 });
  const store = join(makeDirectory(), 'csv-data.db');
  await importRecords(store, [
    { record: 'software', id: 1, name: 'S', url: 's', globalPluginId: null },
    { record: 'plugin', id: 1, name: 'P', owner: { id: 1, name: 'O' }, softwareId: 1, isGlobal: false },
    ...lines.flatMap((data, index) => chart(`line${index}`, 'single_linechart', data)),
    ...pies.flatMap((data, index) => chart(`pie${index}`, 'simple_pie', data)),
  ]);
  const site = await serveSite(store);
  for (const index of lines.keys()) {
    const { csv, json } = await readBoth(`line${index}`);
    const rows = csv.map(([time = '', value]) => {
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
      return [Date.parse(time), Number(value)];
    });
    assert.deepEqual(rows, json);
  }
  for (const index of pies.keys()) {
    const { csv, json } = await readBoth(`pie${index}`);
    const slices = csv.map(([name, value]) => ({ name, y: Number(value) }));
    const expected = json.map(({ name, y }) => ({
      name: /^[=+\-@\t\r\n＝＋－＠]/.test(name) ? `'${name}` : name,
      y,
    }));
    assert.deepEqual(slices, expected);
  }

  async function readBoth(chartId: string) {
    const { body } = await site.get(`/plugin/s/P/1/${chartId}.csv`);
    const records: string[][] = parse(body, { recordDelimiter: '\r\n' });
    const answer = await site.get(`/api/v1/plugins/1/charts/${chartId}/data?maxElements=9999`);
    const json: readonly { readonly name: string; readonly y: number }[] = JSON.parse(answer.body);
    return { csv: records.slice(1), json };
  }
});

let chartCount = 0;

function chart(chartId: string, type: string, data: unknown): object[] {
  const uid = ++chartCount;
  const about = { uid, type, position: uid, title: chartId, isDefault: false, data: {} };
  return [
    { record: 'chart', pluginId: 1, chartId, ...about },
    { record: 'data', pluginId: 1, chartId, data },
  ];
}
