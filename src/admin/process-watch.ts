/** What a process uses: CPU time, memory, and the delay of its event loop. */

import { type Histogram, HistogramCounter } from '../model/histogram.ts';

/** Counted since the watch began, except where a field says "now". */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  /** Now. */
  readonly residentBytes: number;
  /** Event loop delay, in seconds. */
  readonly loopDelay: Histogram;
}

/** Upper bounds of the buckets of the delay. */
const delayBoundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1] as const;

/** How often the delay is sampled: rarely enough to cost nothing. */
const intervalMs = 100;

/** Watches this process, without keeping it alive; returns a function that gives its usage so far. */
export function watchProcess(): () => ProcessUsage {
  const loopDelay = new HistogramCounter(delayBoundsSeconds);
  let dueAt = performance.now() + intervalMs;
  const timer = setInterval(() => {
    const now = performance.now();
    loopDelay.observe(Math.max(0, now - dueAt) / 1000);
    dueAt = now + intervalMs;
  }, intervalMs);
  timer.unref();
  return () => {
    const { user, system } = process.cpuUsage();
    const residentBytes = process.memoryUsage.rss();
    return { cpuSeconds: (user + system) / 1e6, residentBytes, loopDelay: loopDelay.read() };
  };
}
