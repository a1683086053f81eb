/** A clock whose waits end at once, and which records them. */
import type { Clock } from '../../../src/client/retry.ts';

/** Makes a clock for a test; `random` replaces the random numbers. */
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
