/** What a process takes from its machine: CPU time, memory, and how long its event loop keeps others waiting. */

/** A histogram as Prometheus counts it. */
export interface Histogram {
  /** How many values were at most as large as the bound of the same place in {@link delayBoundsSeconds}. */
  readonly bucketCounts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** Counted since the watch began, save what is said to be so now. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  /** Now. */
  readonly residentBytes: number;
  /** How much later than due the event loop came to something, in seconds. */
  readonly loopDelay: Histogram;
}

/** Upper bounds of the buckets of the delay. */
export const delayBoundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1] as const;

/** Seldom enough to cost nothing. */
const intervalMs = 100;

/** Begins to watch this process, without keeping it alive; gives what tells its usage so far. */
export function watchProcess(): () => ProcessUsage {
  const bucketCounts = delayBoundsSeconds.map(() => 0);
  let count = 0;
  let sum = 0;
  let dueAt = performance.now() + intervalMs;
  const timer = setInterval(() => {
    const now = performance.now();
    const delaySeconds = Math.max(0, now - dueAt) / 1000;
    dueAt = now + intervalMs;
    count++;
    sum += delaySeconds;
    for (const [index, bound] of delayBoundsSeconds.entries())
      if (delaySeconds <= bound) bucketCounts[index] = (bucketCounts[index] ?? 0) + 1;
  }, intervalMs);
  timer.unref();
  return () => {
    const { user, system } = process.cpuUsage();
    const residentBytes = process.memoryUsage.rss();
    const loopDelay = { bucketCounts: [...bucketCounts], count, sum };
    return { cpuSeconds: (user + system) / 1e6, residentBytes, loopDelay };
  };
}
