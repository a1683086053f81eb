// The counts of the store for the metrics: updated after changes, but seldom.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseStoreName } from '../../src/cli/store-name.ts';
import type { StoreStats } from '../../src/model/store.ts';
import { StoreWatch } from '../../src/serve/store-watch.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

test('a store is counted once after each change, and at most once a minute', async () => {
  const path = directory.at('store.db');
  const importPoints = (points: string) =>
    importText(path, archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', points)]));
  await importPoints('[[1000,1]]');
  const store = parseStoreName(path);
  let countCount = 0;
  let now = 0;
  const count = () => {
    countCount++;
    return store.loadStats();
  };
  const watch = new StoreWatch(count, () => now);
  assert.equal(await watch.read(undefined), undefined, 'a store that has not been opened');
  await using reader = await store.openReader();
  const first = await untilPoints(1);
  assert.deepEqual([first.pluginCount, first.chartCount, first.newestTimestamp], [1, 1, 1000]);
  assert.ok(first.sizeBytes > 1000);
  now = 61_000;
  await watch.read(reader);
  assert.equal(countCount, 1, 'nothing has changed');
  await importPoints('[[2000,2]]');
  now = 62_000;
  await untilPoints(2);
  await importPoints('[[3000,3]]');
  now = 121_000;
  await watch.read(reader);
  assert.equal(countCount, 2, 'a minute has not passed');
  now = 122_001;
  await untilPoints(3);
  assert.equal(countCount, 3);

  /** Waits for a count, which runs in the background. */
  async function untilPoints(count: number): Promise<StoreStats> {
    for (const deadline = performance.now() + 30_000; ; await sleep(20)) {
      const stats = await watch.read(reader);
      if (stats?.pointCount === count) return stats;
      assert.ok(performance.now() < deadline, 'not within 30 s');
    }
  }
});

test('an unreadable store has no counts', async () => {
  const path = directory.at('other.db');
  await importText(path, archiveText([softwareLine()]));
  await using reader = await parseStoreName(path).openReader();
  const watch = new StoreWatch(async () => undefined);
  assert.equal(await watch.read(reader), undefined);
});
