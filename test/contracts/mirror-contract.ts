/** The contract of stores for mirrors: they leave out removed records, and points in the future. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leftOutLines } from '../../src/cli/commands/mirror.ts';
import type { MetricsRemover } from '../../src/model/metrics-remover.ts';
import type { Store } from '../../src/model/store.ts';
import { linesIn, removalLine } from '../support/archive-text.ts';
import { withReads } from '../support/reads.ts';
import { chart, pluginRoutes, type Route, serveRoutes } from '../upstream/dialect-server.ts';
import { fastClock, type MirrorOnceOptions, mirrorOnce } from '../upstream/mirror-into.ts';
import { exportFrom, importInto } from './store-contract.ts';

const halfHour = 1_800_000;
const start = 1_700_000_000_000 - 1000 * halfHour;
const points = Array.from({ length: 1000 }, (_, index) => [start + index * halfHour, index]);
const latest: Route = (query) => ({ body: points.slice(-Number(query.get('maxElements'))) });
const data = (id: number, chartId: string) => `/plugins/${id}/charts/${chartId}/data`;

/** The routes of plugins 7 and 8; plugin 7 has the lines `players` and `servers`. */
const routes = (): Record<string, Route> => {
  const charts = { servers: chart(71) };
  const eight = { id: 8, name: 'Eight', owner: { id: 1, name: 'O' }, charts: { players: chart(80) } };
  return {
    ...pluginRoutes({ charts }),
    '/plugins/8': { body: { ...eight, software: { id: 1 }, isGlobal: false } },
    [data(7, 'players')]: latest,
    [data(7, 'servers')]: latest,
    [data(8, 'players')]: latest,
  };
};

const removalsIn = (text: string) => linesIn(text).filter((line) => line.includes('"record":"removal"'));

