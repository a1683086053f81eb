/** `serve`: the interface over a store, until a signal ends it. */
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type AdminServer, startAdminServer } from '../../admin/admin-server.ts';
import type { ProcessReport } from '../../admin/process-report.ts';
import { watchProcess } from '../../admin/process-watch.ts';
import { type HttpServer, startHttpServer } from '../../http/http-server.ts';
import { addressUrl } from '../../model/listen-address.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { packageVersion } from '../package-version.ts';
import type { Store } from '../store.ts';
import { openWithin } from '../wait-for-store.ts';
import { answerReportRequests, WorkerReports } from '../worker-reports.ts';
import { superviseWorkers } from '../workers.ts';

/** What `serve` was asked for. */
export interface ServeRequest {
  readonly store: Store;
  /** How long a store that cannot be reached is waited for. */
  readonly waitSeconds: number;
  readonly host: string;
  readonly port: number;
  /** How many processes; 0 means one per core. */
  readonly workers: number;
  /** The port of the operators' listener; without it there is none. */
  readonly adminPort?: number;
  readonly maxAgeSeconds: number;
  /** How much the remembered answers may hold in memory, those of all processes together. */
  readonly cacheBytes: number;
}

/** A serving process, as far as it has come. */
interface Progress {
  isStopping: boolean;
  reader?: MetricsReader;
  server?: HttpServer;
}

/**
 * Serves until SIGTERM or SIGINT; what is being answered then is finished first. With several workers this
 * process only watches over them: each runs this very command again, and finds here that it is one.
 */
export async function serve(request: ServeRequest): Promise<void> {
  // The channel to the supervisor would keep a worker alive that has nothing left to do.
  using _channel = { [Symbol.dispose]: () => cluster.worker?.disconnect() };
  const stopped = stopSignal();
  const progress: Progress = { isStopping: false };
  void stopped.then(() => {
    progress.isStopping = true;
  });
  const workerCount = request.workers === 0 ? availableParallelism() : request.workers;
  const isSupervisor = workerCount > 1 && cluster.isPrimary;
  const workerReports = isSupervisor ? new WorkerReports() : undefined;
  // The first to listen and the last to stop: it tells of the rest.
  await using admin = await startAdmin(request, { progress, workerCount, workerReports });
  await using reader = await openWithin(request.store, { waitSeconds: request.waitSeconds, stopped });
  if (reader === undefined) return;
  progress.reader = reader;
  if (isSupervisor) {
    await superviseWorkers({
      workerCount,
      stopped,
      onListening: (port) => announce(addressUrl({ host: request.host, port }), admin),
    });
    return;
  }
  keepYoungGenerationSmall();
  const cacheBytes = Math.ceil(request.cacheBytes / workerCount);
  await using server = await startHttpServer({ ...request, cacheBytes, reader });
  progress.server = server;
  if (cluster.isPrimary) announce(server.url, admin);
  await stopped;
}

/** Starts the operators' listener, where one is wanted; in a worker, what the listener of the supervisor needs. */
async function startAdmin(
  request: ServeRequest,
  about: {
    readonly progress: Progress;
    readonly workerCount: number;
    readonly workerReports: WorkerReports | undefined;
  },
): Promise<AdminServer | undefined> {
  const { host, adminPort } = request;
  if (adminPort === undefined) return undefined;
  const { progress, workerCount, workerReports } = about;
  const usage = watchProcess();
  const ownReport = (): ProcessReport => {
    const serving = progress.server?.counts();
    return { usage: usage(), ...(serving === undefined ? {} : { serving }) };
  };
  if (cluster.isWorker) {
    answerReportRequests(ownReport);
    return undefined;
  }
  return startAdminServer({
    host,
    port: adminPort,
    version: packageVersion(),
    isStopping: () => progress.isStopping,
    reader: () => progress.reader,
    processCount: () => workerReports?.upCount ?? (progress.server === undefined ? 0 : 1),
    wantedProcessCount: workerCount,
    reports: async () => [ownReport(), ...((await workerReports?.collect()) ?? [])],
  });
}

/**
 * A server's garbage is bytes outside the heap, so the 48 MiB that Node lets the young generation grow to gain
 * nothing: with 3 MiB as many requests are answered.
 */
function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

function announce(url: string, admin: AdminServer | undefined): void {
  process.stdout.write(`listening on ${url}\n${admin === undefined ? '' : `admin on ${admin.url}\n`}`);
}

/** Resolves at the first signal. The handlers stay: a terminal and a parent may both send one. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}
