/** The contract of closing slots, on the store and the reports of one kind. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../src/archive/check-record.ts';
import { closeInThread } from '../src/cli/close-in-thread.ts';
import { closeSlot, coveredTime } from '../src/collect/close-slot.ts';
import type { PluginReport, ReportStore, Submission } from '../src/model/report-store.ts';
import type { ChartValue, ReportedValue } from '../src/model/reported-value.ts';
import type { Store } from '../src/model/store.ts';
import { exportFrom, importInto } from './store-contract.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  pastText,
  pluginLine,
  softwareLine,
} from './support/archive-text.ts';

const slotMs = 1_800_000;
const start = 1_782_864_000_000;
const hourMs = 2 * slotMs;

const catalogue = [
  softwareLine(),
  pluginLine(),
  pluginLine({ id: 8, name: 'Eight' }),
  chartLine({ data: { lineName: 'Players', filter: { enabled: true, minValue: 0, maxValue: 200 } } }),
  chartLine({ chartId: 'os', uid: 71, type: 'drilldown_pie' }),
  chartLine({ chartId: 'modes', uid: 72, type: 'advanced_bar' }),
  chartLine({ chartId: 'heat', uid: 73, type: 'heatmap' }),
  chartLine({ pluginId: 8, chartId: 'lang', uid: 80, type: 'simple_pie' }),
  chartLine({ pluginId: 8, uid: 81 }),
];

const share = (name: string, value = 1, group: string | null = null) => ({ group, name, values: [value] });

function submission(server: number, plugins: Readonly<Record<number, readonly ChartValue[]>>): Submission {
  const bytes = Uint8Array.from({ length: 8 }, () => server);
  const reports = Object.entries(plugins).map(
    ([id, values]): PluginReport => ({ pluginId: Number(id), values }),
  );
  return { server: bytes, address: bytes.subarray(0, 6), plugins: reports, globalPlugin: undefined };
}

/** Declares the tests. `makeStore` names a store that is not there yet. */
export function collectContract(name: string, makeStore: () => Promise<Store>): void {
  const filled = async (...lines: readonly string[]) => {
    const store = await makeStore();
    await importInto(store, pastText([...catalogue, ...lines]));
    return store;
  };

  /** Opens a slot that is covered, with these reports. */
  const report = async (reports: ReportStore, submissions: readonly Submission[], slot = start) => {
    await reports.openSlot(slot);
    await reports.keep(slot, submissions, 1000);
    await reports.noteCoverage(slot, { from: slot, until: slot + slotMs });
  };

  const close = async (
    store: Store,
    reports: ReportStore,
    slot = start,
    history: number | 'off' = hourMs,
  ) => {
    const open = (await reports.listSlots()).find((one) => one.start === slot);
    return closeSlot(open ?? { start: slot, coverage: [] }, {
      store,
      reports,
      slotMs,
      historyMs: history === 'off' ? undefined : history,
    });
  };

  /** The data records of the store, such as `7/players [[0,1]]`, with their times. */
  const dataOf = async (store: Store) => {
    const lines = (await exportFrom(store)).trim().split('\n');
    return lines.flatMap((line) => {
      const { record, pluginId, chartId, data, at, times, series } = JSON.parse(line);
      if (record === 'history') return [`${pluginId}/${chartId} history ${times} ${JSON.stringify(series)}`];
      if (record !== 'data') return [];
      return [`${pluginId}/${chartId} ${JSON.stringify(data)}${at === undefined ? '' : ` at ${at}`}`];
    });
  };

  describe(`${name}: closing a slot`, () => {
    test('writes a point for each line and what each chart of shares shows, with its history', async () => {
      const store = await filled();
      await using reports = await store.openReports();
      const players = (value: ReportedValue): ChartValue => ['players', value];
      await report(reports, [
        submission(1, {
          7: [
            players(500),
            ['os', [share('5.4', 1, 'Linux')]],
            ['modes', [{ ...share('a'), values: [1, 2] }]],
          ],
        }),
        submission(2, {
          7: [players(3), ['os', [share('14', 1, 'BSD')]], ['heat', [share('x')]]],
          8: [['lang', [share('en')]]],
        }),
        submission(3, {
          8: [
            ['lang', [share('de')]],
            ['gone', 5],
            ['players', [share('no number')]],
          ],
          9: [players(1)],
        }),
      ]);
      assert.deepEqual(await close(store, reports), {
        coveredMs: slotMs,
        outcome: 'written',
        recordCount: 4,
      });
      assert.deepEqual(await dataOf(store), [
        '7/modes [{"name":"a","data":[1,2]}]',
        `7/os {"drilldownData":[{"name":"BSD","id":"BSD","data":[["14",1]]},{"name":"Linux","id":"Linux","data":[["5.4",1]]}],"seriesData":[{"name":"BSD","y":1,"drilldown":"BSD"},{"name":"Linux","y":1,"drilldown":"Linux"}]} at ${start}`,
        `7/os history ${start} [{"group":"BSD","name":"14","values":[1]},{"group":"Linux","name":"5.4","values":[1]}]`,
        `7/players [[${start},203]]`,
        `8/lang [{"name":"de","y":1},{"name":"en","y":1}] at ${start}`,
        `8/lang history ${start} [{"name":"de","values":[1]},{"name":"en","values":[1]}]`,
      ]);
      assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
      assert.deepEqual(await reports.listSlots(), []);
    });

    test('shows that nobody reported where there was something before', async () => {
      const store = await filled(
        dataLine('players', '[[1000,5]]'),
        dataLine('os', '{"drilldownData":[],"seriesData":[]}'),
        '{"record":"data","pluginId":8,"chartId":"lang","data":[{"name":"en","y":2}]}',
        dataLine('heat', '[1]'),
      );
      await using reports = await store.openReports();
      await report(reports, []);
      assert.deepEqual(await close(store, reports, start, 'off'), {
        coveredMs: slotMs,
        outcome: 'written',
        recordCount: 2,
      });
      assert.deepEqual(await dataOf(store), ['7/heat [1]', `7/players [[1000,5],[${start},0]]`]);
    });

    test('keeps a history only for slots that begin at a multiple of its step', async () => {
      const store = await filled();
      await using reports = await store.openReports();
      for (const [index, lang] of ['en', 'de', 'fr'].entries()) {
        const slot = start + index * slotMs;
        await report(reports, [submission(1, { 8: [['lang', [share(lang)]]] })], slot);
        await close(store, reports, slot);
      }
      assert.deepEqual(await dataOf(store), [
        `8/lang [{"name":"fr","y":1}] at ${start + hourMs}`,
        `8/lang history ${[start, start + hourMs]} [{"name":"en","values":[1,0]},{"name":"fr","values":[0,1]}]`,
      ]);
    });

    test('leaves a slot out of which too little was covered', async () => {
      const store = await filled(dataLine('players', '[[1000,5]]'));
      const before = await exportFrom(store);
      await using reports = await store.openReports();
      await reports.openSlot(start);
      await reports.keep(start, [submission(1, { 7: [['players', 5]] })], 1000);
      const minutes = (count: number) => count * 60_000;
      await reports.noteCoverage(start, { from: start, until: start + minutes(20) });
      await reports.noteCoverage(start, { from: start + minutes(15), until: start + minutes(26) });
      assert.deepEqual(await close(store, reports), {
        coveredMs: minutes(26),
        outcome: 'left_out',
        recordCount: 0,
      });
      assert.equal(await exportFrom(store), before);
      await assert.rejects(reports.openSlot(start), { kind: 'slot-closed' });
    });

    test('happens once, whatever was killed before the reports were deleted', async () => {
      const store = await filled();
      {
        await using reports = await store.openReports();
        await report(reports, [submission(1, { 7: [['players', 5]] })]);
        // As if the collector were killed after the commit.
        const killed = Object.assign(Object.create(reports), {
          forgetSlot: () => Promise.reject(new Error('killed')),
        });
        for (const method of ['freezeSlot', 'readSlot', 'listSlots'] as const)
          killed[method] = reports[method].bind(reports);
        await assert.rejects(close(store, killed), { message: 'killed' });
      }
      const after = await exportFrom(store);
      // Somebody corrects the point meanwhile.
      await importInto(store, archiveText([dataLine('players', `[[${start},6]]`)]));
      await using reports = await store.openReports();
      assert.equal((await close(store, reports)).outcome, 'known');
      assert.equal(await exportFrom(store), after.replace(`[[${start},5]]`, `[[${start},6]]`));
      assert.deepEqual(await reports.listSlots(), []);
    });

    test('of many large reports fits into the memory of its thread', async () => {
      const pies = ['one', 'two', 'three'];
      const store = await filled(
        ...pies.map((chartId, index) => chartLine({ chartId, uid: 90 + index, type: 'advanced_pie' })),
      );
      const names = Array.from({ length: 1000 }, (_, index) => share(`name ${index}`));
      const values = pies.map((chartId): ChartValue => [chartId, names]);
      const servers = Array.from({ length: 512 }, (_, index) => {
        const hash = new Uint8Array(8);
        new DataView(hash.buffer).setUint32(0, index);
        return { ...submission(0, { 7: values }), server: hash, address: hash.subarray(0, 6) };
      });
      await using reports = await store.openReports();
      await report(reports, servers);
      const closing = closeInThread({ storeName: store.givenName, slotMs, historyMs: hourMs });
      const [slot] = await reports.listSlots();
      assert.ok(slot !== undefined);
      assert.equal((await closing(slot)).outcome, 'written');
      const shown = (await dataOf(store)).filter((line) => / at /.test(line));
      assert.equal(shown.length, pies.length);
      for (const line of shown) assert.equal(line.match(/"y":512}/g)?.length, 1000);
    });

    test('before it is written changes nothing', async () => {
      const store = await filled();
      const before = await exportFrom(store);
      await using reports = await store.openReports();
      await report(reports, [submission(1, { 7: [['players', 5]] })]);
      const failing = Object.assign(Object.create(reports), {
        freezeSlot: reports.freezeSlot.bind(reports),
        listSlots: reports.listSlots.bind(reports),
        async *readSlot() {
          yield [{ pluginId: 7, values: [['players', 5]] }];
          throw new Error('the disk is gone');
        },
      });
      await assert.rejects(close(store, failing), { message: 'the disk is gone' });
      assert.equal(await exportFrom(store), before);
      assert.equal((await close(store, reports)).outcome, 'written');
    });
  });
}

/** Declares the tests of what needs no store. */
export function coverageTests(): void {
  test('times within a slot add up, and count once where they overlap', () => {
    const covered = (...times: readonly (readonly [number, number])[]) =>
      coveredTime(
        times.map(([from, until]) => ({ from, until })),
        { from: 100, until: 200 },
      );
    assert.equal(covered(), 0);
    assert.equal(covered([100, 200]), 100);
    assert.equal(covered([0, 150], [140, 160], [170, 900]), 90);
    assert.equal(covered([120, 180], [130, 140], [100, 110]), 70);
    assert.equal(covered([0, 50], [250, 300], [150, 150], [190, 180]), 0);
  });
}
