/** Settings that Node, libuv and glibc read once, so that they are made before anything else runs. */
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';

/**
 * The option of Node for one helper thread of V8, which collects garbage and compiles. Node has four: where they share a core with the main
 * thread, each takes slices as long as its, so that requests wait for 12 to 16 ms while memory is marked.
 */
const oneHelper = '--v8-pool-size=1';

/** Variables that make glibc give back what large responses have freed, and share two heaps between all threads. */
const allocator: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '524288',
};

/** Options of an operator that prevent a second start: another number of threads, and a debugger, which would be attached twice. */
const preventing = /--(v8[-_]pool[-_]size|inspect)/;

/**
 * Sets the variables of glibc for `serve` and starts it again in the same process, with one helper thread. What the operator has set
 * stays. Returns if it has been started again, is another command, or cannot be started again.
 */
export function startAgain(): void {
  const { argv, execArgv, execPath, env } = process;
  if (argv[2] !== 'serve') return;
  // For workers, which start later in any case.
  Object.assign(env, { ...allocator, ...env });
  const isPrevented = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((options) => preventing.test(options));
  if (isPrevented || !canReplaceItself()) return;
  try {
    process.execve?.(execPath, [execPath, ...execArgv, oneHelper, ...argv.slice(1)], env);
  } catch {
    // The system does not allow it, and Node has warned that the call is experimental. All works without.
  }
}

/** False where the channel to a parent would be lost, and where Node was started by a loader, which would take its option. */
function canReplaceItself(): boolean {
  return process.platform === 'linux' && !process.connected && basename(process.execPath).startsWith('node');
}

/**
 * Limits the threads of libuv, which read files and compress, unless the environment sets their number. Each keeps the memory of large
 * bodies: Node's four threads hold 100 MB more than two, and on two cores are no faster. Must run before the first use of the pool.
 */
export function limitThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(4, Math.max(2, availableParallelism())));
}
