/** Metrics that every process of the program has, and what a metric is. */
import type { Histogram } from '../model/histogram.ts';
import type { ProcessUsage } from './process-watch.ts';

/** One value of a metric. */
export interface Sample {
  /** End of the name: `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric. */
export interface Metric<Source> {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: (source: Source) => readonly Sample[];
}

/** Source of these metrics. */
export interface ProcessSource {
  readonly usage: ProcessUsage;
  readonly isReady: boolean;
  /** Time since the program started. */
  readonly uptimeSeconds: number;
  /** Time at which the program started, in seconds since 1970. */
  readonly startTimeSeconds: number;
  /** Version of the program. */
  readonly version: string;
}

/** Adds the times of this process. */
export function processSource(source: Pick<ProcessSource, 'usage' | 'isReady' | 'version'>): ProcessSource {
  return {
    ...source,
    uptimeSeconds: performance.now() / 1000,
    startTimeSeconds: performance.timeOrigin / 1000,
  };
}

/** The metrics. */
export const processMetrics: readonly Metric<ProcessSource>[] = [
  {
    name: 'plugin_metrics_ready',
    type: 'gauge',
    help: '1 while /ready answers 200, otherwise 0',
    samples: ({ isReady }) => singleSample(isReady ? 1 : 0),
  },
  {
    name: 'plugin_metrics_uptime_seconds',
    type: 'gauge',
    help: 'time since the program started',
    samples: ({ uptimeSeconds }) => singleSample(uptimeSeconds),
  },
  {
    name: 'plugin_metrics_event_loop_delay_seconds',
    type: 'histogram',
    help: 'event loop delay, sampled every 100 ms',
    samples: ({ usage: { loopDelay } }) => histogramSamples(loopDelay),
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
    samples: ({ usage }) => singleSample(usage.cpuSeconds),
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'memory of all processes together; shared memory counts for each',
    samples: ({ usage }) => singleSample(usage.residentBytes),
  },
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'when the program started, in seconds since 1970',
    samples: ({ startTimeSeconds }) => singleSample(startTimeSeconds),
  },
];

/** Makes a sample of a value without labels. */
export function singleSample(value: number): readonly Sample[] {
  return [{ value }];
}

/** Makes a sample of a known value, and none of an unknown one. */
export function knownSample(
  value: number | null | undefined,
  toSample = (known: number) => known,
): readonly Sample[] {
  return value === null || value === undefined ? [] : singleSample(toSample(value));
}

/** Makes the samples of a histogram. */
export function histogramSamples(
  { bounds, bucketCounts, count, sum }: Histogram,
  labels: Readonly<Record<string, string>> = {},
): readonly Sample[] {
  return [
    ...bounds.map((bound, index) => ({
      suffix: '_bucket',
      labels: { ...labels, le: String(bound) },
      value: bucketCounts[index] ?? 0,
    })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}
