/** The contract of stores for the sums of lines: a line by day and by week is that of its points. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../src/archive/check-record.ts';
import type { SumStep } from '../src/model/line-sums.ts';
import type { MetricsReader, TimeWindow } from '../src/model/metrics-reader.ts';
import { maxTimestamp, type Points, pointsOf } from '../src/model/points.ts';
import type { Store } from '../src/model/store.ts';
import { LineSteps } from '../src/series/line-steps.ts';
import type { Aggregate } from '../src/series/steps.ts';
import { importInto } from './store-contract.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from './support/archive-text.ts';
import type { Entry } from './support/points.ts';
import { fc } from './support/seed.ts';

const dayMs = 24 * 60 * 60 * 1000;
const stepMs: Readonly<Record<SumStep, number>> = { day: dayMs, week: 7 * dayMs };
const aggregates: Readonly<Record<SumStep, readonly Aggregate[]>> = {
  day: ['mean', 'count'],
  week: ['mean', 'count', 'min', 'max'],
};
const always: TimeWindow = { from: 0, to: maxTimestamp + 1 };

/** Few points a day, because the tests need years of them: sums are kept for 16 or more. */
const slotMs = dayMs / 18;
const begin = Date.UTC(2020, 0, 1);
const yearSlots = 366 * 18;

const atSlot = (slot: number) => begin + slot * slotMs;
const slots = (start: number, count: number, valueAt = (slot: number) => (slot * 7919) % 1009): Entry[] =>
  Array.from({ length: count }, (_, index) => [atSlot(start + index), valueAt(start + index)]);

async function writeInto(store: Store, entries: readonly Entry[]): Promise<void> {
  await using writer = await store.openWriter({ latestTimestamp: maxTimestamp });
  const data = { storage: 'series', points: pointsOf(entries) } as const;
  await writer.write([
    { place: '', kind: 'data', pluginId: 7, chartId: 'players', dataFor: () => data },
    { place: '', kind: 'end' },
  ]);
  await writer.commit();
}

async function prune(store: Store, options: { afterTimestamp?: number; beforeTimestamp?: number }) {
  await using remover = await store.openRemover();
  await remover.prune(options);
  await remover.commit();
}

/** Reads a line through its sums, and counts the points that were read all the same. */
async function readBySums(reader: MetricsReader, window: TimeWindow, step: SumStep) {
  const line = new LineSteps({ ...window, step: stepMs[step] }, aggregates[step]);
  let pointCount = 0;
  for await (const part of reader.readSums(70, window, step)) {
    line.add(part);
    if (part.kind === 'points') pointCount += part.points.timestamps.length;
  }
  return { ...line.finish(), pointCount };
}

function expectedLine(runs: readonly Points[], window: TimeWindow, step: SumStep) {
  const line = new LineSteps({ ...window, step: stepMs[step] }, aggregates[step]);
  for (const points of runs) line.add({ kind: 'points', points });
  return line.finish();
}

/** Asserts that sums tell the same as points, in these windows, and that the store has no faults. */
async function assertSums(store: Store, windows: readonly TimeWindow[]): Promise<void> {
  await using reader = await store.openReader();
  const runs = await Array.fromAsync(reader.readPoints(70, always));
  for (const window of [always, ...windows]) {
    for (const step of ['day', 'week'] as const) {
      const { pointCount: _, ...found } = await readBySums(reader, window, step);
      assert.deepEqual(found, expectedLine(runs, window, step), `${JSON.stringify(window)} by ${step}`);
    }
  }
  assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
}

