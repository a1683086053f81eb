/** Work that is done for all who ask at the same time, and for a small part of the time alone. */
import { setTimeout as sleep } from 'node:timers/promises';

/** After work, nothing is done for so many times as long as it took: it takes a tenth of the time at most. */
const pauseFactor = 9;

/** A pause is no longer than this, so that a scrape is not late because a process was slow to report. */
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
