/** The table of metrics: it yields the response of `/metrics` and the table in the documentation. */
import type { CacheResult } from '../model/serving-counts.ts';
import type { ProcessReport } from './process-report.ts';
import { delayBoundsSeconds } from './process-watch.ts';

/** Everything that the metrics are computed from. */
export interface MetricsSource extends Required<ProcessReport> {
  readonly isReady: boolean;
  /** How long the store has been unreachable, in seconds; 0 while it answers. */
  readonly unreachableSeconds: number;
  /** How many processes serve. */
  readonly processCount: number;
  /** Since the program started, in seconds. */
  readonly uptimeSeconds: number;
  /** When the program started, in seconds since 1970. */
  readonly startTimeSeconds: number;
  /** Of the program. */
  readonly version: string;
}

/** One value of a metric. */
export interface Sample {
  /** Behind the name of the metric: `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: (source: MetricsSource) => readonly Sample[];
}

const cacheResults: readonly CacheResult[] = ['hit', 'shared', 'miss'];

export const metrics: readonly Metric[] = [
  {
    name: 'plugin_metrics_requests_total',
    type: 'counter',
    help: 'requests answered, by status',
    samples: ({ serving }) =>
      Object.entries(serving.requestCounts).map(([status, value]) => ({ labels: { status }, value })),
  },
  {
    name: 'plugin_metrics_body_bytes_total',
    type: 'counter',
    help: 'bytes of the bodies of 200 responses, as they were sent',
    samples: ({ serving }) => one(serving.bodyBytes),
  },
  {
    name: 'plugin_metrics_responses_total',
    type: 'counter',
    help: 'responses by cache result: hit, miss, or shared with a request that was waiting for the same response; no errors',
    samples: ({ serving }) =>
      cacheResults.map((cache) => ({ labels: { cache }, value: serving.cacheCounts[cache] })),
  },
  {
    name: 'plugin_metrics_cached_responses',
    type: 'gauge',
    help: 'responses in the cache, stale ones included',
    samples: ({ serving }) => one(serving.cachedCount),
  },
  {
    name: 'plugin_metrics_cached_bytes',
    type: 'gauge',
    help: 'memory of the cached responses',
    samples: ({ serving }) => one(serving.cachedBytes),
  },
  {
    name: 'plugin_metrics_store_changes_total',
    type: 'counter',
    help: 'changes of the store that were noticed',
    samples: ({ serving }) => one(serving.storeChangeCount),
  },
  {
    name: 'plugin_metrics_connections_let_go_total',
    type: 'counter',
    help: 'connections cut because the client did not take its response, or sent too many requests ahead',
    samples: ({ serving }) => one(serving.letGoCount),
  },
  {
    name: 'plugin_metrics_store_unreachable_seconds',
    type: 'gauge',
    help: 'how long the store has been unreachable; 0 while it answers',
    samples: ({ unreachableSeconds }) => one(unreachableSeconds),
  },
  {
    name: 'plugin_metrics_ready',
    type: 'gauge',
    help: '1 while /ready answers 200, otherwise 0',
    samples: ({ isReady }) => one(isReady ? 1 : 0),
  },
  {
    name: 'plugin_metrics_serving_processes',
    type: 'gauge',
    help: 'processes that serve: the workers that are up, or the only process',
    samples: ({ processCount }) => one(processCount),
  },
  {
    name: 'plugin_metrics_uptime_seconds',
    type: 'gauge',
    help: 'time since the program started',
    samples: ({ uptimeSeconds }) => one(uptimeSeconds),
  },
  {
    name: 'plugin_metrics_event_loop_delay_seconds',
    type: 'histogram',
    help: 'event loop delay, sampled every 100 ms',
    samples: ({ usage: { loopDelay } }) => [
      ...delayBoundsSeconds.map((bound, index) => ({
        suffix: '_bucket',
        labels: { le: String(bound) },
        value: loopDelay.bucketCounts[index] ?? 0,
      })),
      { suffix: '_bucket', labels: { le: '+Inf' }, value: loopDelay.count },
      { suffix: '_sum', value: loopDelay.sum },
      { suffix: '_count', value: loopDelay.count },
    ],
  },
  {
    name: 'plugin_metrics_build_info',
    type: 'gauge',
    help: 'always 1; the labels are the version of the program and of Node',
    samples: ({ version }) => [{ labels: { version, node: process.versions.node }, value: 1 }],
  },
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'CPU time of all processes together',
    samples: ({ usage }) => one(usage.cpuSeconds),
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'memory of all processes together; shared memory counts for each',
    samples: ({ usage }) => one(usage.residentBytes),
  },
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'when the program started, in seconds since 1970',
    samples: ({ startTimeSeconds }) => one(startTimeSeconds),
  },
];

function one(value: number): readonly Sample[] {
  return [{ value }];
}

/** The media type of {@link metricsText}. */
export const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8';

/** The metrics in the text format of Prometheus, version 0.0.4. */
export function metricsText(source: MetricsSource): string {
  let text = '';
  for (const { name, type, help, samples } of metrics) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const { suffix = '', labels = {}, value } of samples(source))
      text += `${name}${suffix}${labelText(labels)} ${value}\n`;
  }
  return text;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join()}}`;
}
