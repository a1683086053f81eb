/** The contract of stores for histories of shares, for events and for old names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { renderShares } from '../../src/model/chart-forms.ts';
import { compareShares, valuesOf } from '../../src/model/columns.ts';
import { eventsPerBatch, oldNamesPerBatch } from '../../src/model/metrics-reader.ts';
import type { PruneOptions } from '../../src/model/metrics-remover.ts';
import type { Store } from '../../src/model/store.ts';
import { chartLine, dataLine, pastText } from '../support/archive-text.ts';
import { entriesOf } from '../support/points.ts';
import { withReads } from '../support/reads.ts';
import { fc } from '../support/seed.ts';
import { historyCatalogue, refusedHistories } from './refused-records.ts';
import { exportFrom, importInto } from './store-contract.ts';

const charts = [
  { pluginId: 7, chartId: 'os', names: ['a', 'b', '__proto__'], isGrouped: true },
  {
    pluginId: 7,
    chartId: 'versions',
    names: ['1.0', '2.0', '"><script>', '', '\ud83d\ude00', '\uffff', 'ä'],
  },
  { pluginId: 8, chartId: 'country', names: ['DE', 'SE', 'FR'] },
  { pluginId: 8, chartId: 'game', names: ['x', 'y'] },
] as const;

const typesOfCharts: Readonly<Record<string, string>> = {
  '7/os': 'drilldown_pie',
  '7/versions': 'simple_pie',
  '8/country': 'advanced_map',
  '8/game': 'simple_bar',
};

type Shares = readonly (readonly [group: string | null, name: string, value: number])[];

/** Renders shares as the data of a chart. */
function dataOf(chartId: string, shares: Shares): unknown {
  switch (chartId) {
    case 'country':
      return shares.map(([, code, value]) => ({ code, value }));
    case 'game':
      return shares.map(([, name, value]) => ({ name, data: [value] }));
    case 'os': {
      const groups = [...new Set(shares.map(([group]) => group))];
      return {
        drilldownData: groups.map((group) => ({
          name: group,
          id: `id of ${group}`,
          data: shares.filter(([one]) => one === group).map(([, name, value]) => [name, value]),
        })),
        seriesData: groups.map((group) => ({ name: group, y: 1, drilldown: `id of ${group}` })),
      };
    }
    default:
      return shares.map(([, name, y]) => ({ name, y }));
  }
}

/** The expected state of a store. */
class Model {
  /** The shares other than 0, by chart and time. */
  readonly histories = new Map<string, Map<number, string>>();
  readonly shown = new Map<string, { readonly json: string; readonly at: number | undefined }>();
  readonly events = new Map<string, string | null>();
  readonly oldNames = new Set<string>();

  data(
    chart: string,
    json: string,
    options: { readonly at: number | undefined; readonly shares: Shares },
  ): void {
    const { at, shares } = options;
    if (at !== undefined) this.history(chart, at, shares);
    const shownAt = this.shown.get(chart)?.at;
    if (at === undefined || shownAt === undefined || at >= shownAt) this.shown.set(chart, { json, at });
  }

  history(chart: string, time: number, shares: Shares): void {
    const times = this.histories.get(chart) ?? new Map<number, string>();
    this.histories.set(chart, times.set(time, saidBy(shares)));
  }

  prune({ from, to }: PruneOptions): void {
    const isPruned = (time: number) => time >= (from ?? 0) && time < (to ?? Number.POSITIVE_INFINITY);
    for (const times of this.histories.values())
      for (const time of times.keys()) if (isPruned(time)) times.delete(time);
    for (const [chart, { json, at }] of this.shown) {
      if (at === undefined || !isPruned(at)) continue;
      if (from === undefined) this.shown.set(chart, { json, at: undefined });
      else this.#showNewest(chart);
    }
  }

  #showNewest(chart: string): void {
    this.shown.delete(chart);
    const times = [...(this.histories.get(chart) ?? [])].sort(([a], [b]) => b - a);
    for (const [at, said] of times.slice(0, 1)) {
      const shares = (JSON.parse(said) as [string, number][]).map(([key, value]) => {
        const [group, name] = JSON.parse(key);
        return [{ group, name }, value] as const;
      });
      shares.sort(([a], [b]) => compareShares(a, b));
      this.shown.set(chart, { json: renderShares(typesOfCharts[chart] ?? '', shares), at });
    }
  }
}