/** Declares the tests for one kind of store. `makeStore` returns the name of a new one. */
export function sumsContract(name: string, makeStore: () => Promise<Store>): void {
  const withLine = async () => {
    const store = await makeStore();
    await importInto(store, archiveText([softwareLine(), pluginLine(), chartLine()]));
    return store;
  };
  const pointsRead = async (store: Store, step: SumStep = 'day') => {
    await using reader = await store.openReader();
    return (await readBySums(reader, always, step)).pointCount;
  };

  describe(`${name}: sums of lines`, () => {
    test('a long line is read by day and by week without most of its points', async () => {
      const store = await withLine();
      await writeInto(store, slots(0, 4 * yearSlots));
      await assertSums(store, [
        { from: atSlot(100.5), to: atSlot(3 * yearSlots + 0.5) },
        { from: atSlot(17), to: atSlot(18) },
        { from: atSlot(yearSlots), to: atSlot(yearSlots + 16 * 20) },
      ]);
      // At most a year, which is not complete yet.
      assert.ok((await pointsRead(store)) <= yearSlots);
      assert.ok((await pointsRead(store, 'week')) <= yearSlots);
    });

    test('what comes late, and what is corrected, is in them', async () => {
      const store = await withLine();
      for (const year of [3, 2, 1, 0]) await writeInto(store, slots(year * yearSlots, yearSlots - 50));
      await store.compact();
      assert.ok((await pointsRead(store)) <= yearSlots);
      await writeInto(store, slots(yearSlots - 50, 50));
      await writeInto(
        store,
        slots(1000, 3, () => 1e6),
      );
      await writeInto(store, [[atSlot(2000.5), -5]]);
      await assertSums(store, []);
      assert.ok((await pointsRead(store)) <= yearSlots);
    });

    test('numbers that cannot be added up in any order have none', async () => {
      const store = await withLine();
      await writeInto(
        store,
        slots(0, 2 * yearSlots, (slot) => slot / 10),
      );
      await writeInto(
        store,
        slots(2 * yearSlots, 2 * yearSlots, () => 2 ** 50),
      );
      await assertSums(store, []);
      assert.equal(await pointsRead(store), 4 * yearSlots);
    });

    test('points that are centuries apart cost no more than others', async () => {
      const store = await withLine();
      const apart = Array.from({ length: 2000 }, (_, index): Entry => [index * 4.32e12, index]);
      await writeInto(store, apart);
      await writeInto(store, [[maxTimestamp, 1]]);
      await assertSums(store, []);
      assert.equal(await pointsRead(store), 2001);
    });

    test('pruned points are not in them, and compacting makes the others again', async () => {
      const store = await withLine();
      await writeInto(store, slots(0, 4 * yearSlots));
      await prune(store, { beforeTimestamp: atSlot(yearSlots), afterTimestamp: atSlot(500) });
      await assertSums(store, []);
      await prune(store, { beforeTimestamp: atSlot(300) });
      await assertSums(store, []);
      assert.ok((await pointsRead(store)) > yearSlots);
      await store.compact();
      await assertSums(store, []);
      assert.ok((await pointsRead(store)) <= yearSlots);
      await using remover = await store.openRemover();
      await remover.removeChart(7, 'players');
      await remover.commit();
      await assertSums(store, []);
    });

    test('they are right after any writes and prunes, in any order', async () => {
      const slot = fc.nat(3 * yearSlots);
      const write = fc.record({
        start: slot,
        count: fc.oneof(fc.nat(20), fc.nat(1000), fc.nat(2 * yearSlots)),
        factor: fc.constantFrom(1, 1, 1, -3, 1e9, 0.25),
      });
      const cut = fc.record({
        after: fc.option(slot, { nil: undefined }),
        before: fc.option(slot, { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof({ weight: 4, arbitrary: write }, { weight: 1, arbitrary: cut }), {
            minLength: 1,
            maxLength: 6,
          }),
          fc.tuple(slot, slot),
          async (changes, [from, to]) => {
            const store = await withLine();
            for (const change of changes) {
              if ('start' in change) {
                const { start, count, factor } = change;
                await writeInto(
                  store,
                  slots(start, count + 1, (one) => (one % 13) * factor + 0),
                );
              } else {
                const { after, before } = change;
                if (after === undefined && before === undefined) continue;
                if (after !== undefined && before !== undefined && after >= before) continue;
                await prune(store, {
                  ...(after === undefined ? {} : { afterTimestamp: atSlot(after) }),
                  ...(before === undefined ? {} : { beforeTimestamp: atSlot(before) }),
                });
              }
            }
            await assertSums(store, [
              { from: atSlot(Math.min(from, to)), to: atSlot(Math.max(from, to)) + 1 },
            ]);
          },
        ),
        { numRuns: 6 },
      );
    });
  });
}
