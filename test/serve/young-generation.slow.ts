// The size of the young generation under load, and under load after V8 has made it small.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limitYoungGeneration } from '../../src/serve/young-generation.ts';

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
  using _limit = limitYoungGeneration();
  await makeSurvivors();
  assert.equal(capacity(), 4);
  collect({ type: 'major', flavor: 'last-resort' });
  assert.equal(capacity(), 1);
  await sleep(300);
  await makeSurvivors();
  assert.equal(capacity(), 4);
});
