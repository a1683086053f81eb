// The clock of a collector over real reports: which times are covered, which slots are closed, and clocks
// that jump.
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { test } from 'node:test';
import type { ClosedSlot } from '../../src/collect/close-slot.ts';
import { SlotClock } from '../../src/collect/slot-clock.ts';
import { AppError } from '../../src/model/app-error.ts';
import type { OpenSlot, ReportStore } from '../../src/model/report-store.ts';
import { openSqliteReports } from '../../src/store/sqlite/sqlite-reports.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
let storeCount = 0;

const minuteMs = 60_000;
const slotMs = 30 * minuteMs;
const start = 1_782_864_000_000;

/** A clock whose times a test sets, and what it did. */
class Watched {
  readonly clock: SlotClock;
  readonly reports: ReportStore;
  readonly closed: OpenSlot[] = [];
  readonly failures: unknown[] = [];
  /** Undefined if closing succeeds. */
  closingFault: Error | undefined;
  #wall: number;
  #monotonic = 0;

  constructor(reports: ReportStore, wall: number) {
    this.reports = reports;
    this.#wall = wall;
    this.clock = new SlotClock({
      reports,
      slotMs,
      now: () => this.#wall,
      monotonicNow: () => this.#monotonic,
      closeSlot: (slot) => this.#close(slot),
      onClosed: () => {},
      onFailure: (error) => this.failures.push(error),
    });
  }

  /** Lets time pass, with a tick each minute. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += minuteMs) {
      this.#wall += minuteMs;
      this.#monotonic += minuteMs;
      await this.tick();
    }
  }

  async tick(): Promise<void> {
    await this.clock.tick();
    // The slots that have ended are closed beside it.
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Lets time pass without a tick. */
  sleep(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
  }

  /** Puts the clock forward or back, as an operator would. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  async #close(slot: OpenSlot): Promise<ClosedSlot> {
    if (this.closingFault !== undefined) throw this.closingFault;
    this.closed.push(slot);
    await this.reports.freezeSlot(slot.start);
    await this.reports.forgetSlot(slot.start);
    return { coveredParts: 0, outcome: 'written', recordCount: 0 };
  }
}

async function watch(wall: number, store = directory.at(`store-${++storeCount}.db`)): Promise<Watched> {
  return new Watched(await openSqliteReports(store), wall);
}

/** The minutes of a slot that are covered. */
const minutes = (slot: OpenSlot | undefined) =>
  Array.from({ length: 30 }, (_, minute) => minute).filter(
    (minute) => ((slot?.covered ?? 0) & (2 ** minute)) !== 0,
  );

/** Whole numbers from the first to the one before the last. */
const range = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, index) => first + index);

test('the time from the start is covered, and the whole of the next slot, which then is closed', async () => {
  const watched = await watch(start + 4 * minuteMs);
  await using _ = watched.reports;
  await watched.tick();
  await watched.pass(slotMs);
  await watched.pass(slotMs);
  assert.deepEqual(
    watched.closed.map((slot) => [slot.start - start, minutes(slot)]),
    [
      [0, range(4, 30)],
      [slotMs, range(0, 30)],
    ],
  );
  assert.deepEqual(watched.failures, []);
});

test('a stop and a start leave a hole in what is covered', async () => {
  const store = directory.at('restarted.db');
  {
    const first = await watch(start, store);
    await using _ = first.reports;
    await first.tick();
    await first.pass(10 * minuteMs);
    await first.clock.stop();
  }
  const second = await watch(start + 12 * minuteMs, store);
  await using _ = second.reports;
  await second.tick();
  await second.pass(20 * minuteMs);
  assert.deepEqual(minutes(second.closed[0]), [...range(0, 11), ...range(12, 30)]);
});

test('the time over which a clock jumps is not covered', async () => {
  const watched = await watch(start);
  await using _ = watched.reports;
  await watched.tick();
  await watched.pass(5 * minuteMs);
  watched.jump(10 * minuteMs);
  await watched.tick();
  await watched.pass(16 * minuteMs);
  assert.deepEqual(minutes(watched.closed[0]), [...range(0, 6), ...range(15, 30)]);
});

test('the time in which a collector hangs is not covered', async () => {
  const watched = await watch(start);
  await using _ = watched.reports;
  await watched.tick();
  await watched.pass(5 * minuteMs);
  watched.sleep(10 * minuteMs);
  await watched.pass(16 * minuteMs);
  assert.deepEqual(minutes(watched.closed[0]), [...range(0, 6), ...range(16, 30)]);
});

test('a clock that is put back into a slot that is closed gets no reports there, and goes on later', async () => {
  const watched = await watch(start);
  await using _ = watched.reports;
  await watched.tick();
  await watched.pass(slotMs + 5 * minuteMs);
  assert.equal(watched.closed.length, 1);
  watched.jump(-10 * minuteMs);
  await assert.rejects(watched.clock.current(), { kind: 'slot-closed' });
  await watched.tick();
  assert.equal(watched.clock.findReason(), 'the reports cannot be written');
  assert.equal(watched.failures.length, 1);
  await watched.clock.begin();
  await watched.pass(6 * minuteMs);
  assert.equal((await watched.clock.current()).start, start + slotMs);
  assert.equal(watched.clock.findReason(), undefined);
});

