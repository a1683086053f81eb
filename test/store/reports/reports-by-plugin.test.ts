// The reports of a slot by plugin.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../../../src/store/byte-writer.ts';
import { writeEntry } from '../../../src/store/reports/batch-codec.ts';
import { reportsByPlugin } from '../../../src/store/reports/reports-by-plugin.ts';
import { fc } from '../../support/seed.ts';

const hash = (length: number) => new Uint8Array(length);

/** Rows of reports: of each its plugin, and its place among all as its values. */
function rowsOf(pluginIds: readonly (readonly number[])[]): readonly Uint8Array[] {
  let place = 0;
  return pluginIds.map((ofRow) => {
    const writer = new ByteWriter();
    for (const pluginId of ofRow) {
      const values = Buffer.from(String(place++));
      writeEntry(writer, { pluginId, server: hash(8), address: hash(6), values });
    }
    return writer.take();
  });
}

test('reports come by plugin, in the order in which they came, in any number of parts', async () => {
  const rows = fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 100 }), async (pluginIds, limitBytes) => {
      const found: (readonly [number, number])[] = [];
      for await (const batch of reportsByPlugin(() => rowsOf(pluginIds), { limitBytes }))
        for (const { pluginId, values } of batch)
          found.push([pluginId, Number(Buffer.from(values).toString())]);
      const all = pluginIds.flat().map((pluginId, place) => [pluginId, place] as const);
      assert.deepEqual(
        found,
        all.toSorted(([one], [other]) => one - other),
      );
    }),
  );
});

test('a batch ends with the report that makes it 64 KB, and long ones are alone', async () => {
  const sizesOf = async (bytes: number, count: number) => {
    const writer = new ByteWriter();
    for (let report = 0; report < count; report++)
      writeEntry(writer, {
        pluginId: 7,
        server: hash(8),
        address: hash(6),
        values: new Uint8Array(bytes),
      });
    const row = writer.take();
    const batches = await Array.fromAsync(reportsByPlugin(() => [row]));
    return batches.map((batch) => batch.length);
  };
  assert.deepEqual(await sizesOf(200_000, 3), [1, 1, 1]);
  assert.deepEqual(await sizesOf(24_000, 7), [3, 3, 1]);
  for (const size of await sizesOf(0, 10_000)) assert.ok(size <= 2048, `${size} reports`);
});
