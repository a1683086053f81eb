/** The contract of the reports of open slots. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PluginReport, ReportStore, Submission } from '../src/model/report-store.ts';
import type { ReportedValue } from '../src/model/reported-value.ts';
import { fc } from './support/seed.ts';

/** Opens the reports of one store, as another start of the collector would. */
export type OpenReports = () => Promise<ReportStore>;

const slotMs = 1_800_000;
const start = 1_782_864_000_000;
const noLimit = 1000;

const hash = (number: number, length: number) => {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32BE(number);
  return new Uint8Array(bytes);
};

/** A submission in short: a server and an address by number, and values by plugin. */
function submission(
  server: number,
  plugins: Readonly<Record<number, ReportedValue>>,
  { address = server, globalPlugin }: { readonly address?: number; readonly globalPlugin?: number } = {},
): Submission {
  const report = (pluginId: number, value: ReportedValue): PluginReport => ({
    pluginId,
    values: [['players', value]],
  });
  return {
    server: hash(server, 8),
    address: hash(address, 6),
    plugins: Object.entries(plugins).map(([id, value]) => report(Number(id), value)),
    globalPlugin: globalPlugin === undefined ? undefined : report(globalPlugin, 1),
  };
}

/** Reads a slot: the values of each plugin, in any order. */
async function valuesIn(reports: ReportStore, slot = start): Promise<Record<number, unknown[]>> {
  const found: Record<number, unknown[]> = {};
  let before = 0;
  for await (const batch of reports.readSlot(slot)) {
    for (const { pluginId, values } of batch) {
      assert.ok(pluginId >= before, 'by plugin id');
      before = pluginId;
      found[pluginId] = [...(found[pluginId] ?? []), ...values.map(([, value]) => value)];
    }
  }
  for (const values of Object.values(found)) values.sort();
  return found;
}

