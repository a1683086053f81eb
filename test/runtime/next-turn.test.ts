// Turns of the event loop, which go round by client network.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { findNetworksBy, nextTurn } from '../../src/runtime/next-turn.ts';

/** Longer than a turn. */
function spin(): void {
  const endsAt = performance.now() + 1.5;
  while (performance.now() < endsAt);
}

test('a network has every other turn, whatever work there is for another one, and lends it to work that both want', async () => {
  const networksOfWork = new AsyncLocalStorage<ReadonlySet<string>>();
  findNetworksBy(() => networksOfWork.getStore());
  const steps: string[] = [];
  const work = (name: string, networks: ReadonlySet<string>) =>
    networksOfWork.run(networks, async () => {
      for (let step = 0; step < 20; step++) {
        await nextTurn();
        steps.push(name);
        spin();
      }
    });
  const shared = new Set(['many']);
  const many = Array.from({ length: 10 }, () => work('many', new Set(['many'])));
  const both = work('one', shared);
  shared.add('one');
  await both;
  // It waited for its first turn behind the others of its network.
  assert.ok(steps.length <= 10 + 2 * 20, steps.join());
  await Promise.all(many);
});
