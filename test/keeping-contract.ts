/** The contract of stores for removing, pruning, counting and compacting. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordChecker } from '../src/archive/check-record.ts';
import type { MetricsReader } from '../src/model/metrics-reader.ts';
import type { MetricsRemover } from '../src/model/metrics-remover.ts';
import type { Store } from '../src/model/store.ts';
import { exportFrom, importInto } from './store-contract.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from './support/archive-text.ts';
import { anyTimestamp, type Entry } from './support/points.ts';
import { fc } from './support/seed.ts';

const series = (entries: readonly Entry[], pluginId = 7, chartId = 'players') =>
  JSON.stringify({ record: 'data', pluginId, chartId, data: entries });
const pie = { chartId: 'versions', uid: 71, type: 'simple_pie', position: 1, title: 'Versions', data: {} };
const pieData = dataLine('versions', '[{"name":"1.0","y":1}]');
const halfHours = (start: number, count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => [(start + index) * 1_800_000, (start + index) % 97]);

/** Plugin 7, the global plugin of software 1, and plugin 8 of the same owner; software 2 with plugin 9. */
const lines = {
  software: [softwareLine({ globalPluginId: 7 }), softwareLine({ id: 2, name: 'Other', url: 'other' })],
  seven: pluginLine(),
  eight: pluginLine({ id: 8, name: 'Eight' }),
  nine: pluginLine({ id: 9, name: 'Nine', softwareId: 2, owner: { id: 43, name: 'Other' } }),
  chartsOfSeven: [chartLine(), series(halfHours(0, 600)), chartLine(pie), pieData],
  chartsOfEight: [chartLine({ pluginId: 8, uid: 80 }), series(halfHours(0, 5), 8)],
  chartsOfNine: [chartLine({ pluginId: 9, uid: 90 }), series(halfHours(100, 5), 9)],
};
const all = archiveText([
  ...lines.software,
  ...[lines.seven, lines.eight, lines.nine],
  ...[...lines.chartsOfSeven, ...lines.chartsOfEight, ...lines.chartsOfNine],
]);

