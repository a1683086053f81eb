/** How the C library hands out memory to a server that runs for months. */

/**
 * glibc reads these once, when a process starts. Without them it gives every thread of the pool a heap of its
 * own, and moves the size from which memory goes back to the system up to that of the largest answer freed:
 * measured under a mixed load, 50 MB more are held and answers take a tenth longer.
 */
const allocatorSettings: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '524288',
};

/**
 * Starts this very process anew, under the same process id, with the settings of the allocator; does nothing
 * where they are set already, where there is no glibc, or where a parent talks to this process over a channel,
 * which would be lost.
 */
export function restartWithAllocator(): void {
  const isSet = Object.keys(allocatorSettings).some((name) => process.env[name] !== undefined);
  if (isSet || process.platform !== 'linux' || process.channel != null || process.execve === undefined)
    return;
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    ...allocatorSettings,
  });
}