/** Declares the tests for one kind of store. `makeStore` names a new store. */
export function mirrorContract(name: string, makeStore: () => Promise<Store>): void {
  const mirrorInto = (store: Store, address: string, options: MirrorOnceOptions = {}) =>
    mirrorOnce({ path: store.givenName }, address, {
      pluginIds: [7, 8],
      store,
      ...options,
    });
  const change = async (store: Store, work: (remover: MetricsRemover) => Promise<unknown>) => {
    await using remover = await store.openRemover();
    await work(remover);
    await remover.commit();
  };
  const copyOf = async (text: string) => {
    const copy = await makeStore();
    await importInto(copy, text);
    return copy;
  };
  const pointCount = async (store: Store, pluginId: number, chartId: string): Promise<number> => {
    await using reader = withReads(await store.openReader());
    const found = await reader.readChartData(pluginId, chartId, 1_000_000);
    assert.ok(found.storage === 'points');
    return Array.from(found.runs, ({ times }) => times.length).reduce((sum, count) => sum + count, 0);
  };

  describe(`${name}: a mirror run`, () => {
    test('leaves a removed plugin out and does not request it, except with --again', async () => {
      await using server = await serveRoutes(routes());
      const store = await makeStore();
      await mirrorInto(store, server.url);
      const before = await exportFrom(store);
      await change(store, (remover) => remover.removePlugin(7));
      const without = await exportFrom(store);
      const copy = await copyOf(without);
      server.takeTargets();
      for (const one of [store, copy])
        for (const pluginIds of [[7, 8], undefined]) {
          const { failures, progress } = await mirrorInto(one, server.url, { pluginIds });
          assert.deepEqual(failures, []);
          assert.ok(progress.isComplete);
          assert.deepEqual(leftOutLines(progress.leftOut), [
            'left out what was removed from the store: plugin 7; --again copies it',
          ]);
          assert.ok(!server.takeTargets().some((target) => target.startsWith('/plugins/7')));
          assert.equal(await exportFrom(one), without);
        }
      const again = await mirrorInto(store, server.url, { isAgain: true });
      assert.deepEqual(leftOutLines(again.progress.leftOut), []);
      assert.equal(await exportFrom(store), before);
      // The plugin is stored again, so it is copied like any other.
      const { progress } = await mirrorInto(store, server.url);
      assert.deepEqual(leftOutLines(progress.leftOut), []);
      assert.equal(progress.doneCount, 2);
    });

    test('leaves a removed chart out and does not request it, except with --again', async () => {
      await using server = await serveRoutes(routes());
      const store = await makeStore();
      await mirrorInto(store, server.url);
      const before = await exportFrom(store);
      await change(store, (remover) => remover.removeChart(7, 'servers'));
      const without = await exportFrom(store);
      const copy = await copyOf(without);
      server.takeTargets();
      for (const one of [store, copy]) {
        const { progress } = await mirrorInto(one, server.url);
        assert.deepEqual(leftOutLines(progress.leftOut), [
          'left out what was removed from the store: chart 7/servers; --again copies it',
        ]);
        assert.ok(!server.takeTargets().some((target) => target.startsWith(data(7, 'servers'))));
        assert.equal(await exportFrom(one), without);
      }
      await mirrorInto(store, server.url, { isAgain: true });
      assert.equal(await exportFrom(store), before);
    });

    test('does not bring pruned points back, except with --again', async () => {
      await using server = await serveRoutes(routes());
      const store = await makeStore();
      await mirrorInto(store, server.url);
      const before = await exportFrom(store);
      const beforeTimestamp = start + 998 * halfHour;
      // For the other charts, the run requests points back to the stored ones.
      await change(store, (remover) => remover.prune({ to: beforeTimestamp }));
      await change(store, (remover) =>
        remover.prune({ pluginId: 7, chartId: 'servers', to: start + 1000 * halfHour }),
      );
      assert.equal(await pointCount(store, 7, 'servers'), 0);
      await change(store, (remover) => remover.prune({ pluginId: 8, to: beforeTimestamp }));
      const pruned = await exportFrom(store);
      const copy = await copyOf(pruned);
      server.takeTargets();
      const { failures } = await mirrorInto(store, server.url);
      assert.deepEqual(failures, []);
      assert.equal(await exportFrom(store), pruned);
      const asked = server.takeTargets().flatMap((target) => target.split('maxElements=')[1] ?? []);
      assert.ok(asked.length === 3 && asked.every((count) => Number(count) <= 10), String(asked));
      // Removed points stay away at later visits too, which bring other fields of plugins and charts, and
      // from a copy of the store.
      const charts = { players: chart(70, { title: 'Renamed' }), servers: chart(71, { title: 'Renamed' }) };
      server.routes.set(
        '/plugins/7',
        pluginRoutes({ plugin: { name: 'Renamed' }, charts })['/plugins/7'] ?? {},
      );
      let text = '';
      for (const one of [store, copy, store, copy]) {
        assert.deepEqual((await mirrorInto(one, server.url)).failures, []);
        text ||= await exportFrom(one);
        assert.equal(await exportFrom(one), text);
      }
      assert.deepEqual(removalsIn(text), removalsIn(pruned));
      assert.equal(removalsIn(text).length, 3);
      // New points are copied.
      points.push([start + 1000 * halfHour, 1]);
      try {
        const clock = fastClock(start + 1000 * halfHour);
        assert.deepEqual((await mirrorInto(store, server.url, { clock })).failures, []);
        assert.equal(await pointCount(store, 7, 'servers'), 1);
      } finally {
        points.pop();
      }
      await mirrorInto(store, server.url, { isAgain: true });
      assert.equal(await pointCount(store, 7, 'servers'), 1001);
      // The points are stored again, so only the removal that applies to every plugin remains.
      assert.deepEqual(removalsIn(await exportFrom(store)), [removalLine(beforeTimestamp)]);
      assert.equal((await exportFrom(store)).length > before.length, true);
    });

    test('leaves out a plugin or chart that is removed meanwhile', async () => {
      const store = await makeStore();
      let remove = async (): Promise<void> => {};
      await using server = await serveRoutes({
        ...routes(),
        [data(7, 'players')]: async (query) => {
          await remove();
          return { body: points.slice(-Number(query.get('maxElements'))) };
        },
      });
      await mirrorInto(store, server.url);
      for (const [what, work] of [
        ['chart 7/servers', (remover: MetricsRemover) => remover.removeChart(7, 'servers')],
        // The chart is still removed when the run begins.
        ['chart 7/servers, plugin 7', (remover: MetricsRemover) => remover.removePlugin(7)],
      ] as const) {
        let without = '';
        remove = async () => {
          remove = async () => {};
          await change(store, work);
          without = await exportFrom(store);
        };
        const { failures, progress } = await mirrorInto(store, server.url);
        assert.deepEqual(failures, []);
        assert.deepEqual(leftOutLines(progress.leftOut), [
          `left out what was removed from the store: ${what}; --again copies it`,
        ]);
        assert.equal(await exportFrom(store), without);
      }
    });

    test('leaves out a plugin that is removed while it waits to write', async () => {
      const store = await makeStore();
      await using server = await serveRoutes(routes());
      await mirrorInto(store, server.url);
      let without = '';
      const busy: Store = {
        ...store,
        async openWriter(options) {
          if (without === '') {
            await change(store, (remover) => remover.removePlugin(7));
            without = await exportFrom(store);
          }
          return store.openWriter(options);
        },
      };
      assert.deepEqual((await mirrorInto(busy, server.url)).failures, []);
      assert.equal(await exportFrom(store), without);
    });
  });
}
