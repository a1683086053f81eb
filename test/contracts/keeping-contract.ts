/** The contract of stores for removing, pruning, counting and compacting. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordChecker } from '../../src/archive/check-record.ts';
import type { AppError } from '../../src/model/app-error.ts';
import type { MetricsReader } from '../../src/model/metrics-reader.ts';
import type { MetricsRemover, Removal, Removed } from '../../src/model/metrics-remover.ts';
import type { Store } from '../../src/model/store.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  linesIn,
  pastText,
  pluginLine,
  removalLine,
  softwareLine,
} from '../support/archive-text.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { anyTimestamp, type Entry } from '../support/points.ts';
import { withReads } from '../support/reads.ts';
import { startProgram } from '../support/run-program.ts';
import { fc } from '../support/seed.ts';
import { exportFrom, importInto } from './store-contract.ts';

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

/** The counts of a removed chart without data, unless the fields say otherwise. */
const removedCounts = (fields: Partial<Removed>): Removed => ({
  chartCount: 1,
  pointCount: 0,
  historyTimeCount: 0,
  eventCount: 0,
  softwareIds: [],
  ...fields,
});

const time = 'an integer from 0 to 8640000000000000 (Unix milliseconds)';

const pluginLines = new Map([
  [7, lines.seven],
  [8, lines.eight],
  [9, lines.nine],
]);
const chartLines = new Map([
  ['7/players', chartLine()],
  ['7/versions', chartLine(pie)],
  ['8/players', chartLine({ pluginId: 8, uid: 80 })],
  ['9/players', chartLine({ pluginId: 9, uid: 90 })],
]);

/** The removals that a store of these plugins should remember. */
class RemovalModel {
  readonly #removals = new Map<string, Removal>();
  readonly #there = new Set([...pluginLines.keys(), ...chartLines.keys()].map(String));

  /** Applies a record, and returns its line; no line for a chart of a missing plugin. */
  take(record: Removal | string, keepsPruned: boolean): string[] {
    if (typeof record !== 'string') {
      this.add(record);
      const { before, ...of } = record;
      return [removalLine(before, of)];
    }
    const [pluginId = ''] = record.split('/');
    const line = chartLines.get(record) ?? pluginLines.get(Number(record)) ?? '';
    if (record !== pluginId && !this.#there.has(pluginId)) return [];
    this.#there.add(record);
    const before = this.#removals.get(record)?.before;
    if (!keepsPruned || before === null) this.#removals.delete(record);
    return [line];
  }

  has({ pluginId, chartId }: Removal): boolean {
    return pluginId === undefined || this.#there.has(nameOf(pluginId, chartId));
  }

  remove({ pluginId = 0, chartId }: Removal): void {
    const name = nameOf(pluginId, chartId);
    const isGone = (one: string) => one === name || one.startsWith(`${name}/`);
    for (const one of this.#there) if (isGone(one)) this.#there.delete(one);
    for (const one of this.#removals.keys()) if (isGone(one)) this.#removals.delete(one);
  }

  add(removal: Removal): void {
    const name = nameOf(removal.pluginId ?? 0, removal.chartId);
    const known = this.#removals.get(name)?.before ?? 0;
    const isNull = removal.before === null || this.#removals.get(name)?.before === null;
    this.#removals.set(name, { ...removal, before: isNull ? null : Math.max(removal.before ?? 0, known) });
  }

  lines(): readonly string[] {
    const key = ({ pluginId = 0, chartId = '' }: Removal) => `${String(pluginId).padStart(9)}/${chartId}`;
    return [...this.#removals.values()]
      .sort((a, b) => (key(a) < key(b) ? -1 : 1))
      .map(({ before, ...of }) => removalLine(before, of));
  }

  /** Returns the values that `Removals` should have for a chart. */
  read(pluginId: number, chartId: string): readonly [boolean, boolean, number] {
    const of = ['0', nameOf(pluginId), nameOf(pluginId, chartId)].map(
      (name) => this.#removals.get(name)?.before,
    );
    return [
      of.slice(0, 2).includes(null),
      of.includes(null),
      Math.max(0, ...of.map((before) => before ?? 0)),
    ];
  }
}

function nameOf(pluginId: number, chartId?: string): string {
  return chartId === undefined ? String(pluginId) : `${pluginId}/${chartId}`;
}

const anyTarget = fc.constantFrom<Omit<Removal, 'before'>>(
  {},
  ...[7, 7, 8, 9].map((pluginId) => ({ pluginId })),
  ...['players', 'players', 'versions'].map((chartId) => ({ pluginId: 7, chartId })),
  { pluginId: 8, chartId: 'players' },
);
const anyBefore = fc.option(fc.nat(20), { freq: 2 });
const anyRemoval = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: anyTarget }, { weight: 1, arbitrary: fc.constant({ pluginId: 40 }) }),
    anyBefore,
  )
  .map(([of, before]): Removal => ({ ...of, before }));
const anyRecord = fc.oneof(
  anyRemoval,
  fc.constantFrom(...[...pluginLines.keys(), ...chartLines.keys()].map(String)),
);

/** An import, as of an archive or by a mirror; or a removal or prune of an existing thing. */
type Step =
  | { readonly kind: 'import'; readonly keepsPruned: boolean; readonly records: (Removal | string)[] }
  | { readonly kind: 'removal'; readonly removal: Removal };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('import' as const),
    keepsPruned: fc.boolean(),
    records: fc.array(anyRecord, { maxLength: 8 }),
  }),
  fc.tuple(anyTarget, anyBefore).map(([of, before]) => ({
    kind: 'removal' as const,
    removal: { ...of, before: of.pluginId === undefined ? (before ?? 0) : before },
  })),
);

