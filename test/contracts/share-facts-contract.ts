/**
 * The contract of stores for the facts of charts of shares: the order of their colours, and the time since
 * when a share has been the most used.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import type { ShareFacts } from '../../src/model/chart-data.ts';
import type { Store } from '../../src/model/store.ts';
import { chartLine, linesIn, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { randomFrom } from '../support/points.ts';
import { withReads } from '../support/reads.ts';
import { fc } from '../support/seed.ts';
import { exportFrom, importInto } from './store-contract.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const uids = { versions: 71, os: 72 };
type ChartId = keyof typeof uids;

const catalogue = [
  softwareLine(),
  pluginLine(),
  chartLine({ chartId: 'versions', uid: 71, type: 'simple_pie' }),
  chartLine({ chartId: 'os', uid: 72, type: 'drilldown_pie' }),
];

type Values = Readonly<Record<string, readonly number[]>>;

/** Makes a history of a chart. In `os`, each name is an outer share with two inner shares. */
function historyLine(chartId: ChartId, times: readonly number[], values: Values): string {
  const series = Object.entries(values).flatMap(([name, list]) => {
    if (chartId === 'versions') return [{ name, values: list }];
    const inner = list.map((value) => Math.floor(value / 3));
    const rest = list.map((value, index) => value - (inner[index] ?? 0));
    return [
      { group: name, name: 'x', values: inner },
      { group: name, name: 'y', values: rest },
    ];
  });
  return JSON.stringify({ record: 'history', pluginId: 7, chartId, times, series });
}

/** The shares of a chart by time. */
type History = ReadonlyMap<number, ReadonlyMap<string, number>>;
interface Series {
  readonly group?: string;
  readonly name: string;
  readonly values: readonly number[];
}

/** Reads the histories in an export; for a drilldown pie, the histories of its outer shares. */
function historiesIn(text: string): ReadonlyMap<string, History> {
  const histories = new Map<string, Map<number, Map<string, number>>>();
  for (const { chartId, times, series } of linesIn(text).map((line) => JSON.parse(line))) {
    if (times === undefined) continue;
    const history = histories.get(chartId) ?? new Map<number, Map<string, number>>();
    histories.set(chartId, history);
    for (const [index, time] of (times as readonly number[]).entries()) {
      const shares = history.get(time) ?? new Map<string, number>();
      history.set(time, shares);
      for (const { group, name, values } of series as readonly Series[]) {
        const value = values[index] ?? 0;
        if (value !== 0) shares.set(group ?? name, (shares.get(group ?? name) ?? 0) + value);
      }
    }
  }
  return histories;
}

/** The exact value of a double as an integer. */
const scaled = (value: number) => BigInt(value * 2 ** 64);

/** Computes the facts of a history from all of its values. */
function factsOf(history: History | undefined): ShareFacts | undefined {
  if (history === undefined) return undefined;
  const sums = new Map<string, bigint>();
  let leader: string | undefined;
  let since = 0;
  const byName = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  for (const [time, shares] of [...history].sort(([a], [b]) => a - b)) {
    for (const [name, value] of shares) sums.set(name, (sums.get(name) ?? 0n) + scaled(value));
    const most = Math.max(0, ...shares.values());
    if (most === 0 || (leader !== undefined && shares.get(leader) === most)) continue;
    const largest = [...shares].filter(([, value]) => value === most).map(([name]) => name);
    [leader] = largest.sort(byName);
    since = time;
  }
  const largest = [...sums].sort(
    ([nameA, a], [nameB, b]) => Number(b > a) - Number(a > b) || byName(nameA, nameB),
  );
  return {
    colours: largest.slice(0, 12).map(([name]) => name),
    mostUsed: leader === undefined ? null : { name: leader, since: Math.floor(since / dayMs) * dayMs },
  };
}

