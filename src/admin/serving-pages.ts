/** The admin pages of processes that serve. */
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { StoreStats } from '../model/store.ts';
import type { AdminPages } from './admin-answerer.ts';
import { metrics } from './metrics.ts';
import { metricsText } from './metrics-text.ts';
import { processSource } from './process-metrics.ts';
import { addReports, type ProcessReport } from './process-report.ts';
import { findUnreadiness } from './readiness.ts';

/** Sources of the pages; the functions are called for each page. */
export interface ServingPagesOptions {
  /** Version of the program. */
  readonly version: string;
  readonly isStopping: () => boolean;
  /** Undefined until the store has been opened. */
  readonly reader: () => MetricsReader | undefined;
  /** Number of processes that serve. */
  readonly processCount: () => number;
  /** Number of processes that should serve. */
  readonly wantedProcessCount: number;
  /** Counts of the store; undefined before the first count. */
  readonly storeStats: () => Promise<StoreStats | undefined>;
  /** Reports of all processes, including those that have ended. */
  readonly reports: () => Promise<readonly ProcessReport[]>;
}

/** Makes the pages. */
export function servingPages(options: ServingPagesOptions): AdminPages {
  return {
    findReason: () =>
      findUnreadiness({
        isStopping: options.isStopping(),
        reader: options.reader(),
        processCount: options.processCount(),
        wantedProcessCount: options.wantedProcessCount,
      }),
    async renderMetrics(isReady) {
      const [reports, storeStats] = await Promise.all([options.reports(), options.storeStats()]);
      const { usage, serving } = addReports(reports);
      return metricsText(metrics, {
        ...processSource({ usage, isReady, version: options.version }),
        serving,
        storeStats,
        nowMs: Date.now(),
        unreachableSeconds: (options.reader()?.unreachableMs() ?? 0) / 1000,
        processCount: options.processCount(),
      });
    },
  };
}
