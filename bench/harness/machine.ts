/** The machine that figures were measured on, in words. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, release, totalmem } from 'node:os';
import { postgresVersion } from './postgres.ts';
import { findProgram, type ProgramName } from './programs.ts';

/** Names and what they are, such as `CPU` and its model. */
export function describeMachine(): ReadonlyArray<readonly [name: string, what: string]> {
  const model = /^model name\s*:\s*(.+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? 'unknown';
  return [
    ['CPU', `${model}, ${availableParallelism()} cores`],
    ['Memory', `${(totalmem() / 2 ** 30).toFixed(1)} GiB`],
    ['Linux', release()],
    ['Node', `${process.version} (SQLite ${process.versions['sqlite'] ?? 'unknown'})`],
    ['nginx', version('nginx', /nginx\/(\S+)/)],
    ['wrk', version('wrk', /^wrk (\S+)/m)],
    ['PostgreSQL', postgresVersion()],
    ['Date', new Date().toISOString().slice(0, 10)],
  ];
}

function version(name: ProgramName, pattern: RegExp): string {
  const path = findProgram(name);
  if (path === undefined) return 'missing';
  return pattern.exec(versionText(path))?.[1] ?? 'unknown';
}

/** `wrk -v` prints its version and fails; nginx prints its to standard error. */
function versionText(path: string): string {
  try {
    return execFileSync('/bin/sh', ['-c', '"$0" -v 2>&1 || true', path], { encoding: 'utf8', timeout: 5000 });
  } catch {
    return '';
  }
}
