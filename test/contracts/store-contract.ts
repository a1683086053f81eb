/** The contract of stores. A test of five lines runs it for one kind of store. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openArchiveReader } from '../../src/archive/archive-reader.ts';
import { openArchiveWriter } from '../../src/archive/archive-writer.ts';
import { recordChecker } from '../../src/archive/check-record.ts';
import { AppError } from '../../src/model/app-error.ts';
import type { ReadChartData } from '../../src/model/chart-data.ts';
import { pointsOf } from '../../src/model/columns.ts';
import { copyRecords, noCounts } from '../../src/model/copy-records.ts';
import { latestTimestampAt } from '../../src/model/future-points.ts';
import {
  chartsPerBatch,
  type MetricsReader,
  type MetricsView,
  pluginsPerBatch,
} from '../../src/model/metrics-reader.ts';
import type { MetricsRecord } from '../../src/model/metrics-record.ts';
import type { MetricsWriter, WriteOptions } from '../../src/model/metrics-writer.ts';
import { maxTimestamp } from '../../src/model/window.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  pastText,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';
import { type Entry, entriesOf } from '../support/points.ts';
import { withReads } from '../support/reads.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { catalogue, pie, refusedOnCatalogue } from './refused-records.ts';

/** A store that does not exist until a writer creates it. */
export interface ContractStore {
  readonly openReader: () => Promise<MetricsReader>;
  readonly openWriter: (options?: WriteOptions) => Promise<MetricsWriter>;
  readonly check: (checkRecord: (record: MetricsRecord) => void) => AsyncIterable<string>;
}

/** Imports the text of an archive, including points in the future. */
export async function importInto(
  store: ContractStore,
  text: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  using directory = temporaryDirectory();
  const file = directory.at('archive');
  writeFileSync(file, text);
  const archive = await openArchiveReader(file);
  await using writer = await store.openWriter({ latestTimestamp: maxTimestamp, ...options });
  await copyRecords(archive, writer, noCounts());
  await writer.commit();
}

/** Exports everything in a store. */
export async function exportFrom(store: ContractStore): Promise<string> {
  using directory = temporaryDirectory();
  const file = directory.at('archive');
  await using reader = withReads(await store.openReader());
  await using writer = await openArchiveWriter(file);
  await copyRecords(reader, writer, noCounts());
  await writer.commit();
  return readFileSync(file, 'utf8');
}

const series = (entries: readonly Entry[], chartId = 'players') => dataLine(chartId, JSON.stringify(entries));

const halfHours = (start: number, count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => [(start + index) * 1_800_000, (start + index) % 97]);

function pointsIn(data: ReadChartData): Entry[] {
  assert.equal(data.storage, 'points');
  return Array.from(data.runs, entriesOf).flat();
}

