/** Processor cores of the machine. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Core numbers in the notation of `taskset`. */
export interface Cores {
  readonly all: string;
  /** Core for the measured program. */
  readonly server: string;
  /** Core for the load. */
  readonly load: string;
}

/** Assigns the cores of this process to roles. Throws if there are fewer than two. */
export function dealCores(): Cores {
  // In a container the numbers may not start at 0: `2-3,8`.
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

/** Returns the start of a command line that pins a program to cores; empty if `taskset` is not installed. */
export function pinned(cores: string): string[] {
  return hasTaskset ? ['taskset', '-c', cores] : [];
}

/**
 * Pins a process (this one by default), and its later children without their own cores, to cores. Returns
 * false if `taskset` is not installed.
 */
export function stayOnCores(cores: string, pid = process.pid): boolean {
  return hasTaskset && spawnSync('taskset', ['-a', '-c', '-p', cores, String(pid)]).status === 0;
}
