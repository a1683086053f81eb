/** The admin listener of a serving process, or of the process that supervises workers. */
import cluster from 'node:cluster';
import { ClusterRegistry, register } from '@prometheus-io/client';
import { AdminPages, type AdminPagesOptions } from '../admin/admin-pages.ts';
import { type AdminServer, startAdminServer } from '../admin/admin-server.ts';
import { watchProcess } from '../admin/process-metrics.ts';
import { ErrorLog, type LineStream } from '../http/log/error-log.ts';
import type { ListenAddress } from '../model/listen-address.ts';
import { addStoreMetrics } from './store-metrics.ts';

/** Options of {@link startAdmin}. */
export interface AdminOptions extends ListenAddress, Pick<AdminPagesOptions, 'version' | 'reader'> {
  /** Finds the reason why this process should get no requests. @param upCount the number of workers that are up. */
  readonly findReason: (upCount: number) => string | undefined;
  readonly logStream: LineStream;
  readonly hasWorkers: boolean;
}

/** A running listener; in a worker, without an address. */
export type Admin = AsyncDisposable & Partial<Pick<AdminServer, 'url'>>;

/**
 * Starts the listener. A worker has none: it sends what it counts to its supervisor.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export async function startAdmin(options: AdminOptions): Promise<Admin> {
  const { version, reader, findReason, logStream, hasWorkers } = options;
  watchProcess();
  const processes = hasWorkers ? new ClusterRegistry() : undefined;
  if (cluster.isWorker) return { async [Symbol.asyncDispose]() {} };
  const upWorkers = new Set<number>();
  cluster.on('listening', ({ id }) => upWorkers.add(id));
  cluster.on('exit', ({ id }) => upWorkers.delete(id));
  const errorLog = new ErrorLog(logStream);
  const pages = new AdminPages({
    version,
    reader,
    findReason: () => findReason(upWorkers.size),
    renderCounts: () => processes?.clusterMetrics() ?? register.metrics(),
    logFailure: (path, error) => errorLog.log(path, error),
  });
  addStoreMetrics(pages.registry, reader);
  return startAdminServer(pages, options);
}