/** Declares the tests. `makeStore` names a new store for one test. */
export function storeContract(name: string, makeStore: () => Promise<ContractStore>): void {
  const filled = async (...lines: string[]) => {
    const store = await makeStore();
    await importInto(store, archiveText([...catalogue, ...lines]));
    return store;
  };

  describe(`${name}: the contract of a store`, () => {
    test('an import that fails creates no store', async () => {
      const store = await makeStore();
      await assert.rejects(
        importInto(store, archiveText([softwareLine(), pluginLine({ softwareId: 2 })])),
        AppError,
      );
      await assert.rejects(store.openReader(), /there is no store/);
    });

    test('lists and details match the import, in order', async () => {
      const store = await makeStore();
      await importInto(
        store,
        archiveText([
          softwareLine({ id: 10, name: 'Ten', url: 'ten', globalPluginId: 12 }),
          softwareLine({ id: 9, name: 'Nine', url: 'nine' }),
          pluginLine({ id: 12, softwareId: 10, isGlobal: true }),
          pluginLine({ id: 7, softwareId: 9, name: 'Seven', owner: { id: 1, name: 'One' } }),
          chartLine({ chartId: 'b', uid: 3, position: 1 }),
          chartLine({ chartId: 'B', uid: 2, position: 1, isDefault: false }),
          chartLine({ chartId: '_a', uid: 5, position: 1, data: { z: 1, a: [1.5, null] } }),
          chartLine({ chartId: '12', uid: 4, position: -1 }),
        ]),
      );
      await using reader = withReads(await store.openReader());
      assert.deepEqual(await reader.listSoftware(), [
        { id: 9, name: 'Nine', url: 'nine', globalPlugin: null },
        { id: 10, name: 'Ten', url: 'ten', globalPlugin: { id: 12, name: 'ExamplePlugin' } },
      ]);
      const plugins = [
        {
          id: 7,
          name: 'Seven',
          owner: { id: 1, name: 'One' },
          software: { id: 9, name: 'Nine', url: 'nine' },
          isGlobal: false,
        },
        {
          id: 12,
          name: 'ExamplePlugin',
          owner: { id: 42, name: 'ExampleUser' },
          software: { id: 10, name: 'Ten', url: 'ten' },
          isGlobal: true,
        },
      ];
      assert.deepEqual((await Array.fromAsync(reader.listPlugins())).flat(), plugins);
      for (const plugin of plugins) assert.deepEqual(await reader.getPlugin(plugin.id), plugin);
      const charts = (await Array.fromAsync(reader.listCharts(7))).flat();
      assert.deepEqual(
        charts.map((chart) => chart.chartId),
        ['12', 'B', '_a', 'b'],
      );
      assert.deepEqual(await reader.getChart(7, 'B'), {
        ...charts[1],
        pluginName: 'Seven',
        hasEvents: false,
      });
      assert.equal((await reader.getChart(7, '_a')).data, '{"z":1,"a":[1.5,null]}');
      assert.deepEqual((await Array.fromAsync(reader.listCharts(12))).flat(), []);
      assert.deepEqual((await Array.fromAsync(reader.listCharts(13))).flat(), []);
    });

    test('thousands of charts and large settings come in batches of bounded size, in order', async () => {
      const store = await makeStore();
      const many = Array.from({ length: 2500 }, (_, index) =>
        chartLine({ chartId: `c${index}`, uid: 100 + index, position: (index * 7919) % 100 }),
      );
      const large = Array.from({ length: 5 }, (_, index) =>
        chartLine({
          pluginId: 12,
          chartId: `l${index}`,
          uid: index + 1,
          data: { text: 'x'.repeat(200_000) },
        }),
      );
      await importInto(
        store,
        archiveText([softwareLine(), pluginLine(), pluginLine({ id: 12 }), ...many, ...large]),
      );
      await using reader = withReads(await store.openReader());
      const batches = await Array.fromAsync(reader.listCharts(7));
      assert.ok(batches.every((batch) => batch.length <= chartsPerBatch.maxCount));
      const found = batches.flat().map(({ position, chartId }) => [position, chartId] as const);
      assert.equal(found.length, 2500);
      assert.deepEqual(
        found,
        found.toSorted(([a, one], [b, other]) => a - b || (one < other ? -1 : 1)),
      );
      const counts = (await Array.fromAsync(reader.listCharts(12))).map((batch) => batch.length);
      assert.deepEqual(counts, [1, 1, 1, 1, 1]);
    });

    test('an unknown plugin or chart is refused by name', async () => {
      const store = await filled();
      await using reader = withReads(await store.openReader());
      await assert.rejects(reader.getPlugin(8), { code: 'not_found', kind: 'unknown-plugin' });
      await assert.rejects(reader.getChart(8, 'players'), { code: 'not_found', kind: 'unknown-plugin' });
      for (const chartId of ['Players', '__proto__', 'constructor', '12']) {
        await assert.rejects(reader.getChart(7, chartId), { code: 'not_found', kind: 'unknown-chart' });
        await assert.rejects(async () => reader.readChartData(7, chartId, 1), {
          code: 'not_found',
          kind: 'unknown-chart',
        });
      }
      await assert.rejects(async () => reader.readChartData(8, 'players', 1), {
        code: 'not_found',
        kind: 'unknown-plugin',
      });
      await assert.rejects(reader.getPlugin(Number.MAX_SAFE_INTEGER), { code: 'not_found' });
    });

    test('points merge by timestamp, and the later record wins, in any order', async () => {
      const store = await filled(series(halfHours(1000, 2000)));
      const late = halfHours(900, 1500).map(([time, value]): Entry => [time - 60_000, value + 0.5]);
      const corrected = halfHours(1500, 700).map(([time, value]): Entry => [time, -value - 1]);
      await importInto(
        store,
        archiveText([series(late.toReversed()), series(corrected), series(halfHours(2990, 50))]),
      );
      await using reader = withReads(await store.openReader());
      const expected = [
        ...new Map([...halfHours(1000, 2000), ...late, ...corrected, ...halfHours(2990, 50)]),
      ].sort(([a], [b]) => a - b);
      for (const count of [1, 700, 1440, 1e9])
        assert.deepEqual(pointsIn(await reader.readChartData(7, 'players', count)), expected.slice(-count));
    });

    test('extreme ids, times and values are unchanged', async () => {
      const maxId = Number.MAX_SAFE_INTEGER;
      const entries: Entry[] = [
        [0, 5e-324],
        [1, -1.7976931348623157e308],
        [2, 0.1],
        [1_479_799_800_000, 2 ** 53],
        [8.64e15, -3],
      ];
      const store = await makeStore();
      const text = archiveText([
        softwareLine({ id: maxId, globalPluginId: maxId }),
        pluginLine({ id: maxId, softwareId: maxId, owner: { id: maxId, name: 'Ö\u{1F600}"\\,{}' } }),
        chartLine({ pluginId: maxId, uid: maxId, position: -maxId, title: 'NULL' }),
        chartLine({ pluginId: maxId, chartId: 'x', uid: maxId - 1, position: maxId, title: '{"a\\b",}' }),
        `{"record":"data","pluginId":${maxId},"chartId":"players","data":${JSON.stringify(entries)}}`,
      ]);
      await importInto(store, text);
      await using reader = withReads(await store.openReader());
      assert.deepEqual(pointsIn(await reader.readChartData(maxId, 'players', 9)), entries);
      const { owner } = await reader.getPlugin(maxId);
      const charts = (await Array.fromAsync(reader.listCharts(maxId))).flat();
      assert.deepEqual(owner, { id: maxId, name: 'Ö\u{1F600}"\\,{}' });
      assert.deepEqual(
        charts.map((chart) => [chart.uid, chart.position, chart.title]),
        [
          [maxId, -maxId, 'NULL'],
          [maxId - 1, maxId, '{"a\\b",}'],
        ],
      );
    });

    test('data that is not a series is stored exactly, and replaced as a whole', async () => {
      const json = '[{"name":"\\u0000 \\ud800 ü \\\\x41","y":1.10},{"name":"","y":1E2}]';
      const store = await filled(
        chartLine(pie),
        dataLine('versions', '[{"name":"old","y":1}]'),
        dataLine('versions', json),
      );
      await using reader = withReads(await store.openReader());
      assert.deepEqual(await reader.readChartData(7, 'versions', 0), {
        storage: 'latest',
        json,
        at: null,
        isStored: true,
      });
    });

    test('a record replaces the fields of the existing one', async () => {
      const store = await filled(series([[5, 5]]));
      const changed = [
        softwareLine({ name: 'Renamed', url: 'renamed', globalPluginId: 7 }),
        pluginLine({ name: 'Other', owner: { id: 42, name: 'Renamed' }, isGlobal: true }),
        chartLine({ title: 'Other', position: 9, isDefault: false, data: { b: 1 } }),
      ];
      await importInto(store, archiveText(changed));
      assert.equal(await exportFrom(store), archiveText([...changed, series([[5, 5]])]));
    });

    test('a software may take the url that another has given up in the same archive', async () => {
      const store = await filled(softwareLine({ id: 2, url: 'b' }));
      await importInto(
        store,
        archiveText([
          softwareLine({ url: 'c' }),
          softwareLine({ id: 2, url: 'bukkit' }),
          softwareLine({ url: 'b' }),
        ]),
      );
      await using reader = withReads(await store.openReader());
      assert.deepEqual(
        (await reader.listSoftware()).map((software) => software.url),
        ['b', 'bukkit'],
      );
    });

    test('the type of a chart may change as long as it has no data', async () => {
      const store = await filled(series([]));
      await importInto(
        store,
        archiveText([chartLine({ type: 'simple_pie' }), dataLine('players', '[{"name":"a","y":1}]')]),
      );
      await using reader = withReads(await store.openReader());
      assert.deepEqual(await reader.readChartData(7, 'players', 1), {
        storage: 'latest',
        json: '[{"name":"a","y":1}]',
        at: null,
        isStored: true,
      });
      await assert.rejects(importInto(store, archiveText([chartLine()])), { code: 'conflict' });
    });

    for (const [title, lines, message, lineNumber] of refusedOnCatalogue) {
      test(`${title}: refused with its line, and the store is unchanged`, async () => {
        const store = await filled();
        const before = await exportFrom(store);
        await assert.rejects(importInto(store, archiveText(lines)), (error: unknown) => {
          assert.ok(error instanceof AppError);
          assert.ok(error.message.includes(message), error.message);
          assert.match(error.place ?? '', new RegExp(`:${lineNumber}$`));
          return true;
        });
        assert.equal(await exportFrom(store), before);
      });
    }

    test('a point later than the latest allowed time is refused with its record, one at that time is stored', async () => {
      const store = await filled();
      const before = await exportFrom(store);
      const write = async (time: number, latestTimestamp: number) => {
        await using writer = await store.openWriter({ latestTimestamp });
        const points = pointsOf([
          [1000, 1],
          [time, 1],
        ]);
        const dataFor = () => ({ storage: 'points' as const, points });
        await writer.write([
          { place: 'file:7', kind: 'data', pluginId: 7, chartId: 'players', dataFor },
          { place: 'file:8', kind: 'end' },
        ]);
        await writer.commit();
      };
      const latestTimestamp = latestTimestampAt(1_700_000_000_000);
      await assert.rejects(write(latestTimestamp + 1, latestTimestamp), {
        code: 'invalid',
        place: 'file:7',
        message:
          'a point lies at 2023-11-15T22:13:20.001Z (1700086400001), more than a day ahead of the clock of this machine (at most 2023-11-15T22:13:20.000Z); --allow-future accepts it',
      });
      assert.equal(await exportFrom(store), before);
      await write(latestTimestamp, latestTimestamp);
      assert.notEqual(await exportFrom(store), before);
    });

    test('one import may have thousands of records, with the same charts again and again', async () => {
      const store = await makeStore();
      const lines = [softwareLine()];
      for (let id = 1; id <= 900; id++) {
        lines.push(pluginLine({ id, owner: { id: 1 + (id % 50), name: `Owner ${id}` } }));
        for (let chart = 0; chart < 3; chart++)
          lines.push(
            chartLine({ pluginId: id, chartId: `c${chart}`, uid: id * 10 + chart, position: chart }),
          );
        for (let turn = 0; turn < 3; turn++)
          lines.push(
            `{"record":"data","pluginId":${id},"chartId":"c${id % 3}","data":[[${turn + 10},${id}],[${5 - turn},1]]}`,
          );
      }
      await importInto(store, archiveText(lines));
      await using reader = withReads(await store.openReader());
      const batches = await Array.fromAsync(reader.listPlugins());
      assert.equal(batches.flat().length, 900);
      assert.ok(batches.every((batch) => batch.length <= pluginsPerBatch));
      const expected = [3, 4, 5, 10, 11, 12].map((time): Entry => [time, time < 10 ? 1 : 900]);
      assert.deepEqual(pointsIn(await reader.readChartData(900, 'c0', 99)), expected);
      const text = await exportFrom(store);
      const copy = await makeStore();
      await importInto(copy, text);
      assert.equal(await exportFrom(copy), text);
    });

    test('the generation of the catalogue changes only with the catalogue', async () => {
      const store = await filled(chartLine(pie), series([[1, 1]]));
      await using reader = withReads(await store.openReader());
      const generations = () => [reader.generation('catalogue'), reader.generation('data')] as const;
      const importAndSee = async (...lines: string[]) => {
        const [catalogue, data] = generations();
        await importInto(store, pastText(lines));
        const deadline = performance.now() + 30_000;
        while (reader.generation('data') === data && performance.now() < deadline) await sleep(10);
        assert.notEqual(reader.generation('data'), data);
        return reader.generation('catalogue') !== catalogue;
      };
      assert.equal(await importAndSee(series([[2, 2]])), false, 'points');
      assert.equal(await importAndSee(dataLine('versions', '[{"name":"a","y":1}]')), false, 'a snapshot');
      assert.equal(
        await importAndSee(...catalogue, chartLine(pie), series([[4, 4]])),
        false,
        'what is there',
      );
      assert.equal(await importAndSee(series([[3, 3]]), chartLine({ title: 'New' })), true, 'a chart');
      assert.equal(await importAndSee(pluginLine({ owner: { id: 42, name: 'New' } })), true, 'an owner');
      assert.equal(await importAndSee(pluginLine({ name: 'New' })), true, 'a plugin');
      assert.equal(await importAndSee(softwareLine({ globalPluginId: 7 })), true, 'a software');
      const oldName = '{"record":"oldName","pluginId":7,"name":"Before"}';
      assert.equal(await importAndSee(oldName, series([[6, 6]])), true, 'an old name');
      const again = [oldName, softwareLine({ globalPluginId: 7 })];
      assert.equal(await importAndSee(...again, series([[5, 5]])), false, 'again');
    });

    test('an import of what is there changes no generation', async () => {
      const store = await filled(
        chartLine(pie),
        series([[1, 1]]),
        dataLine('versions', '[{"name":"a","y":1}]'),
      );
      await using reader = await store.openReader();
      const tokens = async () => {
        // A read updates the generation that the reader knows.
        await reader.read((view) => view.listSoftware());
        return [reader.generation('catalogue'), reader.generation('data')];
      };
      const before = await tokens();
      await importInto(store, await exportFrom(store));
      assert.deepEqual(await tokens(), before);
    });

    test('the newest time is that of any line, points in the future left out', async () => {
      const store = await makeStore();
      const newest = async (until: number) => {
        await using reader = withReads(await store.openReader());
        const times = await Array.fromAsync(reader.listNewestTimes(until));
        return times.length === 0 ? undefined : Math.max(...times);
      };
      const lines = Array.from({ length: 1100 }, (_, index) => [
        chartLine({ uid: 1000 + index, chartId: `line${index}` }),
        dataLine(`line${index}`, `[[${index},1]]`),
      ]);
      await importInto(store, archiveText([softwareLine(), pluginLine(), ...lines.flat()]));
      assert.equal(await newest(8.64e15), 1099);
      assert.equal(await newest(500), 500);
      assert.equal(await newest(-1), undefined);
      const charts = [chartLine({ uid: 1, chartId: 'os', type: 'simple_pie' }), chartLine({ uid: 2 })];
      // One chunk extends into the future, and one line begins there.
      const points = Array.from({ length: 9000 }, (_, index) => [5000 + index * 10, index % 7]);
      const data = [dataLine('players', JSON.stringify(points)), dataLine('line7', '[[90000,1]]')];
      await importInto(store, archiveText([...charts, ...data]));
      assert.equal(await newest(70_009), 70_000);
      assert.equal(await newest(8.64e15), 94_990);
    });

    test('an archive of an older program is exported as it was imported, with all that is past', async () => {
      const archive = readFileSync(new URL('../older/archive-of-0.2.1.ndjson', import.meta.url), 'utf8');
      const store = await makeStore();
      await importInto(store, archive);
      assert.equal(await exportFrom(store), archive);
    });

    test('the sample is exported as it was imported, and importing it twice changes nothing', async () => {
      const store = await makeStore();
      const sample = readFileSync(new URL('../../sample/sample.ndjson.gz', import.meta.url));
      await importInto(store, sample);
      const first = await exportFrom(store);
      await importInto(store, first);
      assert.equal(await exportFrom(store), first);
      assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
    });

    test('a view that is used after its read has ended rejects', async () => {
      const store = await filled(series([[1, 1]]));
      await using reader = await store.openReader();
      let kept: MetricsView | undefined;
      await reader.read(async (view) => {
        kept = view;
        return view.listSoftware();
      });
      const isOver = /the transaction has ended/;
      await assert.rejects(async () => kept?.listSoftware(), isOver);
      await assert.rejects(async () => kept?.readChartData(7, 'players', 1), isOver);
    });

    test('twenty reads beside two imports each see one state that existed', async () => {
      const pluginCount = 400;
      const stateOf = (state: number) =>
        archiveText([
          softwareLine({ name: `State ${state}` }),
          ...Array.from({ length: pluginCount }, (_, index) => index + 1).flatMap((id) => [
            pluginLine({ id, name: `State ${state}` }),
            chartLine({ pluginId: id, uid: id, title: `State ${state}` }),
            `{"record":"data","pluginId":${id},"chartId":"players","data":[[1,${state}],[2,${state}]]}`,
          ]),
        ]);
      const store = await makeStore();
      await importInto(store, stateOf(0));
      await using reader = await store.openReader();
      let isDone = false;
      const seenStates = new Set<string>();
      const readAll = async (number: number) => {
        while (!isDone) {
          const state = await reader.read(async (view) => {
            const seen = new Set((await view.listSoftware()).map(({ name }) => name));
            for await (const batch of view.listPlugins()) {
              for (const { name } of batch) seen.add(name);
              const { id = 1 } = batch[number % batch.length] ?? {};
              seen.add((await view.getChart(id, 'players')).title);
              const points = pointsIn(await view.readChartData(id, 'players', 2));
              assert.equal(points.length, 2);
              for (const [, value] of points) seen.add(`State ${value}`);
              await sleep(number % 3);
            }
            return [...seen];
          });
          assert.equal(state.length, 1, state.join());
          seenStates.add(state.join());
        }
      };
      const importAll = async () => {
        for (const state of [1, 2]) await importInto(store, stateOf(state));
        await sleep(600);
        isDone = true;
      };
      await Promise.all([importAll(), ...Array.from({ length: 20 }, (_, number) => readAll(number))]);
      assert.ok(seenStates.isSubsetOf(new Set(['State 0', 'State 1', 'State 2'])));
      assert.ok(seenStates.has('State 0') && seenStates.has('State 2'), [...seenStates].join());
    });

    test('many snapshots at once, some of them cancelled, leave nothing open', async () => {
      const store = await filled(series([[1, 1]]));
      await using reader = withReads(await store.openReader());
      const read = async (isDropped: boolean) => {
        const names = reader.stream(async function* (view) {
          yield (await view.getPlugin(7)).name;
          yield (await view.getPlugin(7)).name;
        });
        for await (const name of names) {
          assert.equal(name, 'ExamplePlugin');
          if (isDropped) break;
        }
      };
      await Promise.all(Array.from({ length: 40 }, (_, index) => read(index % 2 === 0)));
      const failing = reader.stream(async function* (view) {
        yield await view.getPlugin(8);
      });
      await assert.rejects(Array.fromAsync(failing), { code: 'not_found' });
      await assert.rejects(
        reader.read((view) => view.getPlugin(8)),
        { code: 'not_found' },
      );
      await read(false);
    });
  });
}
