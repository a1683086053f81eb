/** `serve`: the interface over a store, until a signal ends it. */
import { startHttpServer } from '../../http/http-server.ts';
import type { Store } from '../store.ts';

/** What `serve` was asked for. */
export interface ServeRequest {
  readonly store: Store;
  readonly host: string;
  readonly port: number;
  readonly maxAgeSeconds: number;
  readonly cacheBytes: number;
}

/** Serves until SIGTERM or SIGINT; what is being answered then is finished first. */
export async function serve(request: ServeRequest): Promise<void> {
  const stopped = stopSignal();
  await using reader = await request.store.openReader();
  await using server = await startHttpServer({ ...request, reader });
  process.stdout.write(`listening on ${server.url}\n`);
  await stopped;
}

/** Resolves at the first signal. The handlers stay: a terminal and a parent may both send one. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}
