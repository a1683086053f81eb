/** Work that takes longer than others should wait. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work in steps of less than a millisecond: an empty text after each but the last, so that a body can be made of them. */
export type Steps<Result> = Generator<'', Result>;

/** Does the work, with a turn for others after each step; rejects with what it throws. */
export async function takeSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
