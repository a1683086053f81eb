/** The table of metrics, for `/metrics` and for the table in the documentation. */
import {
  type CacheResult,
  dropReasons,
  refusalReasons,
  requestKinds,
  type ServingCounts,
} from '../model/serving-counts.ts';
import type { StoreStats } from '../model/store.ts';
import {
  histogramSamples,
  knownSample,
  type Metric,
  type ProcessSource,
  processMetrics,
  singleSample,
} from './process-metrics.ts';

/** Source of the metrics. */
export interface MetricsSource extends ProcessSource {
  readonly serving: ServingCounts;
  /** Time since the store became unreachable; 0 while it answers. */
  readonly unreachableSeconds: number;
  /** Counts of the store; undefined before the first count. */
  readonly storeStats: StoreStats | undefined;
  /** Present time, in Unix milliseconds. */
  readonly nowMs: number;
  /** Number of processes that serve. */
  readonly processCount: number;
}

const cacheResults: readonly CacheResult[] = ['hit', 'shared', 'miss'];

/** Every metric. */
export const metrics: readonly Metric<MetricsSource>[] = [
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
    samples: ({ serving }) => singleSample(serving.bodyBytes),
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
    samples: ({ serving }) => singleSample(serving.cachedCount),
  },
  {
    name: 'plugin_metrics_cached_bytes',
    type: 'gauge',
    help: 'memory of the cached responses',
    samples: ({ serving }) => singleSample(serving.cachedBytes),
  },
  {
    name: 'plugin_metrics_store_changes_total',
    type: 'counter',
    help: 'changes of the store that were noticed',
    samples: ({ serving }) => singleSample(serving.storeChangeCount),
  },
  {
    name: 'plugin_metrics_response_seconds',
    type: 'histogram',
    help: 'time until a response could be sent, by kind: cached, read (from the store), large (made in slices), image; no errors',
    samples: ({ serving: { latencies } }) =>
      requestKinds.flatMap((kind) => histogramSamples(latencies[kind], { kind })),
  },
  {
    name: 'plugin_metrics_store_read_seconds',
    type: 'histogram',
    help: 'time of the store for one read, or for one batch of a long one',
    samples: ({ serving: { storeReads } }) => histogramSamples(storeReads),
  },
  {
    name: 'plugin_metrics_connections_total',
    type: 'counter',
    help: 'connections accepted',
    samples: ({ serving }) => singleSample(serving.acceptedCount),
  },
  {
    name: 'plugin_metrics_open_connections',
    type: 'gauge',
    help: 'connections open now',
    samples: ({ serving }) => singleSample(serving.openCount),
  },
  {
    name: 'plugin_metrics_connections_dropped_total',
    type: 'counter',
    help: 'connections dropped, by reason: not_reading (the client did not read its response, or too slowly), pipelining (too many requests ahead), too_many, too_many_of_address',
    samples: ({ serving: { droppedCounts } }) =>
      dropReasons.map((reason) => ({ labels: { reason }, value: droppedCounts[reason] ?? 0 })),
  },
  {
    name: 'plugin_metrics_requests_refused_total',
    type: 'counter',
    help: 'requests refused, by reason: overloaded and overloaded_large (503, too much work waits), sending (503, bodies take too much memory, or too many are sent as they are made), rate_limit (429)',
    samples: ({ serving: { refusedCounts } }) =>
      refusalReasons.map((reason) => ({ labels: { reason }, value: refusedCounts[reason] ?? 0 })),
  },
  {
    name: 'plugin_metrics_store_unreachable_seconds',
    type: 'gauge',
    help: 'how long the store has been unreachable; 0 while it answers',
    samples: ({ unreachableSeconds }) => singleSample(unreachableSeconds),
  },
  {
    name: 'plugin_metrics_store_plugins',
    type: 'gauge',
    help: 'plugins in the store; this and the next four are counted at most once a minute, when the store has changed',
    samples: ({ storeStats }) => knownSample(storeStats?.pluginCount),
  },
  {
    name: 'plugin_metrics_store_charts',
    type: 'gauge',
    help: 'charts in the store',
    samples: ({ storeStats }) => knownSample(storeStats?.chartCount),
  },
  {
    name: 'plugin_metrics_store_points',
    type: 'gauge',
    help: 'points of line charts in the store',
    samples: ({ storeStats }) => knownSample(storeStats?.pointCount),
  },
  {
    name: 'plugin_metrics_store_bytes',
    type: 'gauge',
    help: 'size of the store on disk',
    samples: ({ storeStats }) => knownSample(storeStats?.sizeBytes),
  },
  {
    name: 'plugin_metrics_newest_point_age_seconds',
    type: 'gauge',
    help: 'age of the newest point of all charts, without points in the future; it grows for hours only if imports have stopped',
    samples: ({ storeStats, nowMs }) =>
      knownSample(storeStats?.newestPastTimestamp, (timestamp) => Math.max(0, nowMs - timestamp) / 1000),
  },
  {
    name: 'plugin_metrics_serving_processes',
    type: 'gauge',
    help: 'processes that serve: the workers that are up, or the only process',
    samples: ({ processCount }) => singleSample(processCount),
  },
  ...processMetrics,
];
