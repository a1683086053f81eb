/** Parts of every process of a server: the signals that end it, the admin listener, and the addresses that it prints. */
import cluster from 'node:cluster';
import { ClusterRegistry, register } from '@prometheus-io/client';
import { AdminPages, type AdminPagesOptions, startAdminServer } from '../admin/admin-pages.ts';
import { watchProcess } from '../admin/process-metrics.ts';
import { ErrorLog, type LineStream } from '../http/logs.ts';
import type { HttpServer } from '../http/server.ts';
import type { ServeOutput } from './serve-options.ts';

/** Resolves at the first signal that asks for an end. The handlers stay: a terminal and a parent may both send a signal. */
export function stopSignal(): Promise<'signal'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve('signal'));
  });
}

/** Options of {@link startAdmin}. */
export interface AdminOptions extends Pick<AdminPagesOptions, 'version' | 'reader' | 'findReason'> {
  readonly adminHost: string;
  /** Undefined for no listener. */
  readonly adminPort: number | undefined;
  readonly logStream: LineStream;
  readonly workerCount: number;
  /** Resolves when the server stops: it is not ready then. */
  readonly stopped: Promise<unknown>;
}

/**
 * Starts the admin listener, if one is wanted. A worker has none: it sends what it counts to its supervisor.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export async function startAdmin(options: AdminOptions): Promise<HttpServer | undefined> {
  const { adminHost: host, adminPort: port, logStream, workerCount, findReason, stopped } = options;
  if (port === undefined) return undefined;
  watchProcess();
  const processes = workerCount > 1 ? new ClusterRegistry() : undefined;
  if (cluster.isWorker) return undefined;
  let isStopping = false;
  void stopped.then(() => {
    isStopping = true;
  });
  const pages = new AdminPages({
    ...options,
    findReason: () => (isStopping ? 'the server is stopping' : findReason()),
    renderCounts: () => processes?.clusterMetrics() ?? register.metrics(),
    errorLog: new ErrorLog(logStream),
  });
  return startAdminServer(pages, { host, port });
}

/** Prints the addresses of a server and of its admin listener. */
export function announce(output: ServeOutput, url: string, admin: HttpServer | undefined): void {
  output.printResult(`listening on ${url}`, ...(admin === undefined ? [] : [`admin on ${admin.url}`]));
}