/** Tests the facts of a kind of store. @param makeStore names a store that does not exist yet. */
export function shareFactsContract(kind: string, makeStore: () => Promise<Store>): void {
  describe(`${kind}: facts of shares`, () => {
    test('colours are by the sum of the whole history, then bytewise, and equal shares change no leader', async () => {
      const store = await makeStore();
      await importInto(store, pastText(catalogue));
      const readFacts = async () => {
        await using reader = withReads(await store.openReader());
        return reader.loadShareFacts(71);
      };
      assert.equal(await readFacts(), undefined);
      const days = [0, 1, 2, 3, 4, 5].map((day) => day * dayMs + 5 * hourMs);
      const many = Array.from({ length: 12 }, (_, rank) => [`v${rank}`, [2, 0, 0, 0, 0, 0]] as const);
      const values = { ...Object.fromEntries(many), b: [5, 5, 7, 8, 0, 8], a: [5, 6, 7, 8, 0, 8] };
      await importInto(
        store,
        pastText([historyLine('versions', days, { ...values, '😀': [2, 0, 0, 0, 0, 0] })]),
      );
      const facts = await readFacts();
      assert.deepEqual(facts?.mostUsed, { name: 'a', since: 0 });
      const vs = ['v0', 'v1', 'v10', 'v11', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7'];
      assert.deepEqual(facts?.colours, ['a', 'b', ...vs]);
      await importInto(
        store,
        pastText([historyLine('versions', [7 * dayMs, 9 * dayMs], { b: [9, 9], a: [8, 9] })]),
      );
      assert.deepEqual((await readFacts())?.mostUsed, { name: 'b', since: 7 * dayMs });
    });

    /** Compares the facts with those of a model of the export. */
    const compare = async (store: Store) => {
      const histories = historiesIn(await exportFrom(store));
      await using reader = withReads(await store.openReader());
      for (const [chartId, uid] of Object.entries(uids))
        assert.deepEqual(await reader.loadShareFacts(uid), factsOf(histories.get(chartId)), chartId);
    };

    test('are those of a model after any imports, removals and prunes', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 8 }), async (operations) => {
          const store = await makeStore();
          await importInto(store, pastText(catalogue));
          for (const apply of operations) {
            await apply(store);
            await compare(store);
          }
          assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
        }),
        { numRuns: 12 },
      );
    });

    test('are exact for more names than totals hold, and for long ones', { timeout: 120_000 }, async () => {
      const random = randomFrom(54);
      for (const [chartId, nameCount, timeCount] of [
        ['versions', 500, 60],
        ['os', 400, 40],
        ['versions', 6000, 25],
      ] as const) {
        const store = await makeStore();
        await importInto(store, pastText(catalogue));
        for (let start = 0; start < 6; start++) {
          const times = Array.from({ length: timeCount }, (_, index) => (start * timeCount + index) * hourMs);
          // The names change with each record, so that most sums are small and close to each other; some
          // names start late and become large.
          const list = Array.from({ length: Math.min(nameCount, 900) }, (_, rank) => [
            `${rank < 20 ? rank : Math.floor(random() * nameCount)} ${'x'.repeat(195)}`,
            times.map(() => Math.floor(random() * (rank < 20 ? 3 + start : 3))),
          ]);
          await importInto(store, pastText([historyLine(chartId, times, Object.fromEntries(list))]));
          await compare(store);
        }
        assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
      }
    });
  });
}

type Operation = (store: Store) => Promise<void>;

const chartIds = fc.constantFrom<ChartId>('versions', 'os');
const names = fc.uniqueArray(fc.constantFrom('1.0', '1.1', '2.0', '', '__proto__', '\uffff', '😀'), {
  minLength: 1,
});
/** Numbers of hours, up to several chunks. */
const hours = fc.integer({ min: 0, max: 1500 });
/** Factors of values; sums of tenths depend on the order of addition. */
const unit = fc.constantFrom(1, 0.1);

const imported: fc.Arbitrary<Operation> = fc
  .tuple(chartIds, names, hours, fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 97 }), unit)
  .map(([chartId, list, start, count, factor, one]) => async (store) => {
    const times = Array.from({ length: count }, (_, index) => (start + index) * hourMs);
    const values = Object.fromEntries(
      list.map((name, rank) => [name, times.map((_, index) => (((index + rank) * factor) % 89) * one)]),
    );
    await importInto(store, pastText([...catalogue, historyLine(chartId, times, values)]));
  });

const pruned: fc.Arbitrary<Operation> = fc
  .tuple(chartIds, hours, hours)
  .map(([chartId, from, length]) => async (store) => {
    const window = { from: from * hourMs + 1, to: (from + length + 1) * hourMs };
    await using remover = await store.openRemover();
    await remover.prune({ pluginId: 7, chartId, ...window });
    await remover.commit();
  });

const removed: fc.Arbitrary<Operation> = chartIds.map((chartId) => async (store) => {
  await using remover = await store.openRemover();
  await remover.removeChart(7, chartId);
  await remover.commit();
  await importInto(store, pastText(catalogue));
});

const operation = fc.oneof(
  { weight: 6, arbitrary: imported },
  { weight: 2, arbitrary: pruned },
  { weight: 1, arbitrary: removed },
);