/** Declares the tests for one kind of store. `makeStore` returns the name of a new one. */
export function keepingContract(name: string, makeStore: () => Promise<Store>): void {
  const filled = async (text = all) => {
    const store = await makeStore();
    await importInto(store, text);
    return store;
  };
  const change = async <T>(store: Store, work: (remover: MetricsRemover) => Promise<T>): Promise<T> => {
    await using remover = await store.openRemover();
    const result = await work(remover);
    await remover.commit();
    return result;
  };
  const assertHolds = async (store: Store, text: string) => {
    assert.equal(await exportFrom(store), text);
    assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
  };

  describe(`${name}: removing`, () => {
    test('a plugin is removed with its charts and data, and as the global plugin of any software', async () => {
      const store = await filled();
      const removed = await change(store, (remover) => remover.removePlugin(7));
      assert.deepEqual(removed, {
        chartCount: 2,
        pointCount: 600,
        snapshotCount: 0,
        eventCount: 0,
        softwareIds: [1],
      });
      const rest = [lines.eight, lines.nine, ...lines.chartsOfEight, ...lines.chartsOfNine];
      await assertHolds(store, archiveText([softwareLine(), lines.software[1] ?? '', ...rest]));
      // Removed plugins can be imported again, with other ids too.
      await importInto(store, all);
      await assertHolds(store, all);
    });

    test('an owner is removed with the last plugin', async () => {
      const store = await filled();
      assert.deepEqual(await change(store, (remover) => remover.removePlugin(9)), {
        chartCount: 1,
        pointCount: 5,
        snapshotCount: 0,
        eventCount: 0,
        softwareIds: [],
      });
      await change(store, (remover) => remover.removePlugin(8));
      await change(store, (remover) => remover.removePlugin(7));
      await assertHolds(store, archiveText([softwareLine(), lines.software[1] ?? '']));
      await importInto(store, archiveText([pluginLine({ owner: { id: 43, name: 'Renamed' } })]));
    });

    test('a chart is removed with its data', async () => {
      const store = await filled();
      const removeChart = (pluginId: number, chartId: string) =>
        change(store, (remover) => remover.removeChart(pluginId, chartId));
      assert.deepEqual(await removeChart(7, 'players'), {
        chartCount: 1,
        pointCount: 600,
        snapshotCount: 0,
        eventCount: 0,
        softwareIds: [],
      });
      assert.deepEqual(await removeChart(7, 'versions'), {
        chartCount: 1,
        pointCount: 0,
        snapshotCount: 0,
        eventCount: 0,
        softwareIds: [],
      });
      const rest = [...lines.chartsOfEight, ...lines.chartsOfNine];
      await assertHolds(
        store,
        archiveText([...lines.software, lines.seven, lines.eight, lines.nine, ...rest]),
      );
      // Its uid is free.
      await importInto(store, archiveText([chartLine({ pluginId: 9, chartId: 'servers', uid: 70 })]));
    });

    test('a missing plugin or chart is reported', async () => {
      const store = await filled();
      await using remover = await store.openRemover();
      const isMissing = (message: string) => ({ code: 'not_found', message });
      await assert.rejects(remover.removePlugin(5), isMissing('there is no plugin with the id 5'));
      await assert.rejects(remover.removeChart(5, 'players'), isMissing('there is no plugin with the id 5'));
      await assert.rejects(remover.removeChart(7, 'Players'), isMissing('plugin 7 has no chart "Players"'));
      await assert.rejects(
        remover.prune({ beforeTimestamp: 0, pluginId: 5 }),
        isMissing('there is no plugin with the id 5'),
      );
    });

    test('nothing changes without a commit', async () => {
      const store = await filled();
      {
        await using remover = await store.openRemover();
        await remover.removePlugin(7);
        await remover.removeChart(8, 'players');
        await remover.prune({ beforeTimestamp: 8.64e15 });
      }
      await assertHolds(store, all);
    });

    test('readers see a removal, and their lists change on their own', async () => {
      const store = await filled();
      await using reader = await store.openReader();
      const isCatalogueSeen = async (work: (remover: MetricsRemover) => Promise<unknown>) => {
        const [catalogue, data] = [reader.generation('catalogue'), reader.generation('data')];
        await change(store, work);
        await untilChanged(reader, data);
        return reader.generation('catalogue') !== catalogue;
      };
      assert.equal(await isCatalogueSeen((remover) => remover.prune({ beforeTimestamp: 1_800_000 })), false);
      assert.equal(await isCatalogueSeen((remover) => remover.removeChart(7, 'versions')), true);
      await assert.rejects(reader.getChart(7, 'versions'), { code: 'not_found' });
      assert.equal(await isCatalogueSeen((remover) => remover.removePlugin(7)), true);
      await assert.rejects(reader.getPlugin(7), { code: 'not_found' });
      assert.deepEqual(
        (await reader.listSoftware()).map(({ globalPlugin }) => globalPlugin),
        [null, null],
      );
    });

    test('an export in progress continues with its snapshot', async () => {
      const store = await filled();
      await using reader = await store.openReader();
      const before = await exportFrom(store);
      const records = reader.records()[Symbol.asyncIterator]();
      let next = await records.next();
      await change(store, (remover) => remover.removePlugin(7));
      const exported: string[] = [];
      for (; next.done !== true; next = await records.next())
        exported.push(...next.value.map((record) => record.kind));
      const kinds = (text: string) => [...text.matchAll(/"record":"(\w+)"/g)].map(([, kind]) => kind);
      assert.deepEqual(exported, kinds(before));
    });

    test('a missing store is not created', async () => {
      const store = await makeStore();
      const isMissing = {
        code: 'not_found',
        message: /there is no store at .*"plugin-metrics import" makes one/,
      };
      await assert.rejects(store.openRemover(), isMissing);
      await assert.rejects(store.loadStats(), isMissing);
      await assert.rejects(store.measure(), isMissing);
      await assert.rejects(store.compact(), isMissing);
      await assert.rejects(store.openReader(), isMissing);
    });

    test('a new store is not created over an existing one', async () => {
      const store = await makeStore();
      {
        await using writer = await store.openNewWriter();
        await writer.write([{ place: '', kind: 'end' }]);
        await writer.commit();
      }
      await assertHolds(store, archiveText([]));
      await assert.rejects(store.openNewWriter(), { code: 'conflict', message: /^there is a store at / });
    });
  });

  describe(`${name}: pruning`, () => {
    test('points before the time are removed, and points at that time and all other data are kept', async () => {
      const store = await filled();
      const beforeTimestamp = 102 * 1_800_000;
      const pruned = await change(store, (remover) => remover.prune({ beforeTimestamp }));
      assert.deepEqual(pruned, { chartCount: 3, pointCount: 102 + 5 + 2, snapshotCount: 0 });
      await assertHolds(
        store,
        all
          .replace(series(halfHours(0, 600)), series(halfHours(102, 498)))
          .replace(`${series(halfHours(0, 5), 8)}\n`, '')
          .replace(series(halfHours(100, 5), 9), series(halfHours(102, 3), 9))
          .replace('"records":13', '"records":12'),
      );
      const again = await change(store, (remover) => remover.prune({ beforeTimestamp }));
      assert.deepEqual(again, { chartCount: 0, pointCount: 0, snapshotCount: 0 });
    });

    test('pruning one plugin keeps the points of the others', async () => {
      const store = await filled();
      const pruned = await change(store, (remover) =>
        remover.prune({ beforeTimestamp: 3 * 1_800_000, pluginId: 8 }),
      );
      assert.deepEqual(pruned, { chartCount: 1, pointCount: 3, snapshotCount: 0 });
      await assertHolds(store, all.replace(series(halfHours(0, 5), 8), series(halfHours(3, 2), 8)));
    });

    test('points after a time are removed, or between two times, and points at the times are kept', async () => {
      const at = (index: number) => index * 1_800_000;
      const cases: ReadonlyArray<
        readonly [after: number | undefined, before: number | undefined, kept: (index: number) => boolean]
      > = [
        [at(599), undefined, () => true],
        [at(598), undefined, (index) => index <= 598],
        [at(598) - 1, undefined, (index) => index <= 597],
        [at(0), undefined, (index) => index <= 0],
        [undefined, at(0), () => true],
        [undefined, at(0) + 1, (index) => index > 0],
        [at(100), at(101), () => true],
        [at(100), at(102), (index) => index !== 101],
        [at(100) - 1, at(100) + 1, (index) => index !== 100],
        [at(10), at(590), (index) => index <= 10 || index >= 590],
        // The second chunk begins at 512.
        [at(511), at(600), (index) => index <= 511],
        [at(511), at(513), (index) => index !== 512],
        [at(300), at(512), (index) => index <= 300 || index >= 512],
        [at(512), at(514), (index) => index !== 513],
        [at(511) - 1, at(512) + 1, (index) => index !== 511 && index !== 512],
        [at(0) + 1, at(599), (index) => index === 0 || index === 599],
      ];
      const store = await filled();
      for (const [afterTimestamp, beforeTimestamp, isKept] of cases) {
        const kept = halfHours(0, 600).filter((_, index) => isKept(index));
        const pruned = await change(store, (remover) =>
          remover.prune({ afterTimestamp, beforeTimestamp, pluginId: 7, chartId: 'players' }),
        );
        const lostCount = 600 - kept.length;
        assert.deepEqual(pruned, {
          chartCount: lostCount === 0 ? 0 : 1,
          pointCount: lostCount,
          snapshotCount: 0,
        });
        await assertHolds(store, all.replace(series(halfHours(0, 600)), series(kept)));
        await importInto(store, all);
        await assertHolds(store, all);
      }
    });

    test('pruning one chart keeps the points of other lines', async () => {
      const store = await filled(
        all.replace('"simple_pie"', '"single_linechart"').replace(pieData, series([[1, 1]], 7, 'versions')),
      );
      const pruned = await change(store, (remover) =>
        remover.prune({ afterTimestamp: 0, pluginId: 7, chartId: 'versions' }),
      );
      assert.deepEqual(pruned, { chartCount: 1, pointCount: 1, snapshotCount: 0 });
      assert.equal((await store.loadStats()).pointCount, 610);
      await using remover = await store.openRemover();
      const isMissing = (message: string) => ({ code: 'not_found', message });
      await assert.rejects(
        remover.prune({ afterTimestamp: 0, pluginId: 7, chartId: 'x' }),
        isMissing('plugin 7 has no chart "x"'),
      );
      await assert.rejects(
        remover.prune({ afterTimestamp: 0, pluginId: 5, chartId: 'x' }),
        isMissing('there is no plugin with the id 5'),
      );
    });

    test('exactly the points between the times are removed, for any points and times', async () => {
      const store = await filled(archiveText([softwareLine(), lines.seven]));
      const anyLine = fc.uniqueArray(anyTimestamp, { maxLength: 1200, size: 'max' });
      const anyTime = fc.option(fc.oneof(anyTimestamp, fc.nat({ max: 1200 })), { nil: undefined });
      const anyTimes = fc.tuple(anyTime, anyTime);
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyLine, { minLength: 1, maxLength: 4 }),
          anyTimes,
          async (charts, times) => {
            const sorted = charts.map((timestamps) => timestamps.toSorted((a, b) => a - b));
            const [afterTimestamp, beforeTimestamp] = times.map((time) =>
              time === undefined ? undefined : (sorted[0]?.[time % 1201] ?? time),
            );
            const archive = (kept: readonly (readonly number[])[]) =>
              archiveText([
                softwareLine(),
                lines.seven,
                ...kept.flatMap((timestamps, index) => [
                  chartLine({ chartId: `line${index}`, uid: 100 + index }),
                  ...(timestamps.length === 0
                    ? []
                    : [
                        series(
                          timestamps.map((one) => [one, one % 97]),
                          7,
                          `line${index}`,
                        ),
                      ]),
                ]),
              ]);
            await importInto(store, archive(sorted));
            const isKept = (one: number) =>
              one <= (afterTimestamp ?? -1) || one >= (beforeTimestamp ?? Number.POSITIVE_INFINITY);
            const kept = sorted.map((timestamps) => timestamps.filter(isKept));
            const count = (lists: readonly (readonly number[])[]) => lists.flat().length;
            const pruned = await change(store, (remover) =>
              remover.prune({ afterTimestamp, beforeTimestamp }),
            );
            assert.equal(pruned.pointCount, count(sorted) - count(kept));
            await assertHolds(store, archive(kept));
            await change(store, async (remover) => {
              for (const index of sorted.keys()) await remover.removeChart(7, `line${index}`);
            });
          },
        ),
        { numRuns: 30 },
      );
    });

    test('an import appends after pruned points', async () => {
      const store = await filled();
      await change(store, (remover) => remover.prune({ beforeTimestamp: 590 * 1_800_000 }));
      await importInto(store, archiveText([series([...halfHours(3, 1), ...halfHours(600, 1)])]));
      await using reader = await store.openReader();
      const data = await reader.readChartData(7, 'players', 1_000_000);
      assert.ok(data.storage === 'series');
      const times = [...data.runs].flatMap((run) => [...run.timestamps].map((time) => time / 1_800_000));
      assert.deepEqual(times, [3, 590, 591, 592, 593, 594, 595, 596, 597, 598, 599, 600]);
    });
  });

  describe(`${name}: records of removals`, () => {
    test('a store without removals, and a missing one, have no records', async () => {
      for (const store of [await makeStore(), await filled()]) {
        const removals = await store.loadRemovals();
        assert.deepEqual([removals.hasPlugin(7), removals.hasChart(7, 'players')], [false, false]);
        assert.equal(removals.prunedBefore(7, 'players'), 0);
      }
    });

    test('a removed plugin or chart is recorded until it is imported again', async () => {
      const store = await filled();
      await change(store, async (remover) => {
        await remover.removePlugin(9);
        await remover.removeChart(7, 'versions');
      });
      const read = async () => {
        const removals = await store.loadRemovals();
        return [
          [7, 8, 9].filter(removals.hasPlugin),
          ['players', 'versions'].filter((chartId) => removals.hasChart(7, chartId)),
          removals.hasChart(9, 'players'),
        ];
      };
      assert.deepEqual(await read(), [[9], ['versions'], true]);
      await importInto(store, archiveText([lines.nine]));
      assert.deepEqual(await read(), [[], ['versions'], false]);
      await importInto(store, archiveText([lines.seven, chartLine()]));
      assert.deepEqual(await read(), [[], ['versions'], false]);
      await importInto(store, all);
      assert.deepEqual(await read(), [[], [], false]);
      await assertHolds(store, all);
    });

    test('removing a plugin clears the records of its charts', async () => {
      const store = await filled();
      await change(store, async (remover) => {
        await remover.removeChart(7, 'versions');
        await remover.prune({ beforeTimestamp: 5, pluginId: 7 });
        await remover.removePlugin(7);
      });
      await importInto(store, archiveText([lines.seven]));
      const removals = await store.loadRemovals();
      assert.equal(removals.hasChart(7, 'versions'), false);
      assert.equal(removals.prunedBefore(7, 'players'), 0);
    });

    test('the latest time of a prune is recorded, for all plugins or for one', async () => {
      const store = await filled();
      for (const [beforeTimestamp, pluginId] of [[20], [10], [30, 8], [25, 8], [5, 9]]) {
        await change(store, (remover) => remover.prune({ beforeTimestamp: beforeTimestamp ?? 0, pluginId }));
      }
      const removals = await store.loadRemovals();
      assert.deepEqual(
        [7, 8, 9].map((pluginId) => removals.prunedBefore(pluginId, 'players')),
        [20, 30, 20],
      );
      await change(store, (remover) =>
        remover.prune({ beforeTimestamp: 40, pluginId: 9, chartId: 'players' }),
      );
      await change(store, (remover) => remover.prune({ afterTimestamp: 50, beforeTimestamp: 60 }));
      await change(store, (remover) => remover.prune({ afterTimestamp: 8.64e15 }));
      const later = await store.loadRemovals();
      assert.deepEqual([later.prunedBefore(9, 'players'), later.prunedBefore(9, 'other')], [40, 20]);
      // An import of older points does not clear the record.
      await importInto(store, all);
      assert.equal((await store.loadRemovals()).prunedBefore(8, 'players'), 30);
    });

    test('nothing is recorded without a commit, and records do not change an export', async () => {
      const store = await filled();
      {
        await using remover = await store.openRemover();
        await remover.removePlugin(9);
      }
      assert.equal((await store.loadRemovals()).hasPlugin(9), false);
      await change(store, (remover) => remover.prune({ beforeTimestamp: 0 }));
      await assertHolds(store, all);
    });
  });

  describe(`${name}: statistics and compacting`, () => {
    test('the stats match the export', async () => {
      const store = await filled();
      const { sizeBytes, ...counts } = await store.loadStats();
      assert.ok(sizeBytes > 10_000, String(sizeBytes));
      assert.deepEqual(counts, {
        softwareCount: 2,
        pluginCount: 3,
        chartCount: 4,
        pointCount: 610,
        snapshotCount: 0,
        eventCount: 0,
        oldestTimestamp: 0,
        newestTimestamp: 599 * 1_800_000,
        newestPastTimestamp: 599 * 1_800_000,
      });
    });

    test('points in the future do not count as the newest point', async () => {
      const store = await filled();
      const newest = async (nowMs: number) => {
        const { newestTimestamp, newestPastTimestamp } = await store.loadStats(nowMs);
        assert.equal(newestTimestamp, 599 * 1_800_000);
        return newestPastTimestamp;
      };
      for (const [now, expected] of [
        [599 * 1_800_000, 599],
        [599 * 1_800_000 - 1, 598],
        [512 * 1_800_000, 512],
        [511 * 1_800_000 + 1, 511],
        [0, 0],
      ] as const)
        assert.equal(await newest(now), expected * 1_800_000, String(now));
      assert.equal(await newest(-1), null);
    });

    test('a store without points has no oldest point', async () => {
      const { pointCount, oldestTimestamp, newestTimestamp } = await (
        await filled(archiveText([]))
      ).loadStats();
      assert.deepEqual([pointCount, oldestTimestamp, newestTimestamp], [0, null, null]);
    });

    test('compacting changes nothing that is read', async () => {
      const store = await filled();
      await using reader = await store.openReader();
      await change(store, (remover) => remover.removePlugin(7));
      const before = await exportFrom(store);
      const { sizeBytes, unusedBytes } = await store.measure();
      assert.ok(unusedBytes >= 0 && unusedBytes < sizeBytes, `${unusedBytes} of ${sizeBytes}`);
      const compacted = await store.compact();
      assert.equal(compacted.isBlocked, false);
      assert.equal((await store.loadStats()).sizeBytes, compacted.afterBytes);
      await assertHolds(store, before);
      assert.equal((await reader.getPlugin(8)).id, 8);
    });
  });
}

async function untilChanged(reader: MetricsReader, data: number): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (reader.generation('data') === data && performance.now() < deadline) await sleep(10);
  assert.notEqual(reader.generation('data'), data);
}
