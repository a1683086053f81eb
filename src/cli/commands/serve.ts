/** `serve`: serves the interface over a store until a signal comes. */
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { ApiOptions } from '../../api/api-options.ts';
import { listApiEndpoints } from '../../api/routes.ts';
import { HttpServer } from '../../http/http-server.ts';
import type { Limits, Timeouts } from '../../http/limits.ts';
import { addressUrl } from '../../model/listen-address.ts';
import type { Store } from '../../model/store.ts';
import type { Site } from '../../site/site.ts';
import { endDespiteOutput, printMessage, printResult } from '../output.ts';
import type { AdminListener, ServeProgress } from '../serve/admin-listener.ts';
import type { PinoLog } from '../serve/pino-log.ts';
import { openWithin } from '../serve/wait-for-store.ts';
import { onReplaced, superviseWorkers, warnOfTooManyWorkers } from '../serve/workers.ts';

/** How long clients with idle connections may send one more request to a server whose place another one has taken. */
const drainMs = 3000;

/** How long a worker may take to start, beside the time that it waits for its store. */
const startTimeoutMs = 30_000;

/** The settings of `serve`. */
export interface ServeRequest extends ApiOptions {
  readonly store: Store;
  /** How long to wait at the start for a store that is unreachable. */
  readonly waitSeconds: number;
  readonly host: string;
  readonly port: number;
  /** How many processes; 0 means one per core. */
  readonly workers: number;
  /** The port of the admin listener; without it there is none. */
  readonly adminPort?: number;
  readonly adminHost: string;
  /** Whether another process may listen on the same port. */
  readonly reusePort: boolean;
  readonly maxAgeSeconds: number;
  /** Whether images, badges and pages are served beside the interface. */
  readonly hasSite: boolean;
  /** Where people find the server. */
  readonly publicUrl?: string;
  readonly logRequests: boolean;
  /** Whether the log has addresses of clients. */
  readonly logAddresses: boolean;
  /** The networks of proxies whose `X-Forwarded-For` counts, in CIDR notation. */
  readonly trustedProxies: readonly string[];
  /** What clients may do; connections are divided among the processes. */
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  /** How much memory the response caches of all processes may take together. */
  readonly cacheBytes: number;
}

/**
 * Serves until SIGTERM or SIGINT; responses that are owed then are finished first. With several workers this process
 * only supervises them: each runs the same command again and finds here that it is a worker.
 */
export async function serve(request: ServeRequest): Promise<void> {
  using _end = { [Symbol.dispose]: endDespiteOutput };
  // The channel to the supervisor would keep a finished worker alive.
  using _channel = { [Symbol.dispose]: () => cluster.worker?.disconnect() };
  const stopped = stopReason();
  const progress: ServeProgress = { isStopping: false };
  void stopped.then(() => {
    progress.isStopping = true;
  });
  const workerCount = request.workers === 0 ? availableParallelism() : request.workers;
  if (cluster.isPrimary) {
    surviveHangup(workerCount);
    warnOfTooManyWorkers(workerCount);
  }
  // Starts first and stops last: it reports on the rest.
  await using admin = await startAdmin(request, { progress, workerCount });
  await using reader = await openWithin(request.store, { waitSeconds: request.waitSeconds, stopped });
  if (reader === undefined) return;
  progress.reader = reader;
  if (cluster.isPrimary) await warn(request.store);
  if (workerCount > 1 && cluster.isPrimary) {
    await superviseWorkers({
      workerCount,
      startTimeoutMs: startTimeoutMs + request.waitSeconds * 1000,
      stopped,
      onListening: (port) => announce(addressUrl({ host: request.host, port }), admin),
    });
    return;
  }
  keepYoungGenerationSmall();
  const cacheBytes = Math.ceil(request.cacheBytes / workerCount);
  const coresPerProcess = Math.max(1, Math.floor(availableParallelism() / workerCount));
  await using requestLog = await openLog(request);
  await using server = await HttpServer.start({
    ...request,
    ...(requestLog === undefined ? {} : { requestLog }),
    endpoints: listApiEndpoints(request),
    ...(request.hasSite ? { loadMore: () => loadSite(coresPerProcess) } : {}),
    cacheBytes,
    limits: {
      ...request.limits,
      maxConnections: Math.ceil(request.limits.maxConnections / workerCount),
    },
    reader,
  });
  progress.server = server;
  if (cluster.isPrimary) announce(server.url, admin);
  const hasSuccessor = (await stopped) === 'replaced' || request.reusePort;
  if (hasSuccessor) await server.drain(drainMs);
}

/** Loads what people look at. */
async function loadSite(maxPngsAtOnce: number): Promise<Site> {
  const { fontconfigFile } = await import('../../site/images/png-maker.ts');
  process.env['FONTCONFIG_FILE'] ??= fontconfigFile;
  const { createSite } = await import('../../site/site.ts');
  return createSite({ maxPngsAtOnce });
}

/** Loads pino only where it is wanted. */
async function openLog({ logRequests, logAddresses }: ServeRequest): Promise<PinoLog | undefined> {
  if (!logRequests) return undefined;
  const { openRequestLog } = await import('../serve/pino-log.ts');
  return openRequestLog({ hasAddresses: logAddresses });
}

/** Loads the code of the admin listener only where one is wanted. */
async function startAdmin(
  { store, adminHost: host, adminPort: port, limits, timeouts }: ServeRequest,
  about: { readonly progress: ServeProgress; readonly workerCount: number },
): Promise<AdminListener | undefined> {
  if (port === undefined) return undefined;
  const { startAdminListener } = await import('../serve/admin-listener.ts');
  return startAdminListener({ store, host, port, limits, timeouts, ...about });
}

/**
 * The garbage of this server is bytes outside the heap, so the 48 MiB that Node allows the young generation gain nothing:
 * with 3 MiB as many requests are served.
 */
function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

async function warn(store: Store): Promise<void> {
  const warning = await store.findWarning();
  if (warning !== undefined) printMessage(warning);
}

function announce(url: string, admin: AdminListener | undefined): void {
  printResult(`listening on ${url}`, ...(admin?.url === undefined ? [] : [`admin on ${admin.url}`]));
}

/** Without a handler SIGHUP ends a process: also one that has no workers to replace, or none yet. */
function surviveHangup(workerCount: number): void {
  process.on('SIGHUP', () => {
    if (workerCount === 1) printMessage('SIGHUP replaces the workers of --workers; this process goes on');
  });
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
