/** Opens a store at the start, and waits if its server is not up yet. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { Store } from '../model/store.ts';
import type { ServeOutput } from './serve-options.ts';

const pauseMs = 500;

/**
 * Opens a store for reading, and retries until the time is up if it is unreachable.
 * @returns undefined if `stopped` resolves first.
 * @throws AppError as the store does; `unavailable` only when the time is up, all others at once.
 */
export async function openWithin(
  store: Pick<Store, 'openReader'>,
  options: {
    readonly waitSeconds: number;
    readonly stopped: Promise<unknown>;
    readonly output: ServeOutput;
  },
): Promise<MetricsReader | undefined> {
  const deadline = performance.now() + options.waitSeconds * 1000;
  let isStopped = false;
  const stopped = options.stopped.then(() => {
    isStopped = true;
  });
  for (let isFirst = true; !isStopped; isFirst = false) {
    try {
      return await store.openReader();
    } catch (error) {
      const isWorthWaiting = error instanceof AppError && error.code === 'unavailable';
      if (!isWorthWaiting || performance.now() + pauseMs > deadline) throw error;
      if (isFirst) options.output.printMessage(`waiting: ${error.message}`);
    }
    await Promise.race([sleep(pauseMs), stopped]);
  }
  return undefined;
}
