/** Reads CPU time, memory and written bytes of processes from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Resources used by a process, or by a process and its descendants. */
export interface ServiceUse {
  /** CPU time so far, user and system, including finished children. */
  readonly cpuSeconds: number;
  /** Bytes written to files, pipes and sockets so far, including finished children. */
  readonly writtenBytes: number;
  /** Current resident memory; shared pages count once per process. */
  readonly memoryBytes: number;
  /** Sum of the peak memory of each process. */
  readonly peakBytes: number;
}

/** Adds up the resources of a process and its descendants. */
export function serviceUse(pid: number): ServiceUse {
  const uses = serviceProcesses(pid).map(processUse);
  const sum = (field: keyof ServiceUse) => uses.reduce((total, use) => total + use[field], 0);
  return {
    cpuSeconds: sum('cpuSeconds'),
    writtenBytes: sum('writtenBytes'),
    memoryBytes: sum('memoryBytes'),
    peakBytes: sum('peakBytes'),
  };
}

/** Reads the resources of one process; zeros if it has ended. */
export function processUse(pid: number): ServiceUse {
  const status = `/proc/${pid}/status`;
  return {
    cpuSeconds: cpuSeconds(fileText(`/proc/${pid}/stat`)),
    writtenBytes: Number(/^wchar: (\d+)$/m.exec(fileText(`/proc/${pid}/io`))?.[1] ?? 0),
    memoryBytes: kilobytes(status, 'VmRSS'),
    peakBytes: kilobytes(status, 'VmHWM'),
  };
}

/** Parses the CPU time from `/proc/PID/stat`: all threads and finished children, user and system. */
export function cpuSeconds(stat: string): number {
  return (
    afterName(stat)
      .slice(11, 15)
      .reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  );
}

// Value of sysconf(_SC_CLK_TCK) on every common Linux machine.
const ticksPerSecond = 100;

/** Lists the ids of a process and its descendants. */
export function serviceProcesses(pid: number): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(
    ids.map((id) => [Number(id), Number(afterName(fileText(`/proc/${id}/stat`))[1] ?? 0)]),
  );
  const belongs = (id: number | undefined): boolean =>
    id !== undefined && id > 1 && (id === pid || belongs(parents.get(id)));
  return [...parents.keys()].filter(belongs);
}

/** Returns the fields of proc_pid_stat(5) after the name, which is in parentheses and may contain spaces. */
function afterName(stat: string): string[] {
  return stat.replace(/^.*\) /s, '').split(' ');
}

/** Reads a line `NAME: 123 kB` of a file, in bytes. */
function kilobytes(path: string, name: string): number {
  return 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(fileText(path))?.[1] ?? 0);
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}
