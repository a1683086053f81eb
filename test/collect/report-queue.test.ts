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

test('reports behind a stalled commit are refused at once', async () => {
  const store = new HeldStore();
  const queue = new ReportQueue(store, 1, { maxCommitMs: 30 });
  const kept = [queue.add(1, submission, 100), queue.add(1, submission, 100)];
  await turn();
  while (!queue.isStalled) await turn();
  await assert.rejects(queue.add(1, submission, 100), { code: 'unavailable', kind: 'overloaded' });
  store.batches[0]?.end();
  await Promise.all(kept);
  assert.equal(queue.isStalled, false);
});

test('large reports are committed in several steps, and a step that fails refuses its own alone', async () => {
  const store = new HeldStore();
  const queue = new ReportQueue(store, 1);
  const kib = 1024;
  const sizes = [700 * kib, 700 * kib, 2 * kib, 2 * kib, 1024 * kib, 5 * kib];
  const added = Promise.allSettled(sizes.map((sizeBytes) => queue.add(1, submission, sizeBytes)));
  for (const index of [0, 1, 2]) {
    while (store.batches.length <= index) await turn();
    store.batches[index]?.end(index === 1 ? new AppError('unavailable', 'the disk is full') : undefined);
  }
  assert.deepEqual(
    (await added).map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(
    store.batches.map(({ size }) => size),
    [2, 3, 1],
  );
});
