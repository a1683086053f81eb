/** Settings that Node, libuv and glibc read once, so that they are made before anything else runs. */
import { availableParallelism } from 'node:os';

/**
 * Threads of V8 beside the main one, which collect garbage and compile. Node has four: where they share a core with the main thread, each
 * takes slices as long as its, so that requests wait for 12 to 16 ms while memory is marked.
 */
const helperThreads = '--v8-pool-size';

/** Variables that make glibc give back what large responses have freed, and share two heaps between all threads. */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '524288' };

/**
 * Starts `serve` again in the same process on Linux, with settings that a command line and an environment alone can bring, and then does
 * not return. What the operator has set stays: with a number of helper threads of his own, `serve` does not start again.
 */
export function startAgain(): void {
  const { argv, execArgv, execPath, env, platform } = process;
  // A channel to the parent would be lost. Workers of `serve` have one, and the settings of the process that started them.
  if (argv[2] !== 'serve' || platform !== 'linux' || process.connected) return;
  if ([...execArgv, env['NODE_OPTIONS']].some((options) => options?.includes(helperThreads))) return;
  try {
    process.execve?.(execPath, [execPath, ...execArgv, `${helperThreads}=1`, ...argv.slice(1)], {
      ...allocator,
      ...env,
    });
  } catch {
    // The system does not allow it. All works without, more slowly.
  }
}

/**
 * Limits the threads of libuv, which read files and compress, unless the environment sets their number. Each keeps the memory of large
 * bodies: Node's four threads hold 100 MB more than two, and on two cores are no faster. Must run before the first use of the pool.
 */
export function limitThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(4, Math.max(2, availableParallelism())));
}
