/** How much memory processes hold, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

/** The most that a process has held so far, in bytes; 0 for one that is gone. */
export function memoryPeakBytes(pid: number): number {
  return statusBytes(pid, 'VmHWM');
}

/** What a process and its descendants hold, in bytes; pages that they share count for each. */
export function serviceMemoryBytes(pid: number): number {
  const parents = new Map(processIds().map((id) => [id, parentOf(id)]));
  const belongs = (id: number): boolean => {
    for (let at: number | undefined = id; at !== undefined && at > 1; at = parents.get(at)) {
      if (at === pid) return true;
    }
    return false;
  };
  let sumBytes = 0;
  for (const id of parents.keys()) if (belongs(id)) sumBytes += statusBytes(id, 'VmRSS');
  return sumBytes;
}

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function parentOf(pid: number): number | undefined {
  const parent = /^PPid:\s+(\d+)/m.exec(statusText(pid))?.[1];
  return parent === undefined ? undefined : Number(parent);
}

function statusBytes(pid: number, field: 'VmHWM' | 'VmRSS'): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(statusText(pid))?.[1];
  return Number(kibibytes ?? 0) * 1024;
}

function statusText(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch (error) {
    // It ended between two looks.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return '';
    throw error;
  }
}
