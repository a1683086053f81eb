/** The programs that the questions need beside Node: which are missing, and how to get them. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const packages = { nginx: 'nginx', wrk: 'wrk', taskset: 'util-linux', nice: 'coreutils' } as const;

/** A program that a question may need. */
export type ProgramName = keyof typeof packages;

/** Services are often installed where the search path of ordinary users does not lead. */
const serviceFolders = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/** Where a program lies; undefined where it is missing. */
export function findProgram(name: ProgramName): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...serviceFolders];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Where a program lies. Throws an error that says how to get it. */
export function getProgram(name: ProgramName): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(missingText([name]));
  return path;
}

/** Words for programs that are missing. */
export function missingText(names: readonly ProgramName[]): string {
  const wanted = names.map((name) => packages[name]).join(' ');
  const list = new Intl.ListFormat('en-GB').format(names);
  return `${list} ${names.length === 1 ? 'is' : 'are'} missing; on Debian and Ubuntu: apt-get install ${wanted}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
