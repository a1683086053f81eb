/** The contract of stores for insights and feeds: they equal those of a model that reads an export alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Store } from '../../src/model/store.ts';
import { loadInsights } from '../../src/series/load-insights.ts';
import { loadFeed } from '../../src/site/feed/load-feed.ts';
import { chartLine, eventLine, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { randomFrom } from '../support/points.ts';
import { withReads } from '../support/reads.ts';
import { fc } from '../support/seed.ts';
import { modelFeed, modelInsights } from './insights-model.ts';
import { exportFrom, importInto } from './store-contract.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2024, 10, 4);

type Random = ReturnType<typeof randomFrom>;

const below = (random: Random, end: number) => Math.floor(random() * end);
const oneOf = <Item>(random: Random, items: readonly Item[]) => items[below(random, items.length)] as Item;

/**
 * Chooses times with gaps, over at most some hundred days; the last is near the end of a day, or anywhere in
 * it.
 */
function timesOf(random: Random, maxDays: number): readonly number[] {
  const stepMs = oneOf(random, [hourMs / 2, 2 * hourMs, 6 * hourMs, 6 * hourMs, dayMs, 31 * hourMs]);
  const dayCount = Math.min(1 + below(random, maxDays), Math.ceil((2000 * stepMs) / dayMs));
  const end = start + 480 * dayMs - below(random, 20) * dayMs;
  const last = end - oneOf(random, [hourMs / 2, hourMs / 2, hourMs / 2 + 1, 0, 1, below(random, dayMs)]);
  const times: number[] = [];
  for (let time = last; time > last - dayCount * dayMs; time -= stepMs) times.push(time);
  const isGap = oneOf(random, [() => false, () => random() < 0.1, (day: number) => day % 9 > 4]);
  const kept = times.filter((time) => !isGap(Math.floor(time / dayMs)));
  return kept.reverse();
}

/** Makes a line with weekends, zeros and equal values. */
function lineRecord(random: Random, chartId: string, pluginId = 7): string {
  const [size, trend] = [oneOf(random, [0, 3, 40, 5000]), random() - 0.5];
  const data = timesOf(random, 470).map((time, index) => {
    const isWeekend = new Date(time).getUTCDay() % 6 === 0;
    const value = (size + trend * (index % 700)) * (isWeekend ? 1.4 : 1) * (0.9 + random() / 5);
    return [time, random() < 0.02 ? 0 : Math.max(-1, Math.round(value * 2) / 2)];
  });
  return JSON.stringify({ record: 'data', pluginId, chartId, data });
}

const minecraft = [
  '1.7.10',
  '1.20.4',
  '1.20.6',
  '1.21-pre2',
  '1.21',
  '1.21.11',
  '26.1-rc-1',
  '26.1',
  '26.2-snapshot-10',
];
const java = ['Java 8', '1.8.0_492', 'Java 11', 'Java 17', '17.0.1', 'Java 21', 'Java 25'];
const ownVersions = [
  '1.0',
  '1.0.0',
  'v1.1',
  '1.2-beta2',
  '1.2-SNAPSHOT',
  '1.2',
  '2.0',
  '2.4.1',
  '2.10',
  'dev',
  '5',
];
const others = ['25w41a', 'Unknown', 'Other', '3'];

/** Makes shares for some names, each for a part of the time. */
function seriesOf(random: Random, names: readonly string[], times: readonly number[], inner: boolean) {
  const all = [...names, ...others.filter(() => random() < 0.4)].filter(() => random() < 0.8);
  return all.flatMap((name) => {
    const [from, to] = [random() * 0.9 - 0.3, random() * 1.2];
    const size = names.includes(name) ? 40 * random() : 8 * random();
    const values = times.map((_, index) => {
      const place = index / times.length;
      return place >= from && place <= to ? Math.round(2 * size * (0.5 + random())) / 2 : null;
    });
    const half = values.map((value) => value && Math.floor(value / 2));
    return inner
      ? [
          { group: name, name: 'x', values },
          { group: name, name: 'y', values: half },
        ]
      : [{ name, values }];
  });
}

