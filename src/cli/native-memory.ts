/** Memory outside the heap of V8: variables that libuv and glibc read at the start. */
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { isSingleFile, ownArguments } from '../runtime/own-program.ts';

/**
 * The variables of glibc, without which it keeps up to 60 MB of a freed picture for each thread that made
 * one.
 */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '524288' };

/**
 * Makes glibc return freed memory, unless the environment sets its variables. glibc reads them only at the
 * start, so the program replaces itself once, in the same process. Workers inherit the variables. If the
 * program cannot replace itself, it continues and takes more memory.
 */
export function limitAllocator(): void {
  const { argv0, argv, connected, env, execPath, platform } = process;
  if (platform !== 'linux' || env['MALLOC_ARENA_MAX'] !== undefined) return;
  Object.assign(env, { ...allocator, ...env });
  const isRestartable = isSingleFile || basename(execPath).startsWith('node');
  // The channel to a parent and inherited sockets would be lost, and for a process started by a loader, the
  // file is the loader.
  if (connected || env['LISTEN_FDS'] !== undefined || !isRestartable) return;
  try {
    process.execve?.(execPath, [argv0, ...ownArguments(argv.slice(2))], env);
  } catch {
    // A confinement forbids it. Node has warned that the call is experimental.
  }
}

/**
 * Limits the threads of libuv, which read files and compress, unless the environment sets their number. Each
 * keeps the memory of large bodies: Node's four threads hold 100 MB more than two, and on two cores are no
 * faster. Must run before the first use of the pool.
 */
export function limitThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(4, Math.max(2, availableParallelism())));
}
