// The reports of one commit as bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxId } from '../../../src/model/identifier.ts';
import { ByteWriter } from '../../../src/store/byte-writer.ts';
import { type BatchEntry, readEntries, writeEntry } from '../../../src/store/reports/batch-codec.ts';
import { fc } from '../../support/seed.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const entry: fc.Arbitrary<BatchEntry> = fc.record(
  {
    pluginId: fc.integer({ min: 1, max: maxId }),
    server: bytes(8),
    address: fc.option(bytes(6), { nil: undefined }),
    values: fc.uint8Array({ maxLength: 600 }),
  },
  { noNullPrototype: true },
);

function rowOf(entries: readonly BatchEntry[]): Uint8Array {
  const writer = new ByteWriter();
  for (const one of entries) writeEntry(writer, one);
  return writer.take();
}

test('entries are the same after they were coded', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
      assert.deepEqual([...readEntries(rowOf(entries))], entries);
    }),
  );
});

test('a row that ends too early is refused', () => {
  fc.assert(
    fc.property(entry, fc.double({ min: 0, max: 0.999, noNaN: true }), (one, part) => {
      const row = rowOf([one]);
      const cut = row.subarray(0, Math.max(1, Math.floor(part * row.length)));
      assert.throws(() => [...readEntries(cut)], { code: 'unavailable', message: 'the reports are damaged' });
    }),
  );
});
