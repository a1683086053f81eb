/** Serving a store until a signal comes, in this process or in workers. */
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { listApiEndpoints } from '../api/routes.ts';
import { Directories } from '../directory/directories.ts';
import { HttpServer } from '../http/http-server.ts';
import type { LineStream } from '../http/log/error-log.ts';
import { createRequestLog } from '../http/log/request-log.ts';
import { addressUrl } from '../model/listen-address.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { Admin } from './admin.ts';
import { LogStream } from './log-stream.ts';
import type { ServeOptions, ServeOutput } from './serve-options.ts';
import { openWithin } from './wait-for-store.ts';
import { onReplaced, superviseWorkers, warnOfTooManyWorkers } from './workers.ts';

/** Time in which clients with idle connections may send one more request to a server that has been replaced. */
const drainMs = 3000;

/** Time limit for the start of a worker, beside the time that it waits for its store. */
const startTimeoutMs = 30_000;

/** State of a serving process: the parts that have been started. */
interface ServeProgress {
  isStopping: boolean;
  reader?: MetricsReader;
  isServing: boolean;
}

/**
 * Serves until SIGTERM or SIGINT, and then finishes the responses that are owed. With several workers this process
 * only supervises them: each runs the same command again and finds here that it is a worker.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { store, output, waitSeconds } = options;
  // The channel to the supervisor would keep a finished worker alive.
  using _channel = { [Symbol.dispose]: () => cluster.worker?.disconnect() };
  const stopped = stopReason();
  const progress: ServeProgress = { isStopping: false, isServing: false };
  void stopped.then(() => {
    progress.isStopping = true;
  });
  const workerCount = options.workers === 0 ? availableParallelism() : options.workers;
  // SIGHUP would otherwise end a process that has no workers to replace, or none yet.
  process.on('SIGHUP', () => {
    if (workerCount === 1)
      output.printMessage('SIGHUP replaces the workers of --workers; this process goes on');
  });
  if (cluster.isPrimary) warnOfTooManyWorkers(workerCount, output);
  // Starts first and stops last: it reports on the rest.
  await using logStream = new LogStream();
  await using admin = await startOwnAdmin(options, { progress, workerCount, logStream });
  await using reader = await openWithin(store, { waitSeconds, stopped, output });
  if (reader === undefined) return;
  progress.reader = reader;
  if (cluster.isPrimary) await warn(options);
  if (workerCount > 1 && cluster.isPrimary) {
    await superviseWorkers({
      workerCount,
      startTimeoutMs: startTimeoutMs + waitSeconds * 1000,
      stopped,
      output,
      onListening: (port) => announce(addressUrl({ host: options.host, port }), admin, output),
    });
    return;
  }
  const { loadSite } = options;
  const maxPngsAtOnce = Math.max(1, Math.floor(availableParallelism() / workerCount));
  const directories = new Directories();
  const { logRequests, logAddresses: hasAddresses } = options;
  await using server = await HttpServer.start({
    ...options,
    logStream,
    ...(logRequests ? { requestLog: createRequestLog(logStream, { hasAddresses }) } : {}),
    endpoints: listApiEndpoints(options, directories),
    ...(loadSite === undefined ? {} : { loadMore: () => loadSite({ maxPngsAtOnce, directories }) }),
    cacheBytes: Math.ceil(options.cacheBytes / workerCount),
    limits: {
      ...options.limits,
      maxConnections: Math.ceil(options.limits.maxConnections / workerCount),
    },
    reader,
  });
  progress.isServing = true;
  if (cluster.isPrimary) announce(server.url, admin, output);
  if ((await stopped) === 'replaced') await server.drain(drainMs);
}

/** Loads the code of the admin listener only where one is wanted. */
async function startOwnAdmin(
  { adminHost: host, adminPort: port, version }: ServeOptions,
  {
    progress,
    workerCount,
    logStream,
  }: { readonly progress: ServeProgress; readonly workerCount: number; readonly logStream: LineStream },
): Promise<Admin | undefined> {
  if (port === undefined) return undefined;
  const { startAdmin } = await import('./admin.ts');
  return startAdmin({
    ...{ host, port, version, logStream, hasWorkers: workerCount > 1 },
    reader: () => progress.reader,
    findReason(upWorkerCount) {
      if (progress.isStopping) return 'the server is stopping';
      if (progress.reader === undefined) return 'the store has not been opened yet';
      const upCount = workerCount > 1 ? upWorkerCount : Number(progress.isServing);
      return upCount < workerCount ? `${upCount} of ${workerCount} processes can answer` : undefined;
    },
  });
}

async function warn({ store, output }: ServeOptions): Promise<void> {
  const warning = await store.findWarning();
  if (warning !== undefined) output.printMessage(warning);
}

function announce(url: string, admin: Admin | undefined, output: ServeOutput): void {
  output.printResult(`listening on ${url}`, ...(admin?.url === undefined ? [] : [`admin on ${admin.url}`]));
}

/**
 * Resolves at the first signal, or when the supervisor has replaced this worker. The handlers stay: a terminal and a
 * parent may both send a signal.
 */
function stopReason(): Promise<'signal' | 'replaced'> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve('signal'));
    process.on('SIGINT', () => resolve('signal'));
    if (cluster.isWorker) onReplaced(() => resolve('replaced'));
  });
}