function historyRecord(random: Random, chartId: string, names: readonly string[], inner = false): string {
  const times = timesOf(random, 300);
  const series = seriesOf(random, names, times, inner);
  return JSON.stringify({ record: 'history', pluginId: 7, chartId, times, series });
}

const titles = [
  (version: string) => version,
  (version: string) => `v${version}`,
  (version: string) => `Example Plugin v${version}: faster`,
  (version: string) => `EXAMPLE PLUGIN: ${version}`,
  (version: string) => `Release ${version} (for 1.21.11)`,
  (version: string) => `Update 5, for 26.1 [${version}]!`,
  (version: string) => `With 3 fixes: ${version}.0`,
  () => 'A dev server',
  () => 'Two years',
  () => '(...)',
];

/** Makes an archive with everything that insights of a plugin show, from a seed. */
function catalogue(seed: number): string {
  const random = randomFrom(seed);
  const some = (line: () => string, part = 0.85) => (random() < part ? [line()] : []);
  const shares = (chartId: string, uid: number, type: string) =>
    chartLine({ chartId, uid, type, position: below(random, 5), data: {} });
  const plugins = Array.from({ length: below(random, 12) }, (_, index) => index + 10);
  const lines = [
    softwareLine({ globalPluginId: random() < 0.8 ? 90 : null }),
    softwareLine({ id: 2, url: 'velocity' }),
    pluginLine({ id: 90, name: 'All', isGlobal: true }),
    pluginLine({ name: 'Example Plugin', isGlobal: random() < 0.05 }),
    ...plugins.map((id) =>
      pluginLine({
        id,
        name: `Other ${id}`,
        softwareId: 1 + Number(random() < 0.2),
        isGlobal: random() < 0.1,
      }),
    ),
    chartLine({ chartId: 'servers', uid: 1, type: random() < 0.97 ? 'single_linechart' : 'simple_pie' }),
    chartLine({ chartId: 'players', uid: 2 }),
    chartLine({ chartId: 'more', uid: 3 }),
    shares('pluginVersion', 4, 'simple_pie'),
    shares('minecraftVersion', 5, 'advanced_pie'),
    shares('javaVersion', 6, 'drilldown_pie'),
    shares('os', 7, 'drilldown_pie'),
    shares('shown', 8, 'simple_pie'),
    shares('bars', 9, 'advanced_bar'),
    shares('bar', 10, 'simple_bar'),
    shares('empty', 11, 'simple_map'),
  ];
  const isLine = lines.some((line) => line.includes('"uid":1,"type":"single_linechart"'));
  const ofOthers = [90, ...plugins].flatMap((pluginId) => {
    const chart = chartLine({ chartId: 'servers', uid: 100 + pluginId, pluginId });
    const value = oneOf(random, [0, 3, 40, 41.5, 5000]);
    const data = JSON.stringify({ record: 'data', pluginId, chartId: 'servers', data: [[start, value]] });
    return random() < 0.2 ? [] : [chart, ...(random() < 0.9 ? [data] : [])];
  });
  const shown = minecraft.map((name) => ({ name, y: below(random, 9) }));
  const dataOf = (chartId: string, data: unknown, at?: number) =>
    JSON.stringify({ record: 'data', pluginId: 7, chartId, data, at });
  const events = Array.from({ length: below(random, 30) }, (_, index) => {
    const day = random() < 0.4 ? 450 + below(random, 30) : 200 + below(random, 300);
    const time = start + day * dayMs + below(random, dayMs);
    const title = oneOf(random, titles)(oneOf(random, [...ownVersions, '3.0', '3.1-rc1']));
    return eventLine(time, `${title}${index % 3 === 0 ? ` (${index})` : ''}`);
  });
  return pastText([
    ...lines,
    ...ofOthers,
    ...(isLine ? some(() => lineRecord(random, 'servers')) : []),
    ...some(() => lineRecord(random, 'players'), 0.5),
    ...some(() => historyRecord(random, 'pluginVersion', ownVersions)),
    ...some(() => dataOf('pluginVersion', [{ name: '2.10', y: 12 }], start + 479 * dayMs), 0.2),
    ...some(() => historyRecord(random, 'minecraftVersion', minecraft)),
    ...some(() => historyRecord(random, 'javaVersion', java, true)),
    ...some(() => historyRecord(random, 'os', ['Linux', 'Windows 11'], true)),
    ...some(() => dataOf('shown', shown)),
    ...some(
      () =>
        dataOf(
          'bars',
          minecraft.map((name) => ({ name, data: [4, 5] })),
        ),
      0.5,
    ),
    ...some(
      () =>
        dataOf(
          'bar',
          minecraft.map((name) => ({ name, data: [4] })),
        ),
      0.5,
    ),
    ...some(
      () =>
        dataOf('javaVersion', {
          drilldownData: [],
          seriesData: [{ name: 'Java 21', y: 30, drilldown: 'x' }],
        }),
      0.1,
    ),
    ...events,
  ]);
}

