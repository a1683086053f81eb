// The gate for work that takes much memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gate } from '../../src/http/gate.ts';
import { type Turns, WorkDropped } from '../../src/http/turns.ts';

/** Turns of work that can be dropped while it waits. */
class DroppableTurns implements Turns {
  readonly #dropped = Promise.withResolvers<never>();
  readonly #onLeft: (() => void)[] = [];

  constructor() {
    this.#dropped.promise.catch(() => {});
  }

  drop(): void {
    this.#dropped.reject(new WorkDropped());
  }

  /** Leaves the queue. */
  leave(): void {
    for (const callback of this.#onLeft.splice(0)) callback();
  }

  async next(): Promise<void> {}

  wait<Result>(outside: Promise<Result>): Promise<Result> {
    return Promise.race([outside, this.#dropped.promise]);
  }

  whenLeft(callback: () => void): void {
    this.#onLeft.push(callback);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('work enters in order, as many pieces at a time as there is room for, until others leave', async () => {
  const gate = new Gate(2);
  const entered: number[] = [];
  const works = Array.from({ length: 4 }, () => new DroppableTurns());
  const all = works.map(async (turns, index) => {
    await gate.enter(turns);
    entered.push(index);
  });
  await settled();
  assert.deepEqual(entered, [0, 1]);
  works[1]?.leave();
  await settled();
  assert.deepEqual(entered, [0, 1, 2]);
  works[0]?.leave();
  await Promise.all(all);
  assert.deepEqual(entered, [0, 1, 2, 3]);
  for (const turns of works) turns.leave();
  await Promise.all([gate.enter(new DroppableTurns()), gate.enter(new DroppableTurns())]);
});

test('work that is dropped while it waits, or just as it is let in, takes no room', async () => {
  const gate = new Gate(1);
  const first = new DroppableTurns();
  await gate.enter(first);
  const [waiting, letIn] = [new DroppableTurns(), new DroppableTurns()];
  const refusals = [waiting, letIn].map((turns) => assert.rejects(gate.enter(turns), WorkDropped));
  waiting.drop();
  await refusals[0];
  letIn.drop();
  first.leave();
  await refusals[1];
  await gate.enter(new DroppableTurns());
});
