/**
 * Parts of every server process: signals that end it, its metrics, the admin listener, and the addresses that
 * it prints.
 */
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterRegistry, collectDefaultMetrics, Histogram, register } from '@prometheus-io/client';
import { AdminPages, type AdminPagesOptions, startAdminServer } from '../admin/admin-pages.ts';
import { ErrorLog, type LineStream, warn } from '../http/logs.ts';
import type { HttpServer, HttpServerOptions } from '../http/server.ts';
import { isAppError } from '../model/app-error.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { ServeOptions, ServeOutput } from './serve-options.ts';

/**
 * Resolves at the first signal to end. The handlers stay, because a terminal and a parent may both send a
 * signal.
 */
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
  /** Resolves when the server stops, from which on it is not ready. */
  readonly stopped: Promise<unknown>;
}

/**
 * Starts the admin listener, if one is wanted. A worker has none: it sends its counts to its supervisor.
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

/** Pause between tries to reach the store at the start. */
const retryMs = 500;

/**
 * Opens the store, and retries for a while if it is unreachable.
 * @returns undefined if the program is stopped before.
 */
export async function openReader(
  { store, output, waitSeconds }: Pick<ServeOptions, 'store' | 'output' | 'waitSeconds'>,
  stopped: Promise<unknown>,
): Promise<MetricsReader | undefined> {
  const giveUpAt = performance.now() + waitSeconds * 1000;
  const hasStopped = stopped.then(() => true);
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await store.openReader();
    } catch (error) {
      const isUnreachable = isAppError(error, 'unavailable');
      if (!isUnreachable || performance.now() + retryMs > giveUpAt) throw error;
      if (isFirst) output.printMessage(`waiting: ${error.message}`);
    }
    if (await Promise.race([hasStopped, sleep(retryMs, false)])) return undefined;
  }
}

/**
 * Warns of a rate limit that may have no effect: it does not apply to an untrusted private proxy, nor to the
 * requests that it forwards.
 */
export function warnOfLimit(
  logStream: LineStream,
  { trustedProxies, limits }: Pick<HttpServerOptions, 'trustedProxies' | 'limits'>,
): void {
  if (!limits?.requestsPerSecond || trustedProxies?.length) return;
  warn(
    logStream,
    '--rate-limit does not apply to addresses of this machine or of private networks: if your proxy has one, add --trust-proxy with it',
  );
}

/** Prints the addresses of a server and of its admin listener. */
export function announce(output: ServeOutput, url: string, admin: HttpServer | undefined): void {
  output.printResult(`listening on ${url}`, ...(admin === undefined ? [] : [`admin on ${admin.url}`]));
}

/** Interval between samples of the event loop delay, long enough to cost next to nothing. */
const intervalMs = 100;

/**
 * Starts to measure CPU, memory and event loop delay of this process, in the default registry; to be called
 * once.
 */
export function watchProcess(): void {
  collectDefaultMetrics();
  // Workers cannot be added up; the admin pages have the start time of the program.
  register.removeSingleMetric('process_start_time_seconds');
  const delay = new Histogram({
    name: 'plugin_metrics_event_loop_delay_seconds',
    help: 'event loop delay, sampled every 100 ms',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  });
  let dueAt = performance.now() + intervalMs;
  const timer = setInterval(() => {
    const now = performance.now();
    delay.observe(Math.max(0, now - dueAt) / 1000);
    dueAt = now + intervalMs;
  }, intervalMs);
  timer.unref();
}
