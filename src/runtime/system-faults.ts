/** Explains errors of files, folders and disks: what is wrong, for which user, and the way out. */
import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';

/** Explains why a file cannot be read. @param wayOut for a user who may not. */
export function readFault(path: string, error: Error, wayOut = `"namei -l ${path}" shows who may`): string {
  const code = systemCode(error);
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EACCES' ? `${userName()} may not read it: ${wayOut}` : error.message;
}

/** Explains why a file cannot be written. @param path undefined for standard output. */
export function writeFault(path: string | undefined, error: Error): string {
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return fullDisk(path === undefined ? 'what standard output goes to' : dirname(resolve(path)));
  const isOfPlace = path !== undefined && (code === 'EACCES' || code === 'ENOENT');
  return (isOfPlace ? lackOf(path) : undefined) ?? error.message;
}

/** Says that the disk of one of these folders is full. */
export function fullDisk(...folders: readonly string[]): string {
  return `the disk is full: make room on the disk of ${folders.join(', or of ')}`;
}

/**
 * Describes the folder that is not there, or the first right that this user lacks, and the way out; undefined
 * for none.
 */
export function lackOf(path: string): string | undefined {
  const folder = dirname(resolve(path));
  const may = (right: number, of: string) => codeOf(() => accessSync(of, right));
  const namei = `"namei -l ${path}" shows who may; run this as that user, with "sudo -u USER"`;
  const lack = (what: string) => `${userName()} may not ${what}: ${namei}`;
  for (const one of foldersTo(folder)) {
    const code = may(constants.F_OK, `${one}/.`);
    if (code === 'ENOENT') return `there is no folder ${one}: "mkdir -p ${folder}" makes it`;
    if (code === 'ENOTDIR') return `${one} is not a folder: name a store in one`;
    if (code === 'EACCES') return lack(`enter the folder ${one}`);
  }
  if (may(constants.R_OK, path) === 'EACCES') return lack(`read ${path}`);
  const code = may(constants.W_OK, folder);
  if (code === 'EROFS')
    return `${folder} is on a disk that is mounted read-only: copy the store to another one`;
  // Before the file: a reader needs this alone.
  if (code === 'EACCES') return lack(`make files in the folder ${folder}`);
  return may(constants.W_OK, path) === 'EACCES' ? lack(`write ${path}`) : undefined;
}

/** Lists a folder and those that it is in, from the root on. */
function foldersTo(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...foldersTo(parent), folder];
}

/** Names the user that this process runs as. */
export function userName(): string {
  try {
    return `the user ${userInfo().username}`;
  } catch {
    // In a container a user may have no name.
    return `the user with the id ${process.getuid?.()}`;
  }
}

/** Runs `work` and returns the code of the system's error; undefined if there is none. */
export function codeOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return systemCode(error);
  }
}

/** The code of an error of the system, such as `EACCES`; undefined for another error. */
export function systemCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
