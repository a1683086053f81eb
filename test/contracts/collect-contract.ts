/** The contract for closing slots, on the store and the reports of one kind. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { closeSlot } from '../../src/collect/close-slot.ts';
import type { ReportedShare } from '../../src/collect/reported-value.ts';
import { shareKey } from '../../src/model/columns.ts';
import type { ReportStore } from '../../src/model/report-store.ts';
import type { Store } from '../../src/model/store.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  pastText,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';
import { allParts, loggedReport } from '../support/logged-report.ts';
import { exportFrom, importInto } from './store-contract.ts';

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

const share = (name: string, value = 1, group: string | null = null): ReportedShare => [
  shareKey({ group, name }),
  value,
];
const players = (value: number) => ({ 'players single_linechart': value });
const lang = (name: string) => ({ 'lang simple_pie': [share(name)] });

/** Declares the tests. `makeStore` names a store that does not exist yet. */
export function collectContract(name: string, makeStore: () => Promise<Store>): void {
  const filled = async (...lines: readonly string[]) => {
    const store = await makeStore();
    await importInto(store, pastText([...catalogue, ...lines]));
    return store;
  };

  /** Opens a covered slot with these reports. */
  const report = async (reports: ReportStore, lines: readonly string[], slot = start) => {
    await reports.openSlot(slot);
    if (lines.length > 0) await reports.append(slot, lines.join(''));
    await reports.cover(slot, allParts);
  };

  const close = async (
    store: Store,
    reports: ReportStore,
    slot = start,
    history: number | 'off' = hourMs,
  ) => {
    const open = (await reports.listSlots()).find((one) => one.start === slot);
    // These reports include the faults that a test adds.
    const openReports = async (): Promise<ReportStore> => ({
      ...reports,
      freezeSlot: (one) => reports.freezeSlot(one),
      readLog: (one) => reports.readLog(one),
      forgetSlot: (one) => reports.forgetSlot(one),
      [Symbol.asyncDispose]: async () => {},
    });
    return closeSlot(open ?? { start: slot, covered: 0 }, {
      store: { ...store, openReports },
      slotMs,
      historyMs: history === 'off' ? undefined : history,
    });
  };

  /** Lists the data of the store with its times, such as `7/players [[0,1]]`. */
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
      await report(reports, [
        loggedReport(1, {
          7: {
            ...players(200),
            'os drilldown_pie': [share('5.4', 1, 'Linux')],
            'modes advanced_bar': [[...share('a'), 2]],
          },
        }),
        loggedReport(2, {
          7: { ...players(3), 'os drilldown_pie': [share('14', 1, 'BSD')], 'heat heatmap': [share('x')] },
          8: lang('en'),
        }),
        loggedReport(3, { 8: { ...lang('de'), 'gone single_linechart': 5 }, 9: players(1) }),
        loggedReport(4, {
          8: { 'players simple_pie': [share('another type')], 'lang advanced_map': [share('DE')] },
        }),
      ]);
      assert.deepEqual(await close(store, reports), {
        coveredParts: 30,
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
        coveredParts: 30,
        outcome: 'written',
        recordCount: 2,
      });
      assert.deepEqual(await dataOf(store), ['7/heat [1]', `7/players [[1000,5],[${start},0]]`]);
    });

    test('keeps a history only for slots that begin at a multiple of its step', async () => {
      const store = await filled();
      await using reports = await store.openReports();
      for (const [index, name] of ['en', 'de', 'fr'].entries()) {
        const slot = start + index * slotMs;
        await report(reports, [loggedReport(1, { 8: lang(name) })], slot);
        await close(store, reports, slot);
      }
      assert.deepEqual(await dataOf(store), [
        `8/lang [{"name":"fr","y":1}] at ${start + hourMs}`,
        `8/lang history ${[start, start + hourMs]} [{"name":"en","values":[1,0]},{"name":"fr","values":[0,1]}]`,
      ]);
    });

    test('keeps in the history that nobody reports any more, from the next multiple of its step on', async () => {
      const store = await filled();
      await using reports = await store.openReports();
      await report(reports, [loggedReport(1, { 8: lang('en') })]);
      await close(store, reports);
      for (const halfHours of [1, 2, 3, 4]) {
        const slot = start + halfHours * slotMs;
        await report(reports, [], slot);
        await close(store, reports, slot);
      }
      assert.deepEqual(await dataOf(store), [
        `8/lang [] at ${start + hourMs}`,
        `8/lang history ${start},${start + hourMs} [{"name":"en","values":[1,0]}]`,
      ]);
    });

    test('leaves a slot out of which too little was covered', async () => {
      const store = await filled(dataLine('players', '[[1000,5]]'));
      const before = await exportFrom(store);
      await using reports = await store.openReports();
      await reports.openSlot(start);
      await reports.append(start, loggedReport(1, { 7: players(5) }));
      // 26 parts are covered.
      await reports.cover(start, allParts >> 4);
      assert.deepEqual(await close(store, reports), {
        coveredParts: 26,
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
        await report(reports, [loggedReport(1, { 7: players(5) })]);
        // The collector dies after the commit.
        const killed = Object.assign(Object.create(reports), {
          forgetSlot: () => Promise.reject(new Error('killed')),
        });
        for (const method of ['freezeSlot', 'readLog', 'listSlots'] as const)
          killed[method] = reports[method].bind(reports);
        await assert.rejects(close(store, killed), { message: 'killed' });
      }
      const after = await exportFrom(store);
      // An operator corrects the point meanwhile.
      await importInto(store, archiveText([dataLine('players', `[[${start},6]]`)]));
      await using reports = await store.openReports();
      assert.equal((await close(store, reports)).outcome, 'known');
      assert.equal(await exportFrom(store), after.replace(`[[${start},5]]`, `[[${start},6]]`));
      assert.deepEqual(await reports.listSlots(), []);
    });

    test('counts a server once that has reported to two collectors, and so many of an address', async () => {
      const store = await filled();
      await using one = await store.openReports();
      await using other = await store.openReports();
      const globalPlugin = players(1);
      await report(one, [
        loggedReport(1, { 7: players(5), 8: players(1) }, { globalPlugin }),
        loggedReport(2, { 7: players(10) }, { address: 9, maxPerAddress: 2, globalPlugin }),
      ]);
      await report(other, [
        loggedReport(1, { 7: players(50) }, { globalPlugin }),
        loggedReport(1, { 9: players(50) }, { globalPlugin }),
        loggedReport(3, { 7: players(20) }, { address: 9, maxPerAddress: 2, globalPlugin }),
        loggedReport(4, { 7: players(1000), 8: players(2) }, { address: 9, maxPerAddress: 2, globalPlugin }),
        loggedReport(5, { 7: players(1000) }, { address: 9, maxPerAddress: 2, globalPlugin }),
      ]);
      const ones = pastText([
        pluginLine({ id: 1, name: 'All', isGlobal: true }),
        chartLine({ pluginId: 1, uid: 10 }),
      ]);
      await importInto(store, ones);
      await close(store, one);
      assert.deepEqual(await dataOf(store), [
        `1/players [[${start},4]]`,
        `7/players [[${start},35]]`,
        `8/players [[${start},3]]`,
      ]);
    });

    test('before it is written changes nothing', async () => {
      const store = await filled();
      const before = await exportFrom(store);
      await using reports = await store.openReports();
      await report(reports, [loggedReport(1, { 7: players(5) })]);
      const failing = Object.assign(Object.create(reports), {
        freezeSlot: reports.freezeSlot.bind(reports),
        listSlots: reports.listSlots.bind(reports),
        async *readLog() {
          yield loggedReport(1, { 7: players(5) });
          throw new Error('the disk is gone');
        },
      });
      await assert.rejects(close(store, failing), { message: 'the disk is gone' });
      assert.equal(await exportFrom(store), before);
      assert.equal((await close(store, reports)).outcome, 'written');
    });
  });
}
