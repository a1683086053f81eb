// When V8 collects: the size of the young generation under load, also after V8 has made it small, and the growth of the old one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GCProfiler, getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limitHeap } from '../../src/serve/heap-limits.ts';

setFlagsFromString('--expose-gc');
const collect: (options: object) => void = runInNewContext('gc');

/** The capacity of a semi-space in MiB. */
function capacity(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  assert.ok(young);
  return Math.round((young.space_used_size + young.space_available_size) / 2 ** 20);
}

/** Makes objects that live long enough to be found in use by collections: for a second, as many as a busy server does. */
async function makeSurvivors(): Promise<void> {
  const recent: object[] = [];
  for (const end = performance.now() + 1000; performance.now() < end; await sleep(20))
    for (let index = 0; index < 20_000; index++) recent[index] = { text: String(index) };
}

test('the young generation grows to 4 MiB, and again after it was made small', async () => {
  using _limit = limitHeap();
  await makeSurvivors();
  assert.equal(capacity(), 4);
  collect({ type: 'major', flavor: 'last-resort' });
  assert.equal(capacity(), 1);
  await sleep(300);
  await makeSurvivors();
  assert.equal(capacity(), 4);
});

/** Counts collections of the old generation while `mebibytes` outside the heap grow old and are given up. */
async function countCollections(mebibytes: number): Promise<number> {
  const profiler = new GCProfiler();
  profiler.start();
  for (let taken = 0; taken < mebibytes; taken++) {
    const bytes = new Uint8Array(2 ** 20);
    collect({ type: 'minor' });
    collect({ type: 'minor' });
    await sleep(2);
    assert.equal(bytes.length, 2 ** 20);
  }
  await sleep(200);
  const { statistics = [] } = profiler.stop() ?? {};
  return statistics.filter(({ gcType }) => gcType === 'MarkSweepCompact').length;
}

test('a small old generation triples between its collections, instead of growing by 8 MiB', async () => {
  // With the code of the tests 12 MiB.
  const used = Array.from({ length: 2 ** 19 }, (_, index) => index + 0.5);
  using _limit = limitHeap();
  await sleep(100);
  collect({ type: 'major' });
  // With its own settings V8 collects eleven times.
  const count = await countCollections(140);
  assert.ok(count > 0 && count <= 7, `${count} collections`);
  assert.equal(used.length, 2 ** 19);
});