/** Waits for a process to end. */
async function exitCode(child: ChildProcess): Promise<number | null> {
  return child.exitCode ?? ((await once(child, 'exit'))[0] as number | null);
}

/** Declares the tests for one kind of store. `makeStore` names a new store. */
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
  /** Applies a step to a store and to the model of its removals. */
  const takeStep = async (store: Store, model: RemovalModel, step: Step): Promise<void> => {
    if (step.kind === 'import') {
      const given = step.records.flatMap((record) => model.take(record, step.keepsPruned));
      await importInto(store, pastText(given), { keepsPruned: step.keepsPruned });
      return;
    }
    const { pluginId = 0, chartId, before } = step.removal;
    if (!model.has(step.removal)) return;
    await change(store, async (remover) => {
      if (before !== null) await remover.prune({ ...step.removal, to: before });
      else if (chartId === undefined) await remover.removePlugin(pluginId);
      else await remover.removeChart(pluginId, chartId);
    });
    if (before === null) model.remove(step.removal);
    model.add(step.removal);
  };
  const assertHolds = async (store: Store, text: string) => {
    assert.equal(await exportFrom(store), text);
    assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
  };

  describe(`${name}: two writers`, () => {
    test('the second one says that it waits, and goes on when the first one ends', async () => {
      const store = await makeStore();
      await importInto(store, all);
      const first = await store.openRemover();
      const child = startProgram(['remove', 'chart', '7/players', '--store', store.givenName]);
      let said = '';
      for await (const text of child.stderr) {
        said += text;
        if (said.includes('\n')) break;
      }
      assert.equal(said, 'waiting for another import\n');
      assertDocumented(said);
      await first[Symbol.asyncDispose]();
      assert.equal(await exitCode(child), 0);
    });
  });

  describe(`${name}: removing`, () => {
    test('a plugin is removed with its charts and data, and as the global plugin of any software', async () => {
      const store = await filled();
      const removed = await change(store, (remover) => remover.removePlugin(7));
      assert.deepEqual(removed, removedCounts({ chartCount: 2, pointCount: 600, softwareIds: [1] }));
      const rest = [lines.eight, lines.nine, ...lines.chartsOfEight, ...lines.chartsOfNine];
      await assertHolds(
        store,
        pastText([softwareLine(), lines.software[1] ?? '', ...rest, removalLine(null, { pluginId: 7 })]),
      );
      // Removed plugins can be imported again, even with other ids.
      await importInto(store, all);
      await assertHolds(store, all);
    });

    test('an owner is removed with the last plugin', async () => {
      const store = await filled();
      assert.deepEqual(
        await change(store, (remover) => remover.removePlugin(9)),
        removedCounts({ pointCount: 5 }),
      );
      await change(store, (remover) => remover.removePlugin(8));
      await change(store, (remover) => remover.removePlugin(7));
      const removals = [7, 8, 9].map((pluginId) => removalLine(null, { pluginId }));
      await assertHolds(store, pastText([softwareLine(), lines.software[1] ?? '', ...removals]));
      await importInto(store, archiveText([pluginLine({ owner: { id: 43, name: 'Renamed' } })]));
    });

    test('a chart is removed with its data', async () => {
      const store = await filled();
      const removeChart = (pluginId: number, chartId: string) =>
        change(store, (remover) => remover.removeChart(pluginId, chartId));
      assert.deepEqual(await removeChart(7, 'players'), removedCounts({ pointCount: 600 }));
      assert.deepEqual(await removeChart(7, 'versions'), removedCounts({}));
      const rest = [
        ...[...lines.chartsOfEight, ...lines.chartsOfNine],
        ...['players', 'versions'].map((chartId) => removalLine(null, { pluginId: 7, chartId })),
      ];
      await assertHolds(store, pastText([...lines.software, lines.seven, lines.eight, lines.nine, ...rest]));
      // The uid of the removed chart is free.
      await importInto(store, archiveText([chartLine({ pluginId: 9, chartId: 'servers', uid: 70 })]));
    });

    test('a missing plugin or chart is reported', async () => {
      const store = await filled();
      await using remover = await store.openRemover();
      const noPlugin = { code: 'not_found', message: 'there is no plugin with the id 5' };
      const noChart = { code: 'not_found', message: 'plugin 7 has no chart "Players"' };
      const prune = (pluginId: number, chartId?: string) => remover.prune({ to: 0, pluginId, chartId });
      await assert.rejects(remover.removePlugin(5), noPlugin);
      await assert.rejects(remover.removeChart(5, 'players'), noPlugin);
      await assert.rejects(remover.removeChart(7, 'Players'), noChart);
      await assert.rejects(prune(5), noPlugin);
      await assert.rejects(prune(5, 'players'), noPlugin);
      await assert.rejects(prune(7, 'Players'), noChart);
    });

    test('nothing changes without a commit', async () => {
      const store = await filled();
      {
        await using remover = await store.openRemover();
        await remover.removePlugin(7);
        await remover.removeChart(8, 'players');
        await remover.prune({ to: 8.64e15 });
      }
      await assertHolds(store, all);
    });

    test('readers see a removal, and their lists change on their own', async () => {
      const store = await filled();
      await using reader = withReads(await store.openReader());
      const isCatalogueSeen = async (work: (remover: MetricsRemover) => Promise<unknown>) => {
        const [catalogue, data] = [reader.generation('catalogue'), reader.generation('data')];
        await change(store, work);
        await untilChanged(reader, data);
        return reader.generation('catalogue') !== catalogue;
      };
      assert.equal(await isCatalogueSeen((remover) => remover.prune({ to: 1_800_000 })), false);
      assert.equal(await isCatalogueSeen((remover) => remover.removeChart(7, 'versions')), true);
      await assert.rejects(reader.getChart(7, 'versions'), { code: 'not_found' });
      assert.equal(await isCatalogueSeen((remover) => remover.removePlugin(7)), true);
      await assert.rejects(reader.getPlugin(7), { code: 'not_found' });
      assert.deepEqual(
        (await reader.listSoftware()).map(({ globalPlugin }) => globalPlugin),
        [null, null],
      );
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
      await assert.rejects(store.openWriter({ makesStore: false }), isMissing);
    });

    test('a writer shows the state before it, which is empty where the store is missing', async () => {
      const missing = await makeStore();
      await using maker = await missing.openWriter();
      assert.deepEqual(await maker.view.listSoftware(), []);
      await assert.rejects(maker.view.getPlugin(7), { code: 'not_found' });
      const store = await filled();
      await using writer = await store.openWriter({ makesStore: false });
      assert.equal((await writer.view.getPlugin(7)).id, 7);
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
      const pruned = await change(store, (remover) => remover.prune({ to: beforeTimestamp }));
      assert.deepEqual(pruned, { chartCount: 3, pointCount: 102 + 5 + 2, historyTimeCount: 0 });
      const rest = linesIn(all)
        .filter((line) => line !== series(halfHours(0, 5), 8))
        .map((line) =>
          line
            .replace(series(halfHours(0, 600)), series(halfHours(102, 498)))
            .replace(series(halfHours(100, 5), 9), series(halfHours(102, 3), 9)),
        );
      await assertHolds(store, pastText([...rest, removalLine(beforeTimestamp)]));
      const again = await change(store, (remover) => remover.prune({ to: beforeTimestamp }));
      assert.deepEqual(again, { chartCount: 0, pointCount: 0, historyTimeCount: 0 });
    });

    test('pruning one chart keeps the points of other lines', async () => {
      const store = await filled(
        all.replace('"simple_pie"', '"single_linechart"').replace(pieData, series([[1, 1]], 7, 'versions')),
      );
      const pruned = await change(store, (remover) =>
        remover.prune({ from: 1, pluginId: 7, chartId: 'versions' }),
      );
      assert.deepEqual(pruned, { chartCount: 1, pointCount: 1, historyTimeCount: 0 });
      assert.equal((await store.loadStats()).pointCount, 610);
    });

    test('exactly the points of the window are removed, for any points and window', async () => {
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
            const [from, to] = times.map((time) =>
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
            const isKept = (one: number) => one < (from ?? 0) || one >= (to ?? Number.POSITIVE_INFINITY);
            const kept = sorted.map((timestamps) => timestamps.filter(isKept));
            const count = (lists: readonly (readonly number[])[]) => lists.flat().length;
            const pruned = await change(store, (remover) => remover.prune({ from, to }));
            assert.equal(pruned.pointCount, count(sorted) - count(kept));
            const rest = linesIn(await exportFrom(store)).filter((line) => !line.includes('"removal"'));
            assert.deepEqual(rest, linesIn(archive(kept)));
            assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
            await change(store, async (remover) => {
              for (const index of sorted.keys()) await remover.removeChart(7, `line${index}`);
            });
          },
        ),
        { numRuns: 30 },
      );
    });
  });

  describe(`${name}: records of removals`, () => {
    test('an import of some takes nothing out, and changes nothing the second time', async () => {
      const store = await filled();
      const removals = [
        removalLine(8.64e15),
        removalLine(null, { pluginId: 7 }),
        removalLine(0, { pluginId: 7, chartId: 'players' }),
        removalLine(null, { pluginId: 7, chartId: 'versions' }),
        // The store does not contain these plugins and charts.
        removalLine(5, { pluginId: 40 }),
        removalLine(null, { pluginId: 40, chartId: 'Z' }),
        removalLine(null, { pluginId: 40, chartId: 'a' }),
        removalLine(null, { pluginId: 2 ** 53 - 1 }),
      ];
      const text = pastText([...linesIn(all), ...removals]);
      for (const lines of [removals.toReversed(), removals]) {
        await importInto(store, pastText(lines));
        await assertHolds(store, text);
      }
      const copy = await filled(text);
      await assertHolds(copy, text);
      // An existing chart can be removed even if a record has already removed it.
      await change(copy, (remover) => remover.removeChart(7, 'versions'));
      await change(copy, (remover) => remover.prune({ pluginId: 7, to: 7 }));
      const rest = linesIn(text).filter((line) => line !== lines.chartsOfSeven[2] && line !== pieData);
      await assertHolds(
        copy,
        pastText(rest.map((line) => line.replace(series(halfHours(0, 600)), series(halfHours(1, 599))))),
      );
      await using writer = await copy.openWriter();
      assert.equal((await writer.findFreeIds()).pluginId, 41);
    });

    test('of two the later one counts, however many records lie between them', async () => {
      const seven = { pluginId: 7 };
      // These are more records than a store writes at a time.
      const many = Array.from({ length: 1100 }, () => lines.nine);
      for (const [given, left] of [
        [[removalLine(null, seven), ...many, lines.seven], []],
        [[removalLine(5, seven), ...many, removalLine(4, seven)], [removalLine(5, seven)]],
      ] as const) {
        const store = await filled();
        await importInto(store, pastText(given));
        await assertHolds(store, left.length === 0 ? all : pastText([...linesIn(all), ...left]));
      }
    });

    for (const [line, message] of [
      [removalLine(null, { chartId: 'players' }), 'the field "pluginId" is missing, which "chartId" needs'],
      [removalLine(-1), `before must be ${time}, or null, got -1`],
    ] as const)
      test(`${line} is refused, and nothing is stored`, async () => {
        const store = await filled();
        const given = pastText([removalLine(5), pluginLine({ name: 'Renamed' }), line]);
        await assert.rejects(importInto(store, given), (error: AppError) => {
          assert.match(error.place ?? '', /:4$/);
          assert.equal(error.message, message);
          return true;
        });
        await assertHolds(store, all);
      });

    test('are what was done, in any order, and come back through an export', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 10 }), async (steps) => {
          const store = await filled();
          const model = new RemovalModel();
          for (const step of steps) await takeStep(store, model, step);
          const text = await exportFrom(store);
          const found = linesIn(text).filter((line) => line.includes('"removal"'));
          assert.deepEqual(found, model.lines());
          assert.deepEqual(linesIn(text).slice(-found.length || Number.POSITIVE_INFINITY), found);
          const copy = await filled(text);
          await assertHolds(copy, text);
          for (const one of [store, copy]) {
            const removals = await one.loadRemovals(7);
            for (const [pluginId, chartId] of [...chartLines.keys()].map((key) => key.split('/'))) {
              const read = [
                removals.hasPlugin(Number(pluginId)),
                removals.hasChart(Number(pluginId), chartId ?? ''),
                removals.prunedBefore(Number(pluginId), chartId ?? ''),
              ];
              assert.deepEqual(read, model.read(Number(pluginId), chartId ?? ''));
            }
          }
        }),
        { numRuns: 12 },
      );
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
        historyTimeCount: 0,
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
      await using reader = withReads(await store.openReader());
      await change(store, (remover) => remover.removePlugin(7));
      const before = await exportFrom(store);
      const { sizeBytes, unusedBytes } = await store.measure();
      assert.ok(unusedBytes >= 0 && unusedBytes < sizeBytes, `${unusedBytes} of ${sizeBytes}`);
      const compacted = await store.compact();
      assert.equal(compacted.isBlocked, false);
      assert.equal((await store.loadStats()).sizeBytes, compacted.afterBytes);
      assert.equal(await reader.measureBytes(), compacted.afterBytes);
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
