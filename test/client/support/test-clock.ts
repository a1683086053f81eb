/** A clock that goes as fast as it is asked, and writes down every wait. */
import type { Clock } from '../../../src/client/retry.ts';

/** A clock of a test. `random` is what chance gives. */
export interface TestClock extends Clock {
  readonly waitsMs: readonly number[];
}

export function testClock({ nowMs = 0, random = 0 } = {}): TestClock {
  const waitsMs: number[] = [];
  return {
    waitsMs,
    now: () => nowMs,
    random: () => random,
    async wait(ms, signal) {
      waitsMs.push(ms);
      signal?.throwIfAborted();
    },
  };
}
