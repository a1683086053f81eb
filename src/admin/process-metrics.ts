/** Metrics of the process, in the registry that all of its metrics share: CPU, memory, and the delay of its event loop. */
import { collectDefaultMetrics, Histogram, register } from '@prometheus-io/client';

/** Interval between samples of the delay, long enough to cost next to nothing. */
const intervalMs = 100;

/** Begins to watch this process; to be called once. */
export function watchProcess(): void {
  collectDefaultMetrics();
  // It is not added up over workers; the admin pages have that of the program.
  register.removeSingleMetric('process_start_time_seconds');
  const delay = new Histogram({
    name: 'plugin_metrics_event_loop_delay_seconds',
    help: 'event loop delay, sampled every 100 ms',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  });
  let dueAt = performance.now() + intervalMs;
  const timer = setInterval(() => {
    const now = performance.now();
    delay.observe(Math.max(0, now - dueAt) / 1000);
    dueAt = now + intervalMs;
  }, intervalMs);
  timer.unref();
}
