// The gate for work that takes much memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gate } from '../../src/http/gate.ts';
import { type Turns, WorkDropped } from '../../src/http/turns.ts';

/** Turns of work that can be dropped while it waits. */
class DroppableTurns implements Turns {
  readonly #dropped = Promise.withResolvers<never>();

  constructor() {
    this.#dropped.promise.catch(() => {});
  }

  drop(): void {
    this.#dropped.reject(new WorkDropped());
  }

  async next(): Promise<void> {}

  wait<Result>(outside: Promise<Result>): Promise<Result> {
    return Promise.race([outside, this.#dropped.promise]);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('work enters in order, as many pieces at a time as there are passes', async () => {
  const gate = new Gate(2);
  const entered: number[] = [];
  const passes = await Promise.all(
    [0, 1].map((index) => {
      entered.push(index);
      return gate.enter(new DroppableTurns());
    }),
  );
  const later = [2, 3].map(async (index) => {
    const pass = await gate.enter(new DroppableTurns());
    entered.push(index);
    return pass;
  });
  await settled();
  assert.deepEqual(entered, [0, 1]);
  passes[1]?.[Symbol.dispose]();
  await settled();
  assert.deepEqual(entered, [0, 1, 2]);
  passes[0]?.[Symbol.dispose]();
  await settled();
  assert.deepEqual(entered, [0, 1, 2, 3]);
  for (const pass of await Promise.all(later)) pass[Symbol.dispose]();
  const again = await Promise.all([gate.enter(new DroppableTurns()), gate.enter(new DroppableTurns())]);
  assert.equal(again.length, 2);
});

test('work that is dropped while it waits, or just as it is let in, keeps no pass', async () => {
  const gate = new Gate(1);
  const first = await gate.enter(new DroppableTurns());
  const [waiting, letIn] = [new DroppableTurns(), new DroppableTurns()];
  const refusals = [waiting, letIn].map((turns) => assert.rejects(gate.enter(turns), WorkDropped));
  waiting.drop();
  await refusals[0];
  letIn.drop();
  first[Symbol.dispose]();
  await refusals[1];
  const next = await gate.enter(new DroppableTurns());
  next[Symbol.dispose]();
});
