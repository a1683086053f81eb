/** Work that concurrent callers share, with a pause after it. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause after work, as a multiple of its duration: short work takes at most a tenth of the time. */
const pauseFactor = 9;

/** Longest pause, so that a scrape is not late because a process was slow to report. */
const maxPauseMs = 100;

/** Makes a function that never runs the work twice at a time. Callers share the next run, which starts after they called. */
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
