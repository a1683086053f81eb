// Clocks that jump anywhere, and collectors that start again: each slot is there once with the reports that were accepted in it, or is left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClosedSlot, closeSlot } from '../../src/collect/close-slot.ts';
import { CollectedCatalogue } from '../../src/collect/collected-catalogue.ts';
import { Collector } from '../../src/collect/collector.ts';
import { ReportBudget } from '../../src/collect/listener/report-budget.ts';
import { ReportQueue } from '../../src/collect/report-queue.ts';
import { SlotClock } from '../../src/collect/slot-clock.ts';
import { AppError } from '../../src/model/app-error.ts';
import type { Store } from '../../src/model/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { exportFrom, importInto } from '../store-contract.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { fc } from '../support/seed.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

const minuteMs = 60_000;
const slotMs = 30 * minuteMs;
const start = 1_782_864_000_000;

/** The machine's clock, and one that never jumps. */
const time = { wall: 0, monotonic: 0 };

/** Takes the error of a clock that has been put back into a slot that is closed. */
function refuseOther(error: unknown): void {
  assert.ok(error instanceof AppError && error.kind === 'slot-closed', String(error));
}

/** A collector, as `collect` makes it of its parts. */
async function startCollector(store: Store, closed: (readonly [number, ClosedSlot])[]) {
  const reports = await store.openReports();
  const reader = await store.openReader();
  const queue = new ReportQueue(reports, 1_000_000);
  const now = () => time.wall;
  const clock = new SlotClock({
    reports,
    slotMs,
    now,
    monotonicNow: () => time.monotonic,
    closeSlot: (slot) => closeSlot(slot, { store, slotMs, historyMs: undefined }),
    onClosed: (slot, outcome) => closed.push([slot, outcome]),
    onFailure: refuseOther,
  });
  const catalogue = new CollectedCatalogue(reader);
  const collector = new Collector({
    catalogue,
    queue,
    clock,
    now,
    findCountry: () => undefined,
    onDropped: () => {},
  });
  await clock.begin();
  const stop = async () => {
    await clock.stop();
    await reports[Symbol.asyncDispose]();
    await reader[Symbol.asyncDispose]();
  };
  return { collector, clock, stop };
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ minutes: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ jump: fc.integer({ min: -120, max: 120 }) }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

test('whatever the clock does, a slot is written once with exact numbers, or left out', async () => {
  let storeCount = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const store = openSqliteStore(directory.at(`store-${++storeCount}.db`));
      await importInto(
        store,
        archiveText([softwareLine(), pluginLine(), chartLine({ chartId: 'servers', isDefault: true })]),
      );
      Object.assign(time, { wall: start, monotonic: 0 });
      const accepted = new Map<number, number>();
      const closed: (readonly [number, ClosedSlot])[] = [];
      let running = await startCollector(store, closed);
      let serverCount = 0;
      const send = async () => {
        const slot = running.clock.start;
        const report = JSON.stringify({ serverUUID: `server ${serverCount++}`, service: { id: 7 } });
        const network = '192.0.2.1';
        using held = new ReportBudget(3_000_000).hold(network);
        const origin = { softwareUrl: 'bukkit', address: network, network, held };
        try {
          await running.collector.take(report, origin);
        } catch (error) {
          refuseOther(error);
          return;
        }
        accepted.set(slot, (accepted.get(slot) ?? 0) + 1);
      };
      const pass = async (minutes: number) => {
        for (let minute = 0; minute < minutes; minute++) {
          time.wall += minuteMs;
          time.monotonic += minuteMs;
          await running.clock.tick();
        }
      };
      for (const one of steps) {
        if (one === 'restart') {
          await running.stop();
          running = await startCollector(store, closed);
        } else if ('jump' in one) time.wall += one.jump * minuteMs;
        else await pass(one.minutes);
        await send();
      }
      // All slots end, and are closed by the last collector.
      time.wall = Math.max(time.wall, start) + 1000 * slotMs;
      await running.stop();
      running = await startCollector(store, closed);
      await running.clock.tick();
      await running.stop();

      const slots = closed.map(([slot]) => slot);
      assert.deepEqual(slots.length, new Set(slots).size, 'closed once');
      for (const slot of accepted.keys()) assert.ok(slots.includes(slot), 'none is lost');
      const written = closed.filter(([, { outcome }]) => outcome === 'written').map(([slot]) => slot);
      const expected = written
        .map((slot) => [slot, accepted.get(slot) ?? 0])
        .sort(([one = 0], [other = 0]) => one - other);
      const line = (await exportFrom(store)).split('\n').find((text) => text.startsWith('{"record":"data"'));
      // Until somebody has reported, a line has no point at all.
      const points: number[][] = line === undefined ? [] : JSON.parse(line).data;
      assert.deepEqual(
        points.toSorted(([one = 0], [other = 0]) => one - other).filter(hasReports),
        expected.filter(hasReports),
      );
      for (const [slot] of points) assert.ok(written.includes(slot ?? 0), 'no point of another slot');
    }),
    { numRuns: 15 },
  );
});

function hasReports([, count]: readonly number[]): boolean {
  return count !== 0;
}
