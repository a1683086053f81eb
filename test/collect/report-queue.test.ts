// The queue of reports before a store that can be held up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReportQueue } from '../../src/collect/report-queue.ts';
import { AppError } from '../../src/model/app-error.ts';
import type { KeepOutcome, Submission } from '../../src/model/report-store.ts';

const hash = new Uint8Array(8);
const submission: Submission = { server: hash, address: hash, plugins: [], globalPlugin: undefined };

/** A store whose commits end when a test says so. */
class HeldStore {
  readonly batches: {
    readonly slot: number;
    readonly size: number;
    readonly end: (error?: unknown) => void;
  }[] = [];

  keep(slot: number, submissions: readonly Submission[]): Promise<readonly (readonly KeepOutcome[])[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly (readonly KeepOutcome[])[]>();
    const end = (error?: unknown) =>
      error === undefined ? resolve(submissions.map(() => ['kept'])) : reject(error);
    this.batches.push({ slot, size: submissions.length, end });
    return promise;
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

test('reports that come together share a commit, and those that come meanwhile the next', async () => {
  const store = new HeldStore();
  const queue = new ReportQueue(store, 1);
  const first = [queue.add(1, submission, 100), queue.add(1, submission, 100)];
  await turn();
  const next = [queue.add(1, submission, 100), queue.add(2, submission, 100), queue.add(1, submission, 100)];
  await turn();
  assert.equal(store.batches.length, 1);
  store.batches[0]?.end();
  assert.deepEqual(await Promise.all(first), [['kept'], ['kept']]);
  await turn();
  store.batches[1]?.end();
  await turn();
  store.batches[2]?.end();
  await Promise.all(next);
  assert.deepEqual(
    store.batches.map(({ slot, size }) => [slot, size]),
    [
      [1, 2],
      [1, 2],
      [2, 1],
    ],
  );
});

test('a commit that fails refuses its reports, and the next is tried', async () => {
  const store = new HeldStore();
  const queue = new ReportQueue(store, 1);
  const failing = queue.add(1, submission, 100);
  await turn();
  store.batches[0]?.end(new AppError('unavailable', 'the disk is full'));
  await assert.rejects(failing, { code: 'unavailable', message: 'the disk is full' });
  const after = queue.add(1, submission, 100);
  await turn();
  store.batches[1]?.end();
  assert.deepEqual(await after, ['kept']);
});

test('reports beyond the limit, and those behind a stalled commit, are refused at once', async () => {
  const store = new HeldStore();
  const queue = new ReportQueue(store, 1, { maxPending: 2, maxCommitMs: 30 });
  const kept = [queue.add(1, submission, 100), queue.add(1, submission, 100)];
  await assert.rejects(queue.add(1, submission, 100), { code: 'unavailable', kind: 'overloaded' });
  await turn();
  while (!queue.isStalled) await turn();
  await assert.rejects(queue.add(1, submission, 100), { code: 'unavailable', kind: 'overloaded' });
  store.batches[0]?.end();
  await Promise.all(kept);
  assert.equal(queue.isStalled, false);
});

test('reports with more bytes than may be held are refused until those before them are committed', async () => {
  const store = new HeldStore();
  const queue = new ReportQueue(store, 1, { maxHeldBytes: 250 });
  const add = () => queue.add(1, submission, 100);
  const first = add();
  await turn();
  const next = [add(), add()];
  await assert.rejects(add(), { code: 'unavailable', kind: 'overloaded' });
  store.batches[0]?.end();
  await first;
  await turn();
  const last = add();
  await assert.rejects(add(), { code: 'unavailable', kind: 'overloaded' });
  store.batches[1]?.end(new AppError('unavailable', 'the disk is full'));
  for (const one of next) await assert.rejects(one, { message: 'the disk is full' });
  await turn();
  store.batches[2]?.end();
  assert.deepEqual(await last, ['kept']);
});
