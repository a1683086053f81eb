/** The admin listener of a process that serves, that supervises workers, or that collects. */
import cluster from 'node:cluster';
import { ClusterRegistry, register } from '@prometheus-io/client';
import { AdminPages, type AdminPagesOptions } from '../admin/admin-pages.ts';
import { type AdminServer, startAdminServer } from '../admin/admin-server.ts';
import { watchProcess } from '../admin/process-metrics.ts';
import { ErrorLog, type LineStream } from '../http/error-log.ts';
import { addStoreMetrics } from './store-metrics.ts';

/** Options of {@link startAdmin}. */
export interface AdminOptions extends Pick<AdminPagesOptions, 'version' | 'reader' | 'findReason'> {
  readonly adminHost: string;
  /** Undefined for no listener. */
  readonly adminPort: number | undefined;
  readonly logStream: LineStream;
  readonly workerCount: number;
}

/**
 * Starts the listener, if one is wanted. A worker has none: it sends what it counts to its supervisor.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export async function startAdmin(options: AdminOptions): Promise<AdminServer | undefined> {
  const { adminHost: host, adminPort: port, logStream, workerCount, reader } = options;
  if (port === undefined) return undefined;
  watchProcess();
  const processes = workerCount > 1 ? new ClusterRegistry() : undefined;
  if (cluster.isWorker) return undefined;
  const errorLog = new ErrorLog(logStream);
  const pages = new AdminPages({
    ...options,
    renderCounts: () => processes?.clusterMetrics() ?? register.metrics(),
    logFailure: (path, error) => errorLog.log(path, error),
  });
  addStoreMetrics(pages.registry, reader);
  return startAdminServer(pages, { host, port });
}
