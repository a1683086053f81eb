/** What a process uses: CPU time, memory, and the delay of its event loop. */

/** A histogram as Prometheus counts it. */
export interface Histogram {
  /** How many values were at most the bound at the same index of {@link delayBoundsSeconds}. */
  readonly bucketCounts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** Counted since the watch began, except where a field says "now". */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  /** Now. */
  readonly residentBytes: number;
  /** Event loop delay, in seconds. */
  readonly loopDelay: Histogram;
}

/** Upper bounds of the buckets of the delay. */
export const delayBoundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1] as const;

/** How often the delay is sampled: rarely enough to cost nothing. */
const intervalMs = 100;

/** Watches this process, without keeping it alive; returns a function that gives its usage so far. */
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
