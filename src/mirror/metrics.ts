/** Metrics of a mirror that runs at intervals. */
import { Counter, Gauge } from '@prometheus-io/client';
import type { MirrorListener } from './mirror.ts';

const interval = new Gauge({
  name: 'plugin_metrics_mirror_interval_seconds',
  help: 'time from one run to the next, from --every',
});

const lastRun = new Gauge({
  name: 'plugin_metrics_mirror_last_run_timestamp_seconds',
  help: 'when the last run began, in seconds since 1970',
});

const lastSuccess = new Gauge({
  name: 'plugin_metrics_mirror_last_success_timestamp_seconds',
  help: 'when the last run that copied everything ended, in seconds since 1970; 0 if there was none since the start',
});

const failures = new Counter({
  name: 'plugin_metrics_mirror_failures_total',
  help: 'failures by plugin id: without an id for lists and whole runs, other beyond 1,000 plugins',
  labelNames: ['plugin'],
});

/** Maximum number of plugins with their own label. */
const maxPlugins = 1000;

/** Wraps a listener, and counts the events of a mirror before passing them on. */
export function countRuns(
  listener: MirrorListener,
  { everyMs, now }: { readonly everyMs: number; readonly now: () => number },
): MirrorListener {
  const failed = new Set<number>();
  interval.set(everyMs / 1000);
  return {
    ...listener,
    onStart(progress) {
      lastRun.set(now() / 1000);
      return listener.onStart(progress);
    },
    onFailure(error, pluginId) {
      if (pluginId === undefined) failures.inc();
      else {
        if (failed.size < maxPlugins) failed.add(pluginId);
        failures.inc({ plugin: failed.has(pluginId) ? String(pluginId) : 'other' });
      }
      listener.onFailure(error, pluginId);
    },
    onEnd(progress) {
      if (progress.isComplete) lastSuccess.set(now() / 1000);
      listener.onEnd(progress);
    },
  };
}
