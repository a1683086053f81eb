/**
 * The threads of libuv, which read files and compress. Each has an arena of malloc of its own, which keeps what large bodies took: the
 * four that Node starts on any machine hold 100 MB more than two, and on two cores do no more.
 */

import { availableParallelism } from 'node:os';

/** Sets the number of threads unless the environment does; call it before the first use of the pool. */
export function limitThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(4, Math.max(2, availableParallelism())));
}
