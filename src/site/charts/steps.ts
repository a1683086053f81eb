/** Work that takes longer than others should wait. */
import type { Turns } from '../../http/turns.ts';

/** Work in steps of less than a millisecond; it may pause at each `yield`. */
export type Steps<Result> = Generator<void, Result>;

/** Does the work, a step in a turn; rejects with what it throws. */
export async function takeSteps<Result>(steps: Steps<Result>, turns: Turns): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turns.next();
  }
}
