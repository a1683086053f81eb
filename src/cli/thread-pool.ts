/**
 * The thread pool of libuv, which reads files and compresses. Each thread has its own arena of malloc, which keeps the memory of large
 * bodies: Node's four threads hold 100 MB more than two, and on two cores are no faster.
 */

import { availableParallelism } from 'node:os';

/** Limits the threads, unless the environment sets their number. Must run before the first use of the pool. */
export function limitThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(4, Math.max(2, availableParallelism())));
}
