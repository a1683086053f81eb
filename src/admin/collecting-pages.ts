/** The admin pages of a collector. */
import type { CollectingCounts } from '../model/collecting-counts.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { AdminPages } from './admin-answerer.ts';
import { metricsText } from './metrics-text.ts';
import {
  knownSample,
  type Metric,
  type ProcessSource,
  processMetrics,
  processSource,
  singleSample,
} from './process-metrics.ts';
import type { ProcessUsage } from './process-watch.ts';
import { findUnreadiness } from './readiness.ts';

/** A collector, as its pages see it. */
interface PagedCollector {
  readonly reader: MetricsReader;
  /** False while reports cannot be written. */
  readonly isWriting: boolean;
  /** Beginning of a slot that cannot be closed, in Unix milliseconds. */
  readonly failingSlot: number | undefined;
  counts(): CollectingCounts;
}

/** Sources of the pages; the functions are called for each page. */
interface CollectingPagesOptions {
  readonly version: string;
  readonly isStopping: () => boolean;
  /** Undefined until it takes reports. */
  readonly collector: () => PagedCollector | undefined;
  readonly usage: () => ProcessUsage;
}

interface CollectingSource extends ProcessSource {
  /** Undefined until reports are taken. */
  readonly counts: CollectingCounts | undefined;
}

/** Every metric of a collector. */
export const collectingMetrics: readonly Metric<CollectingSource>[] = [
  {
    name: 'plugin_metrics_reports_accepted_total',
    type: 'counter',
    help: 'reports answered 202',
    samples: ({ counts }) => singleSample(counts?.acceptedCount ?? 0),
  },
  {
    name: 'plugin_metrics_reports_refused_total',
    type: 'counter',
    help: 'reports refused, by reason, such as reported-already, unknown-plugin or malformed-report',
    samples: ({ counts }) =>
      Object.entries(counts?.refusedCounts ?? {}).map(([reason, value]) => ({ labels: { reason }, value })),
  },
  {
    name: 'plugin_metrics_open_slot_reports',
    type: 'gauge',
    help: 'reports of the present slot that this process has accepted',
    samples: ({ counts }) => singleSample(counts?.openSlotCount ?? 0),
  },
  {
    name: 'plugin_metrics_slots_closed_total',
    type: 'counter',
    help: 'slots that were written into the store by this process',
    samples: ({ counts }) => singleSample(counts?.closedSlotCount ?? 0),
  },
  {
    name: 'plugin_metrics_slots_left_out_total',
    type: 'counter',
    help: 'slots that were left out, because less than nine tenths of them were covered',
    samples: ({ counts }) => singleSample(counts?.leftOutSlotCount ?? 0),
  },
  {
    name: 'plugin_metrics_last_closing_seconds',
    type: 'gauge',
    help: 'how long closing the last slot took',
    samples: ({ counts }) => knownSample(counts?.lastClosingSeconds),
  },
  {
    name: 'plugin_metrics_collect_connections',
    type: 'gauge',
    help: 'connections of reporters that are open now',
    samples: ({ counts }) => singleSample(counts?.openConnectionCount ?? 0),
  },
  ...processMetrics,
];

/** Makes the pages. */
export function collectingPages({
  version,
  isStopping,
  collector,
  usage,
}: CollectingPagesOptions): AdminPages {
  return {
    async findReason() {
      const present = collector();
      const processCount = present === undefined ? 0 : 1;
      const state = {
        isStopping: isStopping(),
        reader: present?.reader,
        processCount,
        wantedProcessCount: 1,
      };
      return (await findUnreadiness(state)) ?? (present && faultOf(present));
    },
    renderMetrics: async (isReady) =>
      metricsText(collectingMetrics, {
        ...processSource({ usage: usage(), isReady, version }),
        counts: collector()?.counts(),
      }),
  };
}

/** Finds the reason why a collector should get no reports, or should be looked at. */
function faultOf({ isWriting, failingSlot }: PagedCollector): string | undefined {
  if (!isWriting) return 'the reports cannot be written';
  if (failingSlot === undefined) return undefined;
  return `the slot of ${new Date(failingSlot).toISOString()} cannot be closed`;
}
