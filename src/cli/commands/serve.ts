/** `serve`: the interface over a store, until a signal ends it. */
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { startHttpServer } from '../../http/http-server.ts';
import { addressUrl } from '../../model/listen-address.ts';
import type { Store } from '../store.ts';
import { openWithin } from '../wait-for-store.ts';
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
  readonly maxAgeSeconds: number;
  /** How much the remembered answers may hold in memory, those of all processes together. */
  readonly cacheBytes: number;
}

/**
 * Serves until SIGTERM or SIGINT; what is being answered then is finished first. With several workers this
 * process only watches over them: each runs this very command again, and finds here that it is one.
 */
export async function serve(request: ServeRequest): Promise<void> {
  const stopped = stopSignal();
  const workerCount = request.workers === 0 ? availableParallelism() : request.workers;
  await using reader = await openWithin(request.store, { waitSeconds: request.waitSeconds, stopped });
  if (reader === undefined) return;
  if (workerCount > 1 && cluster.isPrimary) {
    await superviseWorkers({
      workerCount,
      stopped,
      onListening: (port) => announce(addressUrl({ host: request.host, port })),
    });
    return;
  }
  // The channel to the supervisor would keep a worker alive that has nothing left to do.
  using _channel = { [Symbol.dispose]: () => cluster.worker?.disconnect() };
  const cacheBytes = Math.ceil(request.cacheBytes / workerCount);
  await using server = await startHttpServer({ ...request, cacheBytes, reader });
  if (cluster.isPrimary) announce(server.url);
  await stopped;
}

function announce(url: string): void {
  process.stdout.write(`listening on ${url}\n`);
}

/** Resolves at the first signal. The handlers stay: a terminal and a parent may both send one. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}
