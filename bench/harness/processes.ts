/** Memory and CPU time of processes, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time and memory of a process and its descendants. */
export interface ServiceUse {
  /** CPU time so far, user and system. */
  readonly cpuSeconds: number;
  /** Resident memory now; shared pages count for each process. */
  readonly memoryBytes: number;
  /** The sum of the peak memory of each process. */
  readonly peakBytes: number;
}

/** Adds up a process and its descendants; ended processes do not count. */
export function serviceUse(pid: number): ServiceUse {
  const uses = serviceProcesses(pid).map(processUse);
  const sum = (field: keyof ServiceUse) => uses.reduce((total, use) => total + use[field], 0);
  return { cpuSeconds: sum('cpuSeconds'), memoryBytes: sum('memoryBytes'), peakBytes: sum('peakBytes') };
}

/** Reads CPU time and memory of one process; zeros if it has ended. */
export function processUse(pid: number): ServiceUse {
  const fields = statFields(pid);
  const status = fileText(`/proc/${pid}/status`);
  const bytes = (field: string) =>
    1024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return {
    cpuSeconds: ticks / ticksPerSecond,
    memoryBytes: bytes('VmRSS'),
    peakBytes: bytes('VmHWM'),
  };
}

// The value on every common Linux machine; sysconf(_SC_CLK_TCK).
const ticksPerSecond = 100;

function serviceProcesses(pid: number): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(ids.map((id) => [Number(id), Number(statFields(Number(id))[1] ?? 0)]));
  const belongs = (id: number | undefined): boolean =>
    id !== undefined && id > 1 && (id === pid || belongs(parents.get(id)));
  return [...parents.keys()].filter(belongs);
}

/** The fields of proc_pid_stat(5) after the name, which is in parentheses and may contain spaces. */
function statFields(pid: number): string[] {
  return fileText(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}
