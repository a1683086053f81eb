/** The threads of libuv, which read files and compress. */
import { availableParallelism } from 'node:os';

/**
 * Limits the threads, unless the environment sets their number. Each keeps the memory of large bodies: Node's four threads hold 100 MB more
 * than two, and on two cores are no faster. Must run before the first use of the pool.
 */
export function limitThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(4, Math.max(2, availableParallelism())));
}