/** Declares the tests. `makeReports` gives the reports of a new store. */
export function reportContract(name: string, makeReports: () => Promise<OpenReports>): void {
  describe(`${name}: reports of open slots`, () => {
    test('a server counts once for a plugin, and once for the global plugin', async () => {
      await using reports = await (await makeReports())();
      await reports.openSlot(start);
      const keep = (one: Submission) => reports.keep(start, [one], noLimit);
      assert.deepEqual(await keep(submission(1, { 7: 5 }, { globalPlugin: 1 })), [['kept']]);
      assert.deepEqual(await keep(submission(1, { 7: 9 }, { globalPlugin: 1 })), [['repeated']]);
      assert.deepEqual(await keep(submission(1, { 7: 9, 8: 4 }, { globalPlugin: 1 })), [
        ['repeated', 'kept'],
      ]);
      assert.deepEqual(await keep(submission(2, { 7: 3 })), [['kept']]);
      assert.deepEqual(await valuesIn(reports), { 1: [1], 7: [3, 5], 8: [4] });
    });

    test('of several reports in one batch the first counts', async () => {
      await using reports = await (await makeReports())();
      await reports.openSlot(start);
      const batch = [submission(1, { 7: 5 }), submission(1, { 7: 6 }), submission(2, { 7: 1, 8: 2 })];
      assert.deepEqual(await reports.keep(start, batch, noLimit), [['kept'], ['repeated'], ['kept', 'kept']]);
      assert.deepEqual(await valuesIn(reports), { 7: [1, 5], 8: [2] });
    });

    test('so many servers of one address count for a plugin, and repeated ones do not use that up', async () => {
      await using reports = await (await makeReports())();
      await reports.openSlot(start);
      const one = (server: number, pluginId = 7) =>
        submission(server, { [pluginId]: 1 }, { address: 99, globalPlugin: 1 });
      const fates = (batch: readonly Submission[]) => reports.keep(start, batch, 2);
      assert.deepEqual(await fates([one(1), one(1), one(2)]), [['kept'], ['repeated'], ['kept']]);
      assert.deepEqual(await fates([one(3), one(1), one(3, 8)]), [['address_limit'], ['repeated'], ['kept']]);
      assert.deepEqual(await fates([submission(4, { 7: 1 })]), [['kept']]);
      assert.deepEqual(await valuesIn(reports), { 1: [1, 1, 1], 7: [1, 1, 1], 8: [1] });
    });

    test('slots are apart from each other', async () => {
      await using reports = await (await makeReports())();
      const keys = [await reports.openSlot(start), await reports.openSlot(start + slotMs)];
      assert.notDeepEqual(keys[0], keys[1]);
      assert.deepEqual(await reports.keep(start, [submission(1, { 7: 5 })], noLimit), [['kept']]);
      assert.deepEqual(await reports.keep(start + slotMs, [submission(1, { 7: 6 })], noLimit), [['kept']]);
      assert.deepEqual(await valuesIn(reports), { 7: [5] });
      assert.deepEqual(await valuesIn(reports, start + slotMs), { 7: [6] });
      assert.deepEqual(
        (await reports.listSlots()).map((slot) => slot.start),
        [start, start + slotMs],
      );
    });

    test('a collector that begins again goes on with the slot', async () => {
      const open = await makeReports();
      let key: Uint8Array;
      {
        await using reports = await open();
        key = await reports.openSlot(start);
        await reports.keep(start, [submission(1, { 7: 5 })], noLimit);
        await reports.noteCoverage(start, { from: start, until: start + 10 });
        await reports.noteCoverage(start, { from: start, until: start + 1000 });
      }
      await using reports = await open();
      assert.deepEqual(Buffer.from(await reports.openSlot(start)), Buffer.from(key));
      assert.deepEqual(await reports.keep(start, [submission(1, { 7: 5 })], noLimit), [['repeated']]);
      await reports.noteCoverage(start, { from: start + 2000, until: start + 5000 });
      const [slot] = await reports.listSlots();
      assert.deepEqual(
        slot?.coverage.toSorted((a, b) => a.from - b.from),
        [
          { from: start, until: start + 1000 },
          { from: start + 2000, until: start + 5000 },
        ],
      );
    });

    test('a frozen slot takes nothing, and can be read again by the next collector', async () => {
      const open = await makeReports();
      {
        await using reports = await open();
        await reports.openSlot(start);
        await reports.keep(start, [submission(1, { 7: 5 })], noLimit);
        await reports.freezeSlot(start);
        await assert.rejects(reports.keep(start, [submission(2, { 7: 5 })], noLimit), {
          kind: 'slot-closed',
        });
        await assert.rejects(reports.openSlot(start), { kind: 'slot-closed' });
      }
      await using reports = await open();
      await assert.rejects(reports.openSlot(start), { kind: 'slot-closed' });
      assert.deepEqual(await valuesIn(reports), { 7: [5] });
    });

    test('a forgotten slot is gone, and neither it nor one before it begins again', async () => {
      const open = await makeReports();
      {
        await using reports = await open();
        await reports.openSlot(start);
        await reports.openSlot(start + slotMs);
        await reports.keep(start, [submission(1, { 7: 5 })], noLimit);
        await reports.freezeSlot(start);
        await reports.forgetSlot(start);
        assert.deepEqual(
          (await reports.listSlots()).map((slot) => slot.start),
          [start + slotMs],
        );
      }
      await using reports = await open();
      for (const closed of [start, start - slotMs])
        await assert.rejects(reports.openSlot(closed), { code: 'conflict', kind: 'slot-closed' });
      await assert.rejects(reports.keep(start, [submission(1, { 7: 5 })], noLimit), { kind: 'slot-closed' });
      await reports.openSlot(start + slotMs);
      assert.deepEqual(await reports.keep(start + slotMs, [submission(1, { 7: 5 })], noLimit), [['kept']]);
    });

    test('thousands of reports are read in batches, with their names', async () => {
      await using reports = await (await makeReports())();
      await reports.openSlot(start);
      const pie = (server: number): ReportedValue => [
        { group: `group ${server % 3}`, name: `name ${server}`, values: [1] },
      ];
      const all = Array.from({ length: 3000 }, (_, server) =>
        submission(server, { [1 + (server % 5)]: pie(server) }),
      );
      for (let at = 0; at < all.length; at += 500)
        await reports.keep(start, all.slice(at, at + 500), noLimit);
      const names = Object.values(await valuesIn(reports)).flatMap((values) =>
        (values as { name: string }[][]).flatMap((shares) => shares.map((share) => share.name)),
      );
      assert.deepEqual(names.sort(), all.map((_, server) => `name ${server}`).sort());
    });

    test('whatever is reported comes back as it was', async () => {
      const open = await makeReports();
      let slot = start;
      const share = fc.record(
        {
          group: fc.constant(null),
          name: fc.string({ unit: 'grapheme' }).map(withoutNul),
          values: fc.tuple(fc.nat()),
        },
        { noNullPrototype: true },
      );
      const value = fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.array(share));
      await fc.assert(
        fc.asyncProperty(fc.array(value, { maxLength: 20 }), async (values) => {
          slot += slotMs;
          await using reports = await open();
          await reports.openSlot(slot);
          await reports.keep(
            slot,
            values.map((one, server) => submission(server, { 7: one })),
            noLimit,
          );
          const found: unknown[] = [];
          for await (const batch of reports.readSlot(slot))
            for (const report of batch) found.push(report.values[0]?.[1]);
          assert.deepEqual(found, values);
        }),
        { numRuns: 30 },
      );
    });
  });
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
