/** Resource usage of a process: CPU time, memory, and the delay of its event loop. */

import { type Histogram, HistogramCounter } from '../model/histogram.ts';

/** Resource usage since the watch began. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  /** Present memory. */
  readonly residentBytes: number;
  /** Delay of the event loop, in seconds. */
  readonly loopDelay: Histogram;
}

/** Upper bounds of the buckets of the delay. */
const delayBoundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1] as const;

/** Interval between samples of the delay, long enough to cost next to nothing. */
const intervalMs = 100;

/** Watches this process without keeping it alive, and returns a function for its usage so far. */
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
