/**
 * The contract of stores for windows of removed points: points removed by `prune --after` and `remove point`
 * do not come back from mirrors.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import type { MetricsRemover } from '../../src/model/metrics-remover.ts';
import type { Store } from '../../src/model/store.ts';
import { addWindow, cutOut, liesIn, maxWindows, type Windows } from '../../src/model/window.ts';
import { serveReader } from '../http/support/test-server.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  linesIn,
  pastText,
  pluginLine,
  removalLine,
  softwareLine,
  windowLine,
  windowsText,
} from '../support/archive-text.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { fc } from '../support/seed.ts';
import { pluginRoutes, type Route, serveRoutes } from '../upstream/dialect-server.ts';
import { fastClock, mirrorOnce } from '../upstream/mirror-into.ts';
import { exportFrom, importInto } from './store-contract.ts';

const catalogue = [softwareLine(), pluginLine()];
const pie = chartLine({ chartId: 'os', uid: 71, type: 'simple_pie', position: 1, title: 'OS', data: {} });
const series = (times: readonly number[]) =>
  dataLine('players', JSON.stringify(times.map((time) => [time, time % 97])));
const shares = (count: number) => `[{"name":"Linux","y":${count}}]`;
const dated = (at: number, count: number) => dataLine('os', shares(count)).replace(/\}$/, `,"at":${at}}`);
const history = (times: readonly number[]) =>
  JSON.stringify({
    record: 'history',
    pluginId: 7,
    chartId: 'os',
    times,
    series: [{ name: 'Linux', values: times.map((time) => time % 89) }],
  });

const isRemoval = (line: string) => line.includes('"record":"removal"');

/** Declares the tests. `makeStore` names a new store. */
export function windowsContract(name: string, makeStore: () => Promise<Store>): void {
  const storeOf = async (text: string) => {
    const store = await makeStore();
    await importInto(store, text);
    return store;
  };
  const change = async (store: Store, work: (remover: MetricsRemover) => Promise<unknown>) => {
    await using remover = await store.openRemover();
    await work(remover);
    await remover.commit();
  };
  const removePoint = (store: Store, time: number) =>
    change(store, (remover) => remover.prune({ from: time, to: time + 1, pluginId: 7, chartId: 'players' }));
  const removalsOf = async (store: Store) => linesIn(await exportFrom(store)).filter(isRemoval);
  const assertIntact = async (store: Store) =>
    assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);

  describe(`${name}: windows of removed points`, () => {
    test('a prune of newer points makes one for each chart from which it took something', async () => {
      const store = await storeOf(
        pastText([...catalogue, chartLine(), series([10, 20, 30, 41]), pie, history([10, 35]), dated(40, 3)]),
      );
      await change(store, (remover) => remover.prune({ from: 21 }));
      const left = [...catalogue, pie, dated(10, 10), history([10]), chartLine(), series([10, 20])];
      const removed = [windowLine([21, 41], { chartId: 'os' }), windowLine([21, 42])];
      assert.equal(await exportFrom(store), windowsText([...left, ...removed]));
      // A second prune removes nothing.
      await change(store, (remover) => remover.prune({ from: 21 }));
      assert.deepEqual(await removalsOf(store), removed);
      await change(store, (remover) => remover.prune({ from: 6, to: 15 }));
      assert.deepEqual(await removalsOf(store), [
        windowLine([6, 11], { chartId: 'os' }),
        windowLine([21, 41], { chartId: 'os' }),
        windowLine([6, 11]),
        windowLine([21, 42]),
      ]);
      await assertIntact(store);
    });

    test('the newest time of a software is gone with it, even if its plugin is pruned in two pages', async () => {
      const pies = Array.from({ length: 255 }, (_, index) =>
        chartLine({ chartId: `p${index}`, uid: 100 + index, type: 'simple_pie', position: index, data: {} }),
      );
      const lines = ['servers', 'players'].flatMap((chartId, index) => [
        chartLine({ chartId, uid: 355 + index, position: 255 + index }),
        dataLine(chartId, '[[1000,1],[2000,2]]'),
      ]);
      const store = await storeOf(archiveText([...catalogue, ...pies, ...lines]));
      await change(store, (remover) => remover.prune({ from: 1001 }));
      await assertIntact(store);
    });

    test('windows that touch are one', async () => {
      const store = await storeOf(archiveText([...catalogue, chartLine(), series([10, 11, 12, 20, 30])]));
      for (const time of [10, 12]) await removePoint(store, time);
      assert.deepEqual(await removalsOf(store), [windowLine([10, 11]), windowLine([12, 13])]);
      await removePoint(store, 11);
      assert.deepEqual(await removalsOf(store), [windowLine([10, 13])]);
      await importInto(store, windowsText([windowLine([13, 15]), windowLine([2, 4]), windowLine([3, 8])]));
      assert.deepEqual(await removalsOf(store), [windowLine([2, 8]), windowLine([10, 15])]);
      await assertIntact(store);
    });

    test('a prune of all points, with wrong facts, ends behind the newest point', async () => {
      const store = await storeOf(
        archiveText([...catalogue, chartLine(), series([0, 8_640_000_000_000_000])]),
      );
      await change(store, (remover) => remover.prune({ from: 0 }));
      assert.deepEqual(await removalsOf(store), [windowLine([0, 8_640_000_000_000_000])]);
      await assertIntact(store);
    });

    test('points that are imported into one are stored, and cut out of it; those of a mirror are not cut out', async () => {
      const times = [10, 20, 30, 40];
      const whole = [...catalogue, chartLine(), series(times)];
      const store = await storeOf(archiveText(whole));
      await change(store, (remover) => remover.prune({ from: 11 }));
      await importInto(store, archiveText([series([30])]), { keepsPruned: true });
      assert.deepEqual(await removalsOf(store), [windowLine([11, 41])]);
      await importInto(store, archiveText([series([20])]));
      assert.deepEqual(await removalsOf(store), [windowLine([11, 20]), windowLine([21, 41])]);
      // Within an import, records apply in their order.
      await importInto(store, windowsText([windowLine([11, 50]), series([40])]));
      assert.deepEqual(await removalsOf(store), [windowLine([11, 40]), windowLine([41, 50])]);
      await importInto(store, archiveText(whole));
      assert.deepEqual(await removalsOf(store), [
        ...(
          [
            [11, 20],
            [21, 30],
            [31, 40],
            [41, 50],
          ] as const
        ).map((window) => windowLine(window)),
      ]);
      assert.equal(linesIn(await exportFrom(store))[3], series(times));
      await assertIntact(store);
    });

    test('histories that are imported into one are cut out of it', async () => {
      const store = await storeOf(
        windowsText([
          ...catalogue,
          pie,
          windowLine([10, 50], { chartId: 'os' }),
          history([20]),
          dated(40, 5),
        ]),
      );
      const windows = [
        [10, 20],
        [21, 40],
        [41, 50],
      ] as const;
      assert.deepEqual(
        await removalsOf(store),
        windows.map((window) => windowLine(window, { chartId: 'os' })),
      );
    });

    test('an import of many points into one is not refused', async () => {
      const times = Array.from({ length: 3000 }, (_, index) => index * 1_800_000);
      const whole = archiveText([...catalogue, chartLine(), series(times)]);
      const store = await storeOf(whole);
      await change(store, (remover) => remover.prune({ from: 1 }));
      for (let start = 0; start < times.length; start += 750)
        await importInto(store, archiveText([series(times.slice(start, start + 750))]));
      const lines = await removalsOf(store);
      assert.ok(lines.length <= maxWindows, String(lines.length));
      assert.deepEqual(
        linesIn(await exportFrom(store)).filter((line) => !isRemoval(line)),
        linesIn(whole),
      );
      await assertIntact(store);
    });

    test('a chart has a thousand at most, and a prune over several makes them one', async () => {
      const windows = Array.from({ length: maxWindows }, (_, index) =>
        windowLine([index * 10, index * 10 + 5]),
      );
      const store = await storeOf(
        windowsText([...catalogue, chartLine(), series([7, 5007, 20_007]), ...windows]),
      );
      const whole = await exportFrom(store);
      const refused = /^chart 7\/players would have more than 1000 windows of removed points/;
      const isRefused = { code: 'conflict', message: refused };
      await assert.rejects(removePoint(store, 20_007), isRefused);
      await assert.rejects(importInto(store, windowsText([windowLine([9e6, 9e7])])), (error: Error) => {
        assertDocumented(error.message);
        assert.match(error.message, refused);
        assert.match(String(Reflect.get(error, 'place')), /:2$/);
        return true;
      });
      await assert.rejects(importInto(store, archiveText([series([1002])])), isRefused);
      assert.equal(await exportFrom(store), whole);
      await change(store, (remover) => remover.prune({ from: 5001, to: 5100 }));
      assert.equal((await removalsOf(store)).length, maxWindows);
      await change(store, (remover) => remover.prune({ from: 1000, to: 30_000 }));
      assert.deepEqual((await removalsOf(store)).slice(-2), [
        windowLine([990, 995]),
        windowLine([1000, 20_008]),
      ]);
      await assertIntact(store);
    });

    test('they go with their chart and their plugin, and stay when either is imported again', async () => {
      const lines = [...catalogue, chartLine(), series([10]), pie, history([10])];
      const windows = [windowLine([20, 30], { chartId: 'os' }), windowLine([20, 30])];
      const store = await storeOf(windowsText([...lines, ...windows]));
      await importInto(store, archiveText(catalogue));
      await importInto(store, archiveText([chartLine(), pie]));
      assert.deepEqual(await removalsOf(store), windows);
      await change(store, (remover) => remover.removeChart(7, 'os'));
      assert.deepEqual(await removalsOf(store), [
        removalLine(null, { pluginId: 7, chartId: 'os' }),
        windows[1],
      ]);
      await change(store, (remover) => remover.removePlugin(7));
      assert.deepEqual(await removalsOf(store), [removalLine(null, { pluginId: 7 })]);
      await assertIntact(store);
    });

    for (const [line, message] of [
      [
        '{"record":"removal","pluginId":7,"before":5,"after":1}',
        'the field "chartId" is missing, which "after" needs',
      ],
      [windowLine([5, 5]), 'before must be a time later than after, 5, got 5'],
      [
        windowLine([5, 5]).replace('"before":5', '"before":null'),
        'before must be a time later than after, 5, got null',
      ],
      [
        windowLine([-1, 5]),
        'after must be an integer from 0 to 8640000000000000 (Unix milliseconds), got -1',
      ],
    ] as const)
      test(`${line} is refused`, async () => {
        const store = await storeOf(archiveText(catalogue));
        await assert.rejects(importInto(store, windowsText([line])), { code: 'invalid', message });
      });

    test('they need an archive of version 3', async () => {
      const store = await storeOf(archiveText(catalogue));
      await assert.rejects(importInto(store, pastText([windowLine([1, 5])])), {
        message: 'the field "after" needs the header {"record":"archive","version":3}',
      });
    });

    test('they are those of a model after any imports, removals and prunes, and survive an export', async () => {
      const anyTime = fc.nat(60);
      const step = fc.oneof(
        fc.record({
          kind: fc.constant('points' as const),
          times: fc.uniqueArray(anyTime),
          isMirror: fc.boolean(),
        }),
        fc.record({
          kind: fc.constant('window' as const),
          from: anyTime,
          length: fc.integer({ min: 1, max: 9 }),
        }),
        fc.record({ kind: fc.constant('prune' as const), after: anyTime, length: fc.option(fc.nat(9)) }),
        fc.record({ kind: fc.constant('point' as const), time: anyTime }),
        fc.record({ kind: fc.constant('before' as const), time: anyTime }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
          const store = await storeOf(archiveText([...catalogue, chartLine()]));
          let points: readonly number[] = [];
          let windows: Windows = [];
          const take = async (after: number, before: number | undefined) => {
            await change(store, (remover) => remover.prune({ from: after + 1, to: before }));
            const taken = points.filter((time) => time > after && time < (before ?? 1000));
            points = points.filter((time) => !taken.includes(time));
            if (taken.length > 0)
              windows = addWindow(windows, { from: after + 1, to: Math.max(...taken) + 1 });
          };
          for (const one of steps)
            if (one.kind === 'points') {
              const times = one.times.toSorted((a, b) => a - b);
              await importInto(store, archiveText([series(times)]), { keepsPruned: one.isMirror });
              points = [...new Set([...points, ...times])].sort((a, b) => a - b);
              if (!one.isMirror) windows = cutOut(windows, Float64Array.from(times));
            } else if (one.kind === 'window') {
              const window = [one.from, one.from + one.length] as const;
              await importInto(store, windowsText([windowLine(window)]));
              windows = addWindow(windows, { from: window[0], to: window[1] });
            } else if (one.kind === 'prune')
              await take(one.after, one.length === null ? undefined : one.after + one.length);
            else if (one.kind === 'point') await take(one.time - 1, one.time + 1);
            else {
              await change(store, (remover) => remover.prune({ to: one.time }));
              points = points.filter((time) => time >= one.time);
            }
          const text = await exportFrom(store);
          const found = linesIn(text);
          assert.deepEqual(
            found.filter((line) => line.includes('"after"')),
            windows.map(({ from, to }) => windowLine([from, to])),
          );
          assert.deepEqual(
            found.filter((line) => line.includes('"record":"data"')),
            points.length === 0 ? [] : [series(points)],
          );
          assert.equal(text.includes('"version":3'), windows.length > 0);
          await assertIntact(store);
          const copy = await storeOf(text);
          assert.equal(await exportFrom(copy), text);
          if (points.every((time) => !liesIn(windows, time))) {
            await importInto(store, text);
            assert.equal(await exportFrom(store), text);
          }
          const removals = await store.loadRemovals(7);
          assert.deepEqual(removals.windowsOf(7, 'players'), windows);
          assert.deepEqual(removals.windowsOf(7, 'os'), []);
        }),
        { numRuns: 20 },
      );
    });
  });

  const halfHour = 1_800_000;
  const start = 1_700_000_000_000 - 100 * halfHour;
  const timesOf = (count: number) => Array.from({ length: count }, (_, index) => start + index * halfHour);

  describe(`${name}: a mirror of what was removed`, () => {
    test('by the first interface brings nothing back, asks for no more than can be missing, and goes on behind it', async () => {
      let times = timesOf(100);
      const latest: Route = (query) => ({
        body: times.map((time) => [time, time % 97]).slice(-Number(query.get('maxElements'))),
      });
      await using server = await serveRoutes({ ...pluginRoutes(), '/plugins/7/charts/players/data': latest });
      const store = await makeStore();
      const visit = (options = {}) =>
        mirrorOnce({ path: store.givenName }, server.url, { pluginIds: [7], store, ...options });
      await visit();
      const whole = await exportFrom(store);
      await change(store, (remover) => remover.prune({ from: (times[90] ?? 0) + 1 }));
      await removePoint(store, times[40] ?? 0);
      const pruned = await exportFrom(store);
      server.takeTargets();
      for (let count = 0; count < 2; count++) {
        assert.deepEqual((await visit()).failures, []);
        assert.equal(await exportFrom(store), pruned);
      }
      const asked = server.takeTargets().flatMap((target) => target.split('maxElements=')[1] ?? []);
      assert.ok(asked.length === 2 && asked.every((count) => Number(count) <= 10), String(asked));
      times = timesOf(102);
      await visit({ clock: fastClock(start + 102 * halfHour) });
      const added = times.slice(100);
      const kept = times.filter((_, index) => index !== 40 && (index <= 90 || index >= 100));
      assert.ok((await exportFrom(store)).includes(series(kept)), String(added));
      times = timesOf(100);
      await visit({ isAgain: true });
      const again = linesIn(await exportFrom(store));
      assert.ok(again.includes(series(timesOf(102))), again.join('\n'));
      assert.ok(!again.some((line) => line.includes(`"after":${start + 40 * halfHour}`)));
      assert.ok(linesIn(whole).length > 0);
    });

    test('is not brought back by one that is fetching meanwhile', async () => {
      const times = timesOf(100);
      const store = await makeStore();
      let meanwhile = async (): Promise<void> => {};
      await using server = await serveRoutes({
        ...pluginRoutes(),
        '/plugins/7/charts/players/data': async () => {
          await meanwhile();
          return { body: times.map((time) => [time, time % 97]) };
        },
      });
      const visit = () => mirrorOnce({ path: store.givenName }, server.url, { pluginIds: [7], store });
      await visit();
      let pruned = '';
      meanwhile = async () => {
        await change(store, (remover) => remover.prune({ from: (times[97] ?? 0) + 1 }));
        pruned = await exportFrom(store);
      };
      await visit();
      assert.equal(await exportFrom(store), pruned);
    });

    const times = timesOf(100);
    const ofSource = [
      ...catalogue,
      pie,
      dated(times[99] ?? 0, 7),
      history(times),
      chartLine(),
      series(times),
    ];
    const removed = [
      [times[10] ?? 0, (times[20] ?? 0) + 1],
      [(times[90] ?? 0) + 1, (times[99] ?? 0) + 1],
    ] as const;
    const windows = [
      ...removed.map((window) => windowLine(window, { chartId: 'os' })),
      ...removed.map((window) => windowLine(window)),
    ];
    const visitOf = async (store: Store, url: string, options = {}) => {
      const clock = fastClock(start + 101 * halfHour);
      const run = { pluginIds: [7], store, clock, ...options };
      assert.deepEqual((await mirrorOnce({ path: store.givenName }, url, run)).failures, []);
    };

    test('by archives brings nothing back, nor what a chart of shares showed, nor into a copy, except with --again', async () => {
      const source = await storeOf(pastText(ofSource));
      await using reader = await source.openReader();
      await using server = await serveReader(reader);
      const store = await makeStore();
      await visitOf(store, server.url);
      const whole = await exportFrom(source);
      assert.equal(await exportFrom(store), whole);
      await change(store, (remover) => remover.prune({ from: (times[90] ?? 0) + 1 }));
      await change(store, (remover) => remover.prune({ from: times[10] ?? 0, to: (times[20] ?? 0) + 1 }));
      const pruned = await exportFrom(store);
      assert.deepEqual(linesIn(pruned).filter(isRemoval), windows);
      const copy = await storeOf(pruned);
      for (const one of [store, copy, store]) {
        await visitOf(one, server.url);
        assert.equal(await exportFrom(one), pruned);
      }
      await visitOf(store, server.url, { isAgain: true });
      const again = linesIn(await exportFrom(store)).filter((line) => !isRemoval(line));
      assert.deepEqual(again, linesIn(whole));
    });

    test('by archives brings all but what lies in them to a store that has them alone, and a mirror of that brings the same', async () => {
      const source = await storeOf(pastText(ofSource));
      await using reader = await source.openReader();
      await using server = await serveReader(reader);
      const store = await storeOf(windowsText([...catalogue, chartLine(), pie, ...windows]));
      await visitOf(store, server.url);
      const isKept = (_: number, index: number) => index <= 90 && (index < 10 || index > 20);
      const kept = times.filter(isKept);
      // The chart no longer shows the removed data, and has nothing else to show.
      const left = [...catalogue, pie, history(kept), chartLine(), series(kept)];
      assert.equal(await exportFrom(store), windowsText([...left, ...windows]));
      await using mirrored = await store.openReader();
      await using second = await serveReader(mirrored);
      const third = await makeStore();
      await visitOf(third, second.url);
      assert.equal(await exportFrom(third), pastText(left));
    });
  });
}
