/** Finds the child processes of a process. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Lists the ids of the running children of a process. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  return stdout.split('\n').flatMap((line) => {
    const [child, parent, state = 'Z'] = line.trim().split(/\s+/);
    return Number(parent) === pid && !state.startsWith('Z') ? [Number(child)] : [];
  });
}
