/** What processes hold of the memory and take of the processor, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

/** The most that a process has held so far, in bytes; 0 for one that is gone. */
export function memoryPeakBytes(pid: number): number {
  return statusBytes(pid, 'VmHWM');
}

/** What a process and its descendants hold, in bytes; pages that they share count for each. */
export function serviceMemoryBytes(pid: number): number {
  return serviceProcesses(pid).reduce((sumBytes, id) => sumBytes + statusBytes(id, 'VmRSS'), 0);
}

/** A process and its descendants. */
export function serviceProcesses(pid: number): number[] {
  const parents = new Map(processIds().map((id) => [id, parentOf(id)]));
  const belongs = (id: number): boolean => {
    for (let at: number | undefined = id; at !== undefined && at > 1; at = parents.get(at)) {
      if (at === pid) return true;
    }
    return false;
  };
  return [...parents.keys()].filter(belongs);
}

/** What a process has taken of the processor so far, in seconds; 0 for one that is gone. */
export function processorSeconds(pid: number): number {
  // The name of the program, in parentheses, may hold spaces: fields count from behind it (proc_pid_stat(5)).
  const fields = fileText(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

// Of Linux on every common machine; sysconf(_SC_CLK_TCK).
const ticksPerSecond = 100;

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
  return fileText(`/proc/${pid}/status`);
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // It ended between two looks.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return '';
    throw error;
  }
}
