// The queue of reports before a store that can be held up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLines, renderPlugin, type Submission } from '../../src/collect/report-line.ts';
import { ReportQueue } from '../../src/collect/report-queue.ts';
import { AppError } from '../../src/model/app-error.ts';

/** A report of a server for plugin 7. */
function reportOf(server: number, sizeBytes = 100, plugins = [7]): Submission {
  const texts = plugins.map((pluginId) =>
    renderPlugin(pluginId, [['chart', [['x'.repeat(sizeBytes - 60), 1]]]]),
  );
  return {
    server: server * 1_000_003,
    address: server * 1_000_003,
    plugins: texts,
    globalPlugin: renderPlugin(1, []),
  };
}

let serverCount = 0;
/** A report of a server that has not reported yet. */
const newReport = (sizeBytes = 100) => reportOf(++serverCount, sizeBytes);

/** A log whose commits end when a test says so. */
class HeldLog {
  readonly batches: {
    readonly slot: number;
    readonly text: string;
    readonly size: number;
    readonly end: (error?: unknown) => void;
  }[] = [];

  append(slot: number, text: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    this.batches.push({ slot, text, size: [...parseLines(text)].length, end });
    return promise;
  }

  /** Reads the appends to a slot before. */
  async *readLog(slot: number): AsyncGenerator<string> {
    for (const batch of this.batches) if (batch.slot === slot) yield batch.text;
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

test('reports that come together share a commit, and those that come meanwhile the next', async () => {
  const store = new HeldLog();
  const queue = new ReportQueue(store, 2);
  const first = [queue.add(1, newReport()), queue.add(1, newReport())];
  await turn();
  const next = [queue.add(1, newReport()), queue.add(2, newReport()), queue.add(1, newReport())];
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
  const store = new HeldLog();
  const queue = new ReportQueue(store, 2);
  const failing = queue.add(1, newReport());
  await turn();
  store.batches[0]?.end(new AppError('unavailable', 'the disk is full'));
  await assert.rejects(failing, { code: 'unavailable', message: 'the disk is full' });
  const after = queue.add(1, newReport());
  await turn();
  store.batches[1]?.end();
  assert.deepEqual(await after, ['kept']);
});

/** Adds reports one after another; returns their fates. */
async function addAll(store: HeldLog, queue: ReportQueue, ...submissions: readonly Submission[]) {
  const fates = [];
  for (const submission of submissions) {
    const count = store.batches.length;
    const added = queue.add(1, submission);
    for (let turns = 0; turns < 5; turns++) await turn();
    if (store.batches.length > count) store.batches.at(-1)?.end();
    fates.push(await added);
  }
  return fates;
}

const pluginsIn = (store: HeldLog) =>
  store.batches.flatMap(({ text }) =>
    Array.from(parseLines(text), ({ plugins, globalPlugin }) =>
      [...plugins, ...(globalPlugin === null ? [] : [globalPlugin])].map(([pluginId]) => pluginId),
    ),
  );

test('of several reports of a server in one batch the first counts', async () => {
  const store = new HeldLog();
  const queue = new ReportQueue(store, 2);
  const added = [reportOf(1), reportOf(1), reportOf(2)].map((one) => queue.add(1, one));
  await turn();
  store.batches[0]?.end();
  assert.deepEqual(await Promise.all(added), [['kept'], ['repeated'], ['kept']]);
});

test('a report that is too large as it is kept is refused, with digits as they are written', async () => {
  const store = new HeldLog();
  const queue = new ReportQueue(store, 2);
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => [`chart ${index}`, 1e20] as const);
  const large = (count: number) => ({ ...reportOf(1), plugins: [renderPlugin(7, lines(count))] });
  const tooLarge = {
    code: 'invalid',
    kind: 'body-too-large',
    message: /^a report may have at most 1048576 bytes in the log/,
  };
  await assert.rejects(queue.add(1, large(30_000)), tooLarge);
  assert.deepEqual(await addAll(store, queue, large(20_000)), [['kept']]);
  assert.ok(JSON.stringify(lines(30_000)).replaceAll('100000000000000000000', '1e20').length < 700_000);
});

test('a report that could not be written may be sent again', async () => {
  const store = new HeldLog();
  const queue = new ReportQueue(store, 1);
  const failing = queue.add(1, reportOf(1));
  await turn();
  store.batches.splice(0)[0]?.end(new AppError('unavailable', 'the disk is full'));
  await assert.rejects(failing);
  assert.deepEqual(await addAll(store, queue, reportOf(1), reportOf(1)), [['kept'], ['repeated']]);
  assert.deepEqual(pluginsIn(store), [[7, 1]]);
});
