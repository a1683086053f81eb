/** Serves a store until a signal comes, in this process or in workers. */
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { listApiEndpoints } from '../api/routes.ts';
import { App } from '../http/app.ts';
import { ErrorLog, proxyWarning } from '../http/logs.ts';
import { Sending } from '../http/sending.ts';
import { HttpServer } from '../http/server.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import { addressUrl } from '../runtime/listen-address.ts';
import { LogStream } from './log-stream.ts';
import { announce, openReader, startAdmin, stopSignal, warnOfLimit } from './process.ts';
import type { ServeOptions } from './serve-options.ts';
import { replacedBySupervisor, superviseWorkers } from './workers.ts';

/**
 * Time in which clients with idle connections may send one more request to a server that has been replaced.
 */
const drainMs = 3000;

/** Time limit for the start of a worker, beside the time that it waits for its store. */
const startTimeoutMs = 30_000;

/**
 * Serves until SIGTERM or SIGINT, and then finishes pending responses. With several workers this process
 * only supervises them: each runs the same command again, and this function then serves as a worker.
 */
export async function runServer(options: ServeOptions): Promise<void> {
  const { output, waitSeconds } = options;
  // The channel to the supervisor would keep a finished worker alive.
  using _channel = { [Symbol.dispose]: () => cluster.worker?.disconnect() };
  const stopped = Promise.race([stopSignal(), replacedBySupervisor()]);
  const workerCount = options.workers === 0 ? availableParallelism() : options.workers;
  // SIGHUP would otherwise end a process without workers to replace, or without any yet.
  process.on('SIGHUP', () => {
    if (workerCount === 1)
      output.printMessage('SIGHUP does nothing: it replaces workers, and --workers is 1');
  });
  // Starts first and stops last, because it reports on the rest.
  await using logStream = new LogStream();
  let opened: MetricsReader | undefined;
  /** The workers that can answer, by id; 0 for this process. */
  const answering = new Set<number>();
  cluster.on('listening', ({ id }) => answering.add(id)).on('exit', ({ id }) => answering.delete(id));
  await using admin = await startAdmin({
    ...options,
    logStream,
    stopped,
    workerCount,
    reader: () => opened,
    findReason() {
      const { size } = answering;
      return size < workerCount ? `${size} of ${workerCount} processes can answer` : undefined;
    },
  });
  if (cluster.isPrimary) warnOfLimit(logStream, options);
  await using reader = await openReader(options, stopped);
  if (reader === undefined) return;
  opened = reader;
  if (workerCount > 1 && cluster.isPrimary) {
    await superviseWorkers({
      workerCount,
      startTimeoutMs: startTimeoutMs + waitSeconds * 1000,
      stopped,
      output,
      onListening: (port) => announce(output, addressUrl({ host: options.host, port }), admin),
    });
    return;
  }
  const errorLog = new ErrorLog(logStream);
  const sending = new Sending(options.limits.maxSendingBytes);
  const app = new App({
    ...options,
    endpoints: listApiEndpoints(options),
    cacheBytes: Math.ceil(options.cacheBytes / workerCount),
    sending,
    reader,
    errorLog,
  });
  await using server = await HttpServer.start({
    ...options,
    sending,
    answer: (request) => app.answer(request),
    limits: { ...options.limits, maxConnections: Math.ceil(options.limits.maxConnections / workerCount) },
    errorLog,
    onIgnoredProxy: proxyWarning(logStream, 'limits by address do not apply to what it forwards'),
    requestLog: options.logRequests ? logStream : undefined,
  });
  answering.add(0);
  if (cluster.isPrimary) announce(output, server.url, admin);
  // Later, an upgrade may have replaced the files. If loading fails, the request that needs it tries again,
  // and logs the failure.
  setImmediate(() => void app.load().catch(() => {}));
  if ((await stopped) === 'replaced') await server.drain(drainMs);
}
