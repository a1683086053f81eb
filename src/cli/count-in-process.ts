/** Counts a store in a process of its own, for the metrics of a server. */
import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Store, StoreStats } from '../model/store.ts';
import { parseStats } from './commands/stats.ts';

/**
 * Runs the command `stats` with a lower priority. Counting takes half a second and 76 MB for 360,000 charts, and in this process would
 * delay requests and keep the memory. Undefined if the store cannot be read: `/ready` and the log have the reason.
 */
export function countInProcess({ givenName }: Pick<Store, 'givenName'>): Promise<StoreStats | undefined> {
  const program = process.argv[1] ?? '';
  // In the environment, because the arguments of a process can be read by others.
  const env = { ...process.env, PLUGIN_METRICS_STORE: givenName };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, 'stats', '--json'], { env }, (error, stdout) =>
      resolve(error === null ? parseStats(stdout) : undefined),
    );
    child.unref();
    if (child.pid !== undefined) giveWay(child.pid);
  });
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended, or the system does not allow it. It counts with the priority of this process.
  }
}
