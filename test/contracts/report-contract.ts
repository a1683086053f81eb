/** The contract of the logs of open slots. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { maxAppendBytes, type ReportStore } from '../../src/model/report-store.ts';

/** Opens the reports of one store, like another start of the collector. */
export type OpenReports = () => Promise<ReportStore>;

const slotMs = 1_800_000;
const start = 1_782_864_000_000;

/** Reads a log as one text. */
const textIn = async (reports: ReportStore, slot = start) =>
  (await Array.fromAsync(reports.readLog(slot))).join('');

/** Declares the tests. `makeReports` opens the reports of a new store. */
export function reportContract(name: string, makeReports: () => Promise<OpenReports>): void {
  describe(`${name}: reports of open slots`, () => {
    test('slots are apart from each other', async () => {
      await using reports = await (await makeReports())();
      const keys = [await reports.openSlot(start), await reports.openSlot(start + slotMs)];
      assert.equal(keys[0]?.length, 32);
      assert.notDeepEqual(keys[0], keys[1]);
      await reports.append(start, 'one\n');
      await reports.append(start + slotMs, 'two\n');
      await reports.cover(start + slotMs, 5);
      assert.equal(await textIn(reports), 'one\n');
      assert.equal(await textIn(reports, start + slotMs), 'two\n');
      assert.deepEqual(await reports.listSlots(), [
        { start, covered: 0 },
        { start: start + slotMs, covered: 5 },
      ]);
    });

    test('a collector that begins again goes on with the slot, and several share it', async () => {
      const open = await makeReports();
      let key: Uint8Array;
      {
        await using reports = await open();
        key = await reports.openSlot(start);
        await reports.append(start, 'one\n');
        await reports.cover(start, 1);
      }
      await using reports = await open();
      await using other = await open();
      const keys = await Promise.all([reports.openSlot(start), other.openSlot(start)]);
      for (const again of keys) assert.deepEqual(Buffer.from(again), Buffer.from(key));
      await Promise.all([reports.append(start, 'two\n'), other.append(start, 'three\n')]);
      await Promise.all([reports.cover(start, 2 ** 29), other.cover(start, 2)]);
      assert.deepEqual(await reports.listSlots(), [{ start, covered: 2 ** 29 + 3 }]);
      assert.deepEqual((await textIn(other)).split('\n').sort(), ['', 'one', 'three', 'two']);
    });

    test('a frozen slot takes nothing, and can be read again by the next collector', async () => {
      const open = await makeReports();
      {
        await using reports = await open();
        await reports.openSlot(start);
        await reports.append(start, 'one\n');
        await reports.freezeSlot(start);
        await assert.rejects(reports.append(start, 'two\n'), { code: 'conflict', kind: 'slot-closed' });
        await assert.rejects(reports.openSlot(start), { kind: 'slot-closed' });
      }
      await using reports = await open();
      await assert.rejects(reports.openSlot(start), { kind: 'slot-closed' });
      assert.equal(await textIn(reports), 'one\n');
    });

    test('a forgotten slot is gone, and neither it nor one before it begins again', async () => {
      const open = await makeReports();
      {
        await using reports = await open();
        await reports.openSlot(start);
        await reports.openSlot(start + slotMs);
        for (let index = 0; index < 100; index++) await reports.append(start, `${index}\n`);
        await reports.append(start + slotMs, 'next\n');
        await reports.freezeSlot(start);
        await reports.forgetSlot(start);
        await reports.forgetSlot(start);
        assert.deepEqual(await reports.listSlots(), [{ start: start + slotMs, covered: 0 }]);
        assert.equal(await textIn(reports), '');
      }
      await using reports = await open();
      for (const closed of [start, start - slotMs])
        await assert.rejects(reports.openSlot(closed), { code: 'conflict', kind: 'slot-closed' });
      await assert.rejects(reports.append(start, 'two\n'), { kind: 'slot-closed' });
      await reports.openSlot(start + slotMs);
      assert.equal(await textIn(reports, start + slotMs), 'next\n');
    });

    test('a slot that is covered after it was closed stays closed', async () => {
      await using reports = await (await makeReports())();
      await reports.openSlot(start);
      await reports.freezeSlot(start);
      await reports.forgetSlot(start);
      await reports.cover(start, 1);
      assert.deepEqual(await reports.listSlots(), []);
    });

    test('an append that comes while another collector freezes the slot is kept before that, or refused', async () => {
      const open = await makeReports();
      await using one = await open();
      await using other = await open();
      await Promise.all([one.openSlot(start), other.openSlot(start)]);
      let kept = '';
      const keeping = (async () => {
        for (let index = 0; ; index++) {
          try {
            await one.append(start, `${index}\n`);
          } catch (error) {
            assert.equal((error as { kind?: string }).kind, 'slot-closed');
            return;
          }
          kept += `${index}\n`;
        }
      })();
      while (kept.length < 10) await new Promise(setImmediate);
      await other.freezeSlot(start);
      const read = await textIn(other);
      await keeping;
      assert.equal(read, kept);
    });

    test('the largest appends and thousands of small ones come back as they were', async () => {
      await using reports = await (await makeReports())();
      await reports.openSlot(start);
      const texts = Array.from({ length: 1500 }, (_, index) => `report ${index} of a server, äöü 🦊\n`);
      const random = Buffer.from(crypto.getRandomValues(new Uint8Array(49_152))).toString('base64');
      texts.push('x'.repeat(maxAppendBytes), random.repeat(maxAppendBytes / random.length));
      for (const text of texts) await reports.append(start, text);
      assert.deepEqual(await Array.fromAsync(reports.readLog(start)), texts);
    });
  });
}
