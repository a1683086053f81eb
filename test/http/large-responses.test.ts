import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LargeResponses } from '../../src/http/cache/large-responses.ts';
import { HitFlow } from '../../src/http/hit-flow.ts';
import { MissQueue } from '../../src/http/miss-queue.ts';

test('what takes less time is made ahead of the next slice', async () => {
  const made: string[] = [];
  const flow = new HitFlow(() => 0);
  const bounds = { maxCount: 100, flow, onRefused: () => assert.fail() };
  const misses = new MissQueue(bounds);
  const large = new LargeResponses({ ...bounds, beforeSlice: () => misses.takeDueTurn() });
  const ask = (name: string) =>
    misses.run({
      make: async () => {
        // What is read comes in microtasks.
        await Promise.resolve();
        made.push(name);
      },
      isWanted: () => true,
      onDropped: () => assert.fail(),
    });
  await large.run({
    demand: () => 'certain',
    async *start() {
      for (const slice of ['first', 'second', 'third']) {
        made.push(`${slice} slice`);
        // It comes after the next slice has been planned.
        process.nextTick(() => void ask(`asked beside the ${slice} slice`));
        yield;
      }
    },
    onDropped: () => assert.fail(),
  });
  await misses.takeDueTurn();
  const expected = ['first', 'second', 'third'].flatMap((slice) => [
    `${slice} slice`,
    `asked beside the ${slice} slice`,
  ]);
  assert.deepEqual(made, expected);
});
