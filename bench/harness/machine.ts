/** The processor cores of the machine. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Numbers of processor cores, as `taskset` takes them. */
export interface Cores {
  readonly all: string;
  /** The core for the program that is measured. */
  readonly server: string;
  /** The core for the load. */
  readonly load: string;
}

/** The cores of this process, assigned to roles. Throws if there are fewer than two. */
export function dealCores(): Cores {
  // In a container the numbers need not begin at 0: `2-3,8`.
  const all = /^Cpus_allowed_list:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [server, load] = all.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  });
  if (server === undefined || load === undefined)
    throw new Error('this needs two processor cores: one for the server, one for the load');
  return { all, server, load };
}

const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/** The beginning of a command line that keeps a program on these cores; nothing where `taskset` is not installed. */
export function pinned(cores: string): string[] {
  return hasTaskset ? ['taskset', '-c', cores] : [];
}

/** Keeps this process, and children without cores of their own, on these cores. Returns false where `taskset` is not installed. */
export function stayOnCores(cores: string): boolean {
  return hasTaskset && spawnSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)]).status === 0;
}
