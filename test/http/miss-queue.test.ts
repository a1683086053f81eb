import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HitFlow } from '../../src/http/hit-flow.ts';
import { MissQueue } from '../../src/http/miss-queue.ts';

test('a bounded number is made in a turn of the event loop, the others in the next ones', async () => {
  const { queue, made } = makeQueue();
  const all = Promise.all(Array.from({ length: 40 }, (_, index) => queue.run(made.work(index))));
  assert.deepEqual(made.indexes, [], 'nothing is made before the turn');
  await nextTurn();
  const inOneTurn = made.indexes.length;
  assert.ok(inOneTurn > 1 && inOneTurn < 40, `${inOneTurn}`);
  await all;
  assert.deepEqual(made.indexes, [...Array(40).keys()]);
});

test('a turn that is due can be taken ahead of other work', async () => {
  const { queue, made } = makeQueue();
  await queue.takeDueTurn();
  const both = Promise.all([queue.run(made.work(1)), queue.run(made.work(2))]);
  await queue.takeDueTurn();
  assert.deepEqual(made.indexes, [1, 2]);
  await both;
  const later = queue.run(made.work(3));
  assert.deepEqual(made.indexes, [1, 2], 'the turn has been taken; what comes after it waits for the next');
  await later;
});

test('beside cached responses that flow, making others takes an eighth of the time', async () => {
  let hitCount = 0;
  const { queue, made } = makeQueue(() => hitCount);
  const startedAt = performance.now();
  let turnCount = 0;
  let isOver = false;
  for (let index = 0; index < 1000; index++) queue.run({ ...made.work(index, 1), isWanted: () => !isOver });
  // Hits without a pause, for long enough that the share shows.
  while (performance.now() - startedAt < 600) {
    hitCount += 1000;
    busy(1);
    turnCount++;
    await nextTurn();
  }
  const share = made.indexes.length / (performance.now() - startedAt);
  isOver = true;
  assert.ok(turnCount > 100);
  assert.ok(share > 0.02 && share < 0.25, `${share}`);
});

test('what nobody waits for is dropped, and makes room', async () => {
  const { queue, made } = makeQueue(() => 0, 2);
  let droppedCount = 0;
  const unwanted = { make: () => assert.fail(), isWanted: () => false, onDropped: () => droppedCount++ };
  queue.run(unwanted);
  const wanted = queue.run(made.work(1));
  await assert.rejects(queue.run(made.work(2)), { code: 'unavailable', kind: 'overloaded' });
  await wanted;
  assert.equal(droppedCount, 1);
  await Promise.all([queue.run(made.work(3)), queue.run(made.work(4))]);
  assert.deepEqual(made.indexes, [1, 3, 4]);
});

test('a failure is that of its own request', async () => {
  const { queue, made } = makeQueue();
  const failing = { make: () => Promise.reject(new Error('broken')), isWanted: () => true, onDropped() {} };
  const results = await Promise.allSettled([queue.run(failing), queue.run(made.work(1))]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
});

/** A queue, and what has been made in it. */
function makeQueue(hitCount = () => 0, maxCount = 2000) {
  const queue = new MissQueue({ maxCount, flow: new HitFlow(hitCount), onRefused() {} });
  const indexes: number[] = [];
  const work = (index: number, ms = 0) => ({
    make: async () => {
      indexes.push(index);
      busy(ms);
    },
    isWanted: () => true,
    onDropped() {},
  });
  return { queue, made: { indexes, work } };
}

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
