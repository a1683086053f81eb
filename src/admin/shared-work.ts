/** Work that callers share, with a pause after it. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause after work, in multiples of the time that it took: short work takes a tenth of the time at most. */
const pauseFactor = 9;

/** Longest pause: a scrape must not be late because a process was slow to report. */
const maxPauseMs = 100;

/** Makes a function that does the work one at a time; callers share work that begins after they have asked. */
export function shareWork<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let isFree: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  const begin = async () => {
    await isFree;
    next = undefined;
    const startedAt = performance.now();
    const result = work();
    isFree = result
      .catch(() => {})
      .then(() => sleep(Math.min(maxPauseMs, pauseFactor * (performance.now() - startedAt))));
    return result;
  };
  return () => {
    next ??= begin();
    return next;
  };
}
