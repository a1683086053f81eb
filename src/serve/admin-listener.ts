/** The admin listener of a serving process, or of the process that supervises workers. */
import cluster from 'node:cluster';
import type { ProcessReport } from '../admin/process-report.ts';
import { watchProcess } from '../admin/process-watch.ts';
import { servingPages } from '../admin/serving-pages.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Limits, Timeouts } from '../http/limits.ts';
import type { LineStream } from '../http/log/error-log.ts';
import type { ListenAddress } from '../model/listen-address.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import { type AdminServer, startAdminServer } from './admin-server.ts';
import type { ServeOptions } from './serve-options.ts';
import { StoreWatch } from './store-watch.ts';
import { answerReportRequests, WorkerReports } from './worker-reports.ts';

/** State of a serving process: the parts that have been started. */
export interface ServeProgress {
  isStopping: boolean;
  reader?: MetricsReader;
  server?: HttpServer;
}

/** Options of {@link startAdminListener}. */
export interface AdminListenerOptions extends ListenAddress, Pick<ServeOptions, 'countStore' | 'version'> {
  readonly progress: ServeProgress;
  readonly logStream: LineStream;
  readonly workerCount: number;
  /** Limits on clients of the interface, which count here too. */
  readonly limits: Limits;
  readonly timeouts: Timeouts;
}

/** A running listener; in a worker, without an address. */
export type AdminListener = AsyncDisposable & Partial<Pick<AdminServer, 'url'>>;

/**
 * Starts the listener. A worker has none: it sends reports to the listener of its supervisor.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export async function startAdminListener(options: AdminListenerOptions): Promise<AdminListener> {
  const { countStore, progress, workerCount } = options;
  const usage = watchProcess();
  const ownReport = (): ProcessReport => {
    const serving = progress.server?.counts();
    return { usage: usage(), ...(serving === undefined ? {} : { serving }) };
  };
  if (cluster.isWorker) return answerReportRequests(ownReport);
  const storeWatch = new StoreWatch(countStore);
  const workers = workerCount > 1 ? new WorkerReports() : undefined;
  return startAdminServer({
    ...options,
    pages: servingPages({
      version: options.version,
      isStopping: () => progress.isStopping,
      reader: () => progress.reader,
      processCount: () => workers?.upCount ?? (progress.server === undefined ? 0 : 1),
      wantedProcessCount: workerCount,
      storeStats: () => storeWatch.read(progress.reader),
      reports: async () => [ownReport(), ...((await workers?.collect()) ?? [])],
    }),
  });
}
