/**
 * The contract of stores for mirrors of servers with `/api/v2`: whatever is imported into a source, its
 * mirrors export the same bytes.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Store } from '../../src/model/store.ts';
import { serveReader } from '../http/support/test-server.ts';
import { chartLine, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { fc } from '../support/seed.ts';
import { fastClock, mirrorOnce } from '../upstream/mirror-into.ts';
import { exportFrom, importInto } from './store-contract.ts';

const halfHour = 1_800_000;
const dayMs = 48 * halfHour;
const start = Date.UTC(2026, 0, 1);

/** Charts by chart id. Those with uids below 100 belong to plugin 7, the others to plugin 8. */
const charts = {
  players: { uid: 70, type: 'single_linechart' },
  servers: { uid: 71, type: 'single_linechart' },
  version: { uid: 72, type: 'simple_pie' },
  os: { uid: 73, type: 'drilldown_pie' },
  country: { uid: 74, type: 'advanced_map' },
  game: { uid: 75, type: 'simple_bar' },
  heat: { uid: 76, type: 'heatmap' },
} as const;

type ChartId = keyof typeof charts;
const chartIds = Object.keys(charts) as ChartId[];

const counts = fc.oneof(fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }), fc.constant([0, 0, 0]));

/** A change: an import into the source, or time that passes. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: halfHour, max: 6 * dayMs }) }),
  fc.record({ kind: fc.constant('visit' as const) }),
  fc.record({ kind: fc.constant('name' as const), name: fc.constantFrom('A', 'B') }),
  fc.record({
    kind: fc.constant('event' as const),
    daysAgo: fc.nat(40),
    title: fc.constantFrom('1.0', '2.0'),
    url: fc.constantFrom(null, 'https://example.org/1'),
  }),
  fc.record({
    kind: fc.constant('data' as const),
    chartId: fc.constantFrom(...chartIds),
    counts,
    /** Data with a time, history alone, or data without a time. */
    form: fc.constantFrom('at' as const, 'history' as const, 'now' as const),
    times: fc.integer({ min: 1, max: 60 }),
  }),
);

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const names = {
  version: ['a', 'b', '__proto__'],
  os: ['x', 'y', 'z'],
  country: ['DE', 'SE', 'FR'],
  game: ['k', 'l', 'm'],
};

function dataOf(chartId: ChartId, values: readonly number[]): unknown {
  const shares = values.map((value, rank) => ({ value, rank })).filter(({ value }) => value > 0);
  switch (chartId) {
    case 'version':
      return shares.map(({ value, rank }) => ({ name: names.version[rank], y: value }));
    case 'country':
      return shares.map(({ value, rank }) => ({ code: names.country[rank], value }));
    case 'game':
      return shares.map(({ value, rank }) => ({ name: names.game[rank], data: [value] }));
    case 'os':
      return {
        drilldownData: shares.map(({ value, rank }) => ({
          name: `g${rank}`,
          id: `g${rank}`,
          data: [[names.os[rank], value]],
        })),
        seriesData: shares.map(({ value, rank }) => ({ name: `g${rank}`, y: value, drilldown: `g${rank}` })),
      };
    default:
      return values;
  }
}

/** Applies changes to a source, and remembers its state. */
class Growth {
  now = start + 30 * dayMs;
  /** The last time of each chart. */
  readonly #last = new Map<ChartId, number>();

  /** Makes the records of a change. */
  linesOf(change: Change): readonly string[] {
    switch (change.kind) {
      case 'wait':
        this.now += change.ms;
        return [];
      case 'visit':
        return [];
      case 'name':
        return [
          pluginLine({ name: change.name }),
          JSON.stringify({ record: 'oldName', pluginId: 7, name: `${change.name}, formerly` }),
        ];
      case 'event': {
        const { daysAgo, title, url } = change;
        const time = start + 30 * dayMs - daysAgo * dayMs;
        return [JSON.stringify({ record: 'event', pluginId: 7, time, title, url })];
      }
      case 'data':
        return this.#dataLines(change);
    }
  }

  #dataLines({
    chartId,
    counts: values,
    form,
    times: count,
  }: Change & { readonly kind: 'data' }): readonly string[] {
    const { uid, type } = charts[chartId];
    const chart = chartLine({ chartId, uid, type });
    const head = { pluginId: 7, chartId };
    const data = dataOf(chartId, values);
    if (type === 'heatmap' || (form === 'now' && type !== 'single_linechart'))
      return [chart, JSON.stringify({ record: 'data', ...head, data })];
    const times = this.#nextTimes(chartId, count);
    const [last = 0] = times.slice(-1);
    if (type === 'single_linechart')
      return [
        chart,
        JSON.stringify({
          record: 'data',
          ...head,
          data: times.map((time, index) => [time, (values[0] ?? 0) * index]),
        }),
      ];
    if (form === 'at') return [chart, JSON.stringify({ record: 'data', ...head, data, at: last })];
    const shareNames = names[chartId as keyof typeof names];
    const series = shareNames.map((name, rank) => ({
      ...(chartId === 'os' ? { group: `g${rank}` } : {}),
      name,
      values: times.map((_, index) => ((values[rank] ?? 0) + index) % 4),
    }));
    return [chart, JSON.stringify({ record: 'history', ...head, times, series })];
  }

  /** Chooses times up to now, from the last time of the chart on. That time may occur again. */
  #nextTimes(chartId: ChartId, count: number): readonly number[] {
    const before = this.#last.get(chartId) ?? start;
    const end = this.now - (this.now % halfHour);
    const all = Array.from({ length: count }, (_, index) => end - (count - 1 - index) * halfHour);
    const times = all.filter((time) => time >= before);
    this.#last.set(chartId, end);
    return times;
  }
}

/** Declares the tests for one kind of store. `makeStore` makes a new store. */
export function archiveMirrorContract(name: string, makeStore: () => Promise<Store>, numRuns: number): void {
  describe(`${name}: a mirror of a server with archives`, () => {
    test('exports the same bytes as its source after each visit, and so does a mirror of it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 25 }), async (changes) => {
          const [source, mirror, next] = [await makeStore(), await makeStore(), await makeStore()];
          const growth = new Growth();
          await importInto(source, pastText([softwareLine(), pluginLine()]));
          /** Visits a store through a new server, which has nothing cached. */
          const visit = async (from: Store, to: Store) => {
            await using server = await serveReader(await from.openReader());
            const clock = fastClock(growth.now);
            const options = { store: to, clock, allowsFuture: false };
            const { failures } = await mirrorOnce({ path: to.givenName }, server.url, options);
            assert.deepEqual(failures, []);
            assert.equal(await exportFrom(to), await exportFrom(source));
          };
          for (const one of [...changes, { kind: 'visit' as const }]) {
            const lines = growth.linesOf(one);
            if (lines.length > 0) await importInto(source, pastText(lines));
            if (one.kind === 'visit') await visit(source, mirror);
          }
          await visit(mirror, next);
        }),
        { numRuns },
      );
    });
  });
}