/** Tests the insights of a kind of store. @param makeStore names a store that does not exist yet. */
export function insightsContract(kind: string, makeStore: () => Promise<Store>): void {
  describe(`${kind}: insights`, () => {
    const insightsOf = async (store: Store, pluginId: number) => {
      await using reader = await store.openReader();
      // The server sends them as JSON.
      const { insights } = await reader.read((view) => loadInsights(view, pluginId));
      return JSON.parse(JSON.stringify(insights));
    };

    test('and feeds are those of a model of the export, for any catalogue', {
      timeout: 300_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const store = await makeStore();
          await importInto(store, catalogue(seed));
          const text = await exportFrom(store);
          for (const pluginId of [7, 90])
            assert.deepEqual(await insightsOf(store, pluginId), modelInsights(text, pluginId));
          await using feeds = await store.openReader();
          const { entries } = await feeds.read((view) => loadFeed(view, 7));
          assert.deepEqual(
            entries.map(({ id, from, ...entry }) => entry),
            modelFeed(text, 7),
          );
          assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
          // Lists have the same changes, unless the newest number of the plugin is old.
          const [line] = (await insightsOf(store, 7)).lines;
          await using reader = withReads(await store.openReader());
          const request = { text: '', find: 'part', sort: 'id', descending: false, limit: 1 } as const;
          const [listed] = (await reader.findPlugins({ ...request, ids: [7] })).plugins;
          for (const length of ['7d', '28d'] as const)
            if (listed?.changes[length] != null) assert.equal(listed.changes[length], line.changes[length]);
        }),
        { numRuns: 40 },
      );
    });

    test('a place counts no further than it is asked for, and passes over global plugins', async () => {
      const store = await makeStore();
      const plugins = [
        ...Array.from({ length: 30 }, (_, index) => ({ id: 100 + index, value: index, isGlobal: false })),
        ...Array.from({ length: 6 }, (_, index) => ({ id: 200 + index, value: 1000, isGlobal: true })),
      ];
      const lines = plugins.flatMap(({ id, value, isGlobal }) => [
        pluginLine({ id, name: `Plugin ${id}`, isGlobal }),
        chartLine({ chartId: 'servers', uid: id, pluginId: id }),
        JSON.stringify({ record: 'data', pluginId: id, chartId: 'servers', data: [[start, value]] }),
      ]);
      await importInto(store, pastText([softwareLine(), pluginLine(), ...lines]));
      await using reader = withReads(await store.openReader());
      const place = { globalServers: null, knownCount: 30 };
      assert.deepEqual(await reader.findPlace(129, 30), { servers: 29, aheadCount: 0, ...place });
      assert.deepEqual(await reader.findPlace(119, 30), { servers: 19, aheadCount: 10, ...place });
      const cut = await reader.findPlace(119, 5);
      assert.ok(Number(cut?.aheadCount) > 5 && Number(cut?.knownCount) > 5);
      assert.equal(Number((await reader.findPlace(124, 5))?.aheadCount), 5);
      for (const id of [7, 200, 999]) assert.equal(await reader.findPlace(id, 30), undefined);
    });
  });
}
