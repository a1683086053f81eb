/** Work in steps, so that other work has its turns in between. */
import { nextTurn } from '../../model/next-turn.ts';

/** Work in steps of less than a millisecond; it may pause at each `yield`. */
export type Steps<Result> = Generator<void, Result>;

/** Does the work, one step in a turn; rejects as the steps throw. */
export async function takeSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
