/** Reports of processes for the metrics, as plain JSON. Several reports add up to one. */
import { addHistograms } from '../model/histogram.ts';
import type { ServingCounts } from '../model/serving-counts.ts';
import type { ProcessUsage } from './process-watch.ts';

/** Counts of one process. */
export interface ProcessReport {
  readonly usage: ProcessUsage;
  /** Counts of the server; left out by a process that does not serve. */
  readonly serving?: ServingCounts;
}

/** Adds the reports of several processes. */
export function addReports(reports: readonly ProcessReport[]): Required<ProcessReport> {
  const usages = reports.map(({ usage }) => usage);
  const servings = reports.flatMap(({ serving }) => (serving === undefined ? [] : [serving]));
  return {
    usage: {
      cpuSeconds: sumOf(usages.map(({ cpuSeconds }) => cpuSeconds)),
      residentBytes: sumOf(usages.map(({ residentBytes }) => residentBytes)),
      loopDelay: addHistograms(usages.map(({ loopDelay }) => loopDelay)),
    },
    serving: {
      requestCounts: addByName(servings.map(({ requestCounts }) => requestCounts)),
      bodyBytes: sumOf(servings.map(({ bodyBytes }) => bodyBytes)),
      cacheCounts: {
        hit: sumOf(servings.map(({ cacheCounts }) => cacheCounts.hit)),
        shared: sumOf(servings.map(({ cacheCounts }) => cacheCounts.shared)),
        miss: sumOf(servings.map(({ cacheCounts }) => cacheCounts.miss)),
      },
      latencies: {
        cached: addHistograms(servings.map(({ latencies }) => latencies.cached)),
        read: addHistograms(servings.map(({ latencies }) => latencies.read)),
        large: addHistograms(servings.map(({ latencies }) => latencies.large)),
        image: addHistograms(servings.map(({ latencies }) => latencies.image)),
      },
      storeReads: addHistograms(servings.map(({ storeReads }) => storeReads)),
      acceptedCount: sumOf(servings.map(({ acceptedCount }) => acceptedCount)),
      openCount: sumOf(servings.map(({ openCount }) => openCount)),
      droppedCounts: addByName(servings.map(({ droppedCounts }) => droppedCounts)),
      refusedCounts: addByName(servings.map(({ refusedCounts }) => refusedCounts)),
      // All processes notice the same changes.
      storeChangeCount: Math.max(0, ...servings.map(({ storeChangeCount }) => storeChangeCount)),
      cachedCount: sumOf(servings.map(({ cachedCount }) => cachedCount)),
      cachedBytes: sumOf(servings.map(({ cachedBytes }) => cachedBytes)),
    },
  };
}

/** Keeps the counters of a process that has ended, so that no sum decreases, and clears its gauges. */
export function endedReport(report: ProcessReport): ProcessReport {
  const { usage, serving } = report;
  return {
    usage: { ...usage, residentBytes: 0 },
    ...(serving === undefined
      ? {}
      : { serving: { ...serving, openCount: 0, cachedCount: 0, cachedBytes: 0 } }),
  };
}

function addByName(parts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of parts.flatMap((part) => Object.entries(part)))
    sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