test('a slot that could not be closed is tried again, after a pause', async () => {
  const watched = await watch(start);
  await using _ = watched.reports;
  await watched.tick();
  watched.closingFault = new Error('the store is busy');
  await watched.pass(slotMs + minuteMs);
  assert.deepEqual(watched.failures, [watched.closingFault]);
  watched.closingFault = undefined;
  await watched.pass(minuteMs);
  assert.deepEqual(
    watched.closed.map((slot) => slot.start),
    [start],
  );
});

const notClosed = `the slot of ${new Date(start).toISOString()} cannot be closed`;

test('a slot that could not be closed three times in a row is named until it is closed', async () => {
  const watched = await watch(start);
  await using _ = watched.reports;
  await watched.tick();
  watched.closingFault = new Error('the store is busy');
  const named = [];
  await watched.pass(slotMs);
  for (let failure = 0; failure < 4; failure++) {
    await watched.pass(minuteMs);
    named.push(watched.clock.findReason());
  }
  assert.deepEqual(named, [undefined, undefined, notClosed, notClosed]);
  watched.closingFault = undefined;
  await watched.pass(minuteMs);
  assert.equal(watched.clock.findReason(), undefined);
  assert.equal(watched.closed.length, 1);
});

test('a slot that could not be closed is not named when another collector has closed it', async () => {
  const watched = await watch(start);
  await using _ = watched.reports;
  await watched.tick();
  watched.closingFault = new Error('the store is busy');
  await watched.pass(slotMs + 3 * minuteMs);
  assert.equal(watched.clock.findReason(), notClosed);
  await watched.reports.freezeSlot(start);
  await watched.reports.forgetSlot(start);
  await watched.pass(minuteMs);
  assert.equal(watched.clock.findReason(), undefined);
});

test('a part is covered if the reports could be written at one moment of it', async () => {
  const watched = await watch(start);
  await using _ = watched.reports;
  const { cover } = watched.reports;
  await watched.tick();
  await watched.pass(5 * minuteMs);
  watched.reports.cover = () => Promise.reject(new Error('the disk is full'));
  await watched.pass(2 * minuteMs);
  assert.equal(watched.clock.findReason(), 'the reports cannot be written');
  watched.sleep(30_000);
  watched.reports.cover = cover;
  await watched.tick();
  assert.equal(watched.clock.findReason(), undefined);
  watched.clock.noteFailure();
  assert.equal(watched.clock.findReason(), 'the reports cannot be written');
  await watched.tick();
  assert.equal(watched.clock.findReason(), undefined);
  // A commit that hangs.
  watched.sleep(10_000);
  assert.equal(watched.clock.findReason(), 'the reports cannot be written');
  await watched.pass(23 * minuteMs);
  assert.equal(watched.clock.findReason(), undefined);
  assert.deepEqual(minutes(watched.closed[0]), [...range(0, 6), ...range(7, 30)]);
});

test('if the file of the reports is moved, the next slots are counted from the new file', async () => {
  const store = directory.at('moved.db');
  const watched = await watch(start, store);
  await using _ = watched.reports;
  await watched.tick();
  await watched.pass(5 * minuteMs);
  for (const suffix of ['', '-wal', '-shm']) renameSync(`${store}-reports${suffix}`, `${store}-old${suffix}`);
  await watched.pass(minuteMs);
  const message = `the store ${store}-reports was moved or replaced: the reports in it are not counted`;
  assert.deepEqual(watched.failures.splice(0), [new AppError('store-unavailable', message)]);
  assert.equal(watched.clock.findReason(), 'the reports cannot be written');
  await watched.pass(minuteMs);
  assert.equal(watched.clock.findReason(), undefined);
  await watched.reports.append(start, 'a report');
  await watched.pass(2 * slotMs);
  assert.deepEqual(watched.closed.map(minutes), [range(7, 30), range(0, 30)]);
  assert.deepEqual(watched.failures, []);
});

test('if the file of the reports is found moved while slots are closed, the slot is opened again at once', async ({
  mock,
}) => {
  const store = directory.at('moved-later.db');
  const watched = await watch(start, store);
  await using reports = watched.reports;
  await watched.tick();
  const before = await watched.clock.current();
  const list = reports.listSlots.bind(reports);
  const moveAndList = () => {
    for (const suffix of ['', '-wal', '-shm'])
      renameSync(`${store}-reports${suffix}`, `${store}-gone${suffix}`);
    return list();
  };
  mock.method(reports, 'listSlots', moveAndList, { times: 1 });
  await watched.tick();
  assert.equal(watched.failures.length, 1);
  assert.notDeepEqual((await watched.clock.current()).key, before.key);
});