function saidBy(shares: Shares): string {
  const sums = new Map<string, number>();
  for (const [group, name, value] of shares) {
    const key = JSON.stringify([group, name]);
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return JSON.stringify([...sums].filter(([, value]) => value !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads the state of a store from its export. */
function modelOf(text: string): Model {
  const model = new Model();
  for (const line of text.trim().split('\n')) {
    const record = JSON.parse(line);
    const chart = `${record.pluginId}/${record.chartId}`;
    if (record.record === 'data') {
      const [, json = ''] = /"data":(.*?)(?:,"at":\d+)?\}$/.exec(line) ?? [];
      // Data with a time also has a record of its history.
      model.shown.set(chart, { json, at: record.at });
    } else if (record.record === 'history') {
      for (const [index, time] of record.times.entries()) {
        const shares = record.series.map((one: { group?: string; name: string; values: number[] }) => [
          one.group ?? null,
          one.name,
          one.values[index],
        ]);
        model.history(chart, time, shares);
      }
    } else if (record.record === 'oldName')
      model.oldNames.add(JSON.stringify([record.pluginId, record.name]));
    else if (record.record === 'event')
      model.events.set(JSON.stringify([record.pluginId, record.time, record.title]), record.url);
  }
  return model;
}

const hourMs = 3_600_000;
const time = fc.oneof(
  { weight: 5, arbitrary: fc.nat(40).map((hour) => hour * hourMs) },
  { weight: 1, arbitrary: fc.nat(8.64e15) },
);
const value = fc.oneof(fc.nat(9), fc.constant(0.25), fc.integer());
const chart = fc.constantFrom(...charts);

const sharesFor = (one: (typeof charts)[number]) =>
  fc
    .uniqueArray(
      fc.tuple(
        'isGrouped' in one ? fc.constantFrom('g', 'h', '') : fc.constant(null),
        fc.constantFrom<string>(...one.names),
      ),
      {
        selector: (share) => JSON.stringify(share),
      },
    )
    .chain((names) =>
      fc.tuple(...names.map(([group, name]) => value.map((number) => [group, name, number] as const))),
    )
    .map((shares): Shares => shares);

/** A change: the line of a record, and its effect on the model. */
interface Change {
  readonly line: string;
  readonly apply: (model: Model) => void;
}

const dated = chart.chain((one) =>
  fc.tuple(sharesFor(one), fc.option(time, { nil: undefined })).map(([shares, at]): Change => {
    const { pluginId, chartId } = one;
    // Groups without shares do not occur: a history could not restore them.
    const json = JSON.stringify(dataOf(chartId, shares));
    const line = `{"record":"data","pluginId":${pluginId},"chartId":"${chartId}","data":${json}${at === undefined ? '' : `,"at":${at}`}}`;
    return { line, apply: (model) => model.data(`${pluginId}/${chartId}`, json, { at, shares }) };
  }),
);

const history = chart.chain((one) =>
  fc.array(fc.tuple(time, sharesFor(one)), { minLength: 1, maxLength: 8 }).map((entries): Change => {
    const { pluginId, chartId } = one;
    const names = new Map(
      entries.flatMap(([, shares]) =>
        shares.map(([group, name]) => [JSON.stringify([group, name]), { group, name }]),
      ),
    );
    const series = [...names.values()].map(({ group, name }) => ({
      ...(group === null ? {} : { group }),
      name,
      values: entries.map(
        ([, shares]) => shares.find((share) => share[0] === group && share[1] === name)?.[2] ?? null,
      ),
    }));
    const times = entries.map(([at]) => at);
    return {
      line: JSON.stringify({ record: 'history', pluginId, chartId, times, series }),
      apply: (model) => {
        for (const [at, shares] of entries) model.history(`${pluginId}/${chartId}`, at, shares);
      },
    };
  }),
);

const event = fc
  .tuple(
    fc.constantFrom(7, 8),
    time,
    fc.constantFrom('2.4.0', '"><b>', 'ä'),
    fc.constantFrom(null, 'https://example.org/1', 'http://example.org/2'),
  )
  .map(
    ([pluginId, at, title, url]): Change => ({
      line: JSON.stringify({ record: 'event', pluginId, time: at, title, url }),
      apply: (model) => model.events.set(JSON.stringify([pluginId, at, title]), url),
    }),
  );

const oldName = fc
  .tuple(fc.constantFrom(7, 8), fc.constantFrom('Before', 'before', 'Ünï', '__proto__', '😀'))
  .map(
    ([pluginId, before]): Change => ({
      line: JSON.stringify({ record: 'oldName', pluginId, name: before }),
      apply: (model) => model.oldNames.add(JSON.stringify([pluginId, before])),
    }),
  );

const change = fc.oneof(dated, history, event, oldName);

const playersLine = (points: readonly (readonly number[])[]) => dataLine('players', JSON.stringify(points));

/** Renders a history with one share, which grows by 1 each time. */
const versionsLine = (times: readonly number[]) =>
  JSON.stringify({
    record: 'history',
    pluginId: 7,
    chartId: 'versions',
    times,
    series: [{ name: '1.0', values: times.map((_, index) => index + 1) }],
  });

/** Declares the tests. `makeStore` names a store that does not exist yet. */
export function historyContract(name: string, makeStore: () => Promise<Store>): void {
  const filled = async (...lines: readonly string[]) => {
    const store = await makeStore();
    await importInto(store, pastText([...historyCatalogue, ...lines]));
    return store;
  };

  const assertHolds = async (store: Store, expected: Model) => {
    const text = await exportFrom(store);
    assert.deepEqual(sorted(modelOf(text)), sorted(expected));
    assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
    return text;
  };

  describe(`${name}: histories and events`, () => {
    test('are what the records say, in any number of imports, and survive export and import', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(change, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
          time,
          fc.nat(20),
          async (imports, from, hours) => {
            const store = await filled();
            const model = new Model();
            for (const changes of imports) {
              await importInto(store, pastText(changes.map(({ line }) => line)));
              for (const { apply } of changes) apply(model);
            }
            const text = await assertHolds(store, model);
            const copy = await makeStore();
            await importInto(copy, text);
            assert.equal(await exportFrom(copy), text);
            await importInto(copy, text);
            assert.equal(await exportFrom(copy), text);
            const until = from + hours * hourMs;
            for (const range of [{ from: from + 1, to: until }, { from: until + 1 }, { to: from }]) {
              await using remover = await store.openRemover();
              await remover.prune(range);
              await remover.commit();
              model.prune(range);
              await assertHolds(store, model);
            }
          },
        ),
        { numRuns: 12 },
      );
    });

    test('data with a time may have 2,000 shares, and data without one any number', async () => {
      const line = (count: number, at: string) => {
        const shares = Array.from({ length: count }, (_, index) => ({ name: `${index}`, y: index }));
        return `{"record":"data","pluginId":7,"chartId":"versions","data":${JSON.stringify(shares)}${at}}`;
      };
      const store = await filled(line(2000, ',"at":100'), line(2001, ''));
      const text = await exportFrom(store);
      const copy = await makeStore();
      await importInto(copy, text);
      assert.equal(await exportFrom(copy), text);
      assert.equal(JSON.parse(modelOf(text).histories.get('7/versions')?.get(100) ?? '').length, 1999);
    });

    test('a chart that shows nothing, or data of an older time than its history has, is the same after an export', async () => {
      const data = (list: object, at?: number) =>
        JSON.stringify({ record: 'data', pluginId: 7, chartId: 'versions', data: list, at });
      const pie = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ name: `n${index}`, y: 1 }));
      for (const lines of [
        [data(pie(5), 100), data(pie(2)), data(pie(3), 50)],
        [data(pie(5), 100), data(pie(3), 40), data([]), data(pie(1), 7)],
        [data(pie(3), 100), data([], 200)],
      ]) {
        const store = await filled(...lines);
        const text = await exportFrom(store);
        const copy = await makeStore();
        await importInto(copy, text);
        assert.equal(await exportFrom(copy), text);
        // The data shown next depends on the time of the data shown now.
        for (const at of [45, 60, 150, 250]) {
          const next = pastText([data(pie(5), at)]);
          await importInto(store, next);
          await importInto(copy, next);
          assert.equal(await exportFrom(copy), await exportFrom(store));
        }
      }
    });

    test('and points are read in a window, and their span is known', async () => {
      const times = Array.from({ length: 1500 }, (_, index) => index * hourMs);
      const points = playersLine(times.map((one, index) => [one, index]));
      const none = chartLine({ chartId: 'none', uid: 73 });
      const store = await filled(chartLine(), none, versionsLine(times), points);
      await using reader = withReads(await store.openReader());
      const inWindow = async (chartId: string, from: number, to: number) => {
        const chart = await reader.getChart(7, chartId);
        const found: number[] = [];
        for await (const { times } of reader.readColumns(chart, { from, to })) found.push(...times);
        return found.filter((one) => one >= from && one < to);
      };
      for (const chartId of ['versions', 'players']) {
        for (const [from, to] of [
          [0, 9e15],
          [511, 512],
          [512, 513],
          [600, 601],
          [700.5, 1200.5],
          [1499, 1500],
          [1500, 1600],
          [5, 5.5],
        ] as const) {
          const expected = times.filter((one) => one >= from * hourMs && one < to * hourMs);
          assert.deepEqual(await inWindow(chartId, from * hourMs, Math.min(to * hourMs, 8.64e15)), expected);
        }
      }
      const lastValues = { versions: Number.NaN, players: 1499 };
      for (const [chartId, lastValue] of Object.entries(lastValues)) {
        const { uid } = await reader.getChart(7, chartId);
        const spans = await reader.findSpans([uid, 73, 999]);
        assert.deepEqual([...spans], [[uid, { first: 0, last: 1499 * hourMs, lastValue }]]);
      }
      assert.deepEqual(await inWindow('none', 0, 9e15), []);
      for (const type of ['single_linechart', 'simple_pie'])
        assert.deepEqual(
          await Array.fromAsync(reader.readColumns({ uid: 999, type }, { from: 0, to: 1 })),
          [],
        );
    });

    test('points and histories are read page by page, without a gap or a double', async () => {
      // These are several pages: 40,000 numbers with many digits, and 20 blocks.
      const points = Array.from({ length: 40_000 }, (_, index) => [index * 1000, Math.sqrt(index)]);
      const times = Array.from({ length: 10_000 }, (_, index) => index * 1000);
      const store = await filled(
        chartLine(),
        ...[0, 1, 2, 3].map((part) => playersLine(points.slice(part * 10_000, part * 10_000 + 10_000))),
        versionsLine(times),
      );
      await using reader = withReads(await store.openReader());
      const window = { from: 0, to: 9e15 };
      const runs = await Array.fromAsync(
        reader.readColumns({ uid: 70, type: 'single_linechart' }, window),
        entriesOf,
      );
      assert.deepEqual(runs.flat(), points);
      const parts = await Array.fromAsync(reader.readColumns({ uid: 71, type: 'simple_pie' }, window));
      assert.ok(parts.length >= 19);
      assert.deepEqual(
        parts.flatMap((part) => [...part.times]),
        times,
      );
      assert.deepEqual(
        parts.flatMap((part) => [...valuesOf(part)]),
        times.map((_, index) => index + 1),
      );
    });

    test('events of a plugin are listed by time and title, in batches', async () => {
      const events = Array.from({ length: 600 }, (_, index) => ({
        time: Math.floor(index / 3) * hourMs,
        title: `1.${index % 3} \u{1f600}`,
        url: index % 2 === 0 ? null : `https://example.org/${index}`,
      }));
      const lines = events
        .toReversed()
        .map((event) => JSON.stringify({ record: 'event', pluginId: 7, ...event }));
      const store = await filled(...lines, '{"record":"event","pluginId":8,"time":5,"title":"x","url":null}');
      await using reader = withReads(await store.openReader());
      const batches = await Array.fromAsync(reader.listEvents(7));
      assert.deepEqual(batches.flat(), events);
      assert.ok(batches.every((batch) => batch.length <= eventsPerBatch));
      assert.deepEqual(await Array.fromAsync(reader.listEvents(9)), []);
      assert.equal((await reader.getChart(7, 'os')).hasEvents, true);
    });

    test('old names are listed by plugin and name, in batches, and go with their plugin', async () => {
      const names = Array.from({ length: 700 }, (_, index) => `Before ${String(index).padStart(4, '0')}`);
      const line = (pluginId: number, before: string) =>
        JSON.stringify({ record: 'oldName', pluginId, name: before });
      const store = await filled(
        ...names.toReversed().map((before) => line(8, before)),
        line(7, '\u{1f600}'),
        line(7, '\uffff'),
      );
      await using reader = withReads(await store.openReader());
      const batches = await Array.fromAsync(reader.listOldNames());
      assert.deepEqual(batches.flat(), [
        { pluginId: 7, name: '\uffff' },
        { pluginId: 7, name: '\u{1f600}' },
        ...names.map((before) => ({ pluginId: 8, name: before })),
      ]);
      assert.ok(batches.every((batch) => batch.length <= oldNamesPerBatch));
      assert.deepEqual(
        (await Array.fromAsync(reader.listOldNames(8))).flat().map(({ name: before }) => before),
        names,
      );
      assert.deepEqual(await Array.fromAsync(reader.listOldNames(6)), []);
      await using remover = await store.openRemover();
      await remover.removePlugin(8);
      await remover.commit();
      assert.equal((await exportFrom(store)).match(/"record":"oldName"/g)?.length, 2);
      assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
    });

    test('go with their chart and their plugin', async () => {
      const store = await filled(
        '{"record":"data","pluginId":7,"chartId":"versions","data":[{"name":"1.0","y":1}],"at":3600000}',
        '{"record":"event","pluginId":7,"time":0,"title":"1.0","url":null}',
        '{"record":"event","pluginId":8,"time":0,"title":"1.0","url":null}',
      );
      assert.equal((await store.loadStats()).eventCount, 2);
      await using remover = await store.openRemover();
      assert.deepEqual(await remover.prune({ to: 3_600_001, pluginId: 7 }), {
        chartCount: 1,
        pointCount: 0,
        historyTimeCount: 1,
      });
      const none = { chartCount: 1, pointCount: 0, historyTimeCount: 0, eventCount: 0, softwareIds: [] };
      assert.deepEqual(await remover.removeChart(7, 'versions'), none);
      assert.deepEqual(await remover.removePlugin(8), { ...none, chartCount: 2, eventCount: 1 });
      await remover.commit();
      const text = await exportFrom(store);
      assert.deepEqual(text.match(/"record":"(?:event|history|data)"/g), ['"record":"event"']);
      assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
    });

    test('of a chart keep its type', async () => {
      const store = await filled(
        '{"record":"history","pluginId":7,"chartId":"versions","times":[0],"series":[]}',
      );
      const retyped = chartLine({ chartId: 'versions', uid: 71, type: 'advanced_pie' });
      await assert.rejects(importInto(store, pastText([retyped])), { code: 'conflict' });
    });

    for (const [title, line, message] of refusedHistories) {
      test(`refuse ${title}, and nothing is stored`, async () => {
        const store = await filled();
        const before = await exportFrom(store);
        const good = '{"record":"event","pluginId":7,"time":0,"title":"1.0","url":null}';
        await assert.rejects(
          importInto(store, pastText([good, chartLine(), line])),
          (error: Error & { place?: string }) => {
            assert.match(error.message, message);
            assert.match(error.place ?? '', /:4$/);
            return true;
          },
        );
        assert.equal(await exportFrom(store), before);
      });
    }
  });
}

/** The parts of a model, sorted. */
function sorted({ histories, shown, events, oldNames }: Model): unknown {
  const byKey = (map: ReadonlyMap<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    histories: byKey(histories)
      .map(([key, times]) => [key, [...(times as Map<number, string>)].sort(([a], [b]) => a - b)] as const)
      .filter(([, times]) => times.length > 0),
    // Empty data looks like no data.
    shown: byKey(shown).filter(
      ([, one]) =>
        !/^(?:\[\]|\{"drilldownData":\[\],"seriesData":\[\]\})$/.test((one as { json: string }).json),
    ),
    events: byKey(events),
    oldNames: [...oldNames].sort(),
  };
}
