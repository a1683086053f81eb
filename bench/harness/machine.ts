/** The machine: its processor cores, and the programs on it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Numbers of processor cores, as `taskset` takes them. */
export interface Cores {
  readonly all: string;
  /** The core for the program that is measured. */
  readonly server: string;
  /** The core for the load. */
  readonly load: string;
  /** A second core for the program; that of the load if there is no third. */
  readonly second: string;
}

/** The cores of this process, assigned to roles. Throws if there are fewer than two. */
export function dealCores(): Cores {
  // In a container the numbers need not begin at 0: `2-3,8`.
  const all = /^Cpus_allowed_list:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [server, load, second] = all.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  });
  if (server === undefined || load === undefined) {
    throw new Error('this needs two processor cores: one for the server, one for the load');
  }
  return { all, server, load, second: second ?? load };
}

/** The beginning of a command line that keeps a program on these cores; nothing where `taskset` is not installed. */
export function pinned(cores: string): string[] {
  const taskset = programPath('taskset');
  return taskset === 'taskset' ? [] : [taskset, '-c', cores];
}

/** Keeps this process, and children without cores of their own, on these cores. Returns false where `taskset` is not installed. */
export function stayOnCores(cores: string): boolean {
  const [taskset] = pinned(cores);
  if (taskset === undefined) return false;
  execFileSync(taskset, ['-c', '-a', '-p', cores, String(process.pid)]);
  return true;
}

const packages = { nginx: 'nginx', wrk: 'wrk', taskset: 'util-linux' } as const;

/** The path of a program; its name if it is not installed. */
export function programPath(name: string): string {
  // Services are often installed outside the search path of ordinary users.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}

/** Names the missing programs and their packages; undefined if none is missing. */
export function findMissing(): string | undefined {
  const missing = Object.entries(packages).filter(([name]) => programPath(name) === name);
  if (missing.length === 0) return undefined;
  const [names, wanted] = [missing.map(([name]) => name), missing.map(([, name]) => name)];
  return `missing: ${names.join(', ')}; on Debian and Ubuntu: apt-get install ${wanted.join(' ')}`;
}
