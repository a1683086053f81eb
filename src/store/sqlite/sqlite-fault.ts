/** Explains errors of SQLite and of the files of a store: what is wrong, with which file, for which user, and the way out. */
import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../model/app-error.ts';
import { anotherImport } from '../sql.ts';

/** Result codes of SQLite (sqlite.org/rescode.html). */
const codes = {
  permission: 3,
  busy: 5,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
  /** "disk I/O error", of which this one means that there is no space for the index of the log. */
  noSpaceForIndex: 4874,
  /** Another one, which means that there is no folder for temporary files. */
  noTemporaryFolder: 6410,
};

const restoring = 'move it away, and "plugin-metrics restore" makes it anew from a backup';

/** Runs `work` and turns errors of SQLite into an AppError that names the file. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteFault(error, path);
  }
}

/**
 * Turns an error of SQLite, such as for a damaged schema or an integer beyond 2^53, into an AppError `unavailable` that names
 * the file. Returns any other error as it is.
 */
export function sqliteFault(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  if (!(error instanceof Error) || code === undefined) return error;
  if (code === codes.notADatabase) return notAStore(path, `; if it was one, ${restoring}`, error);
  if ((code & 255) === codes.corrupt)
    return unusable(path, `is damaged: ${error.message}; ${restoring}`, error);
  return unusable(path, `cannot be used: ${reasonOf(error, path)}`, error);
}

/** Turns an error of a database that SQLite keeps in a temporary file into an AppError `unavailable` that names the folder of that. */
export function temporaryFault(error: unknown, environment: NodeJS.ProcessEnv): unknown {
  if (!(error instanceof Error) || sqliteCode(error) === undefined) return error;
  const folder = temporaryFolder(environment);
  return new AppError(
    'unavailable',
    `the folder for temporary files, ${folder}, cannot be used: ${reasonOf(error, join(folder, 'file'))}; the variable SQLITE_TMPDIR names another one`,
    { kind: 'store-unavailable', cause: error },
  );
}

/** Finds the folder in which SQLite has temporary files, as it does (sqlite.org/tempfiles.html): the last one where none can be used. */
export function temporaryFolder({ SQLITE_TMPDIR, TMPDIR }: NodeJS.ProcessEnv): string {
  const folders = [SQLITE_TMPDIR, TMPDIR, '/var/tmp', '/usr/tmp', '/tmp'].filter((one) => one !== undefined);
  const isUsable = (folder: string) =>
    codeOf(() => accessSync(folder, constants.W_OK | constants.X_OK)) === undefined;
  return folders.find(isUsable) ?? process.cwd();
}

/** Makes the error for a file that is no store. */
export function notAStore(path: string, wayOut = '', cause?: unknown): AppError {
  return new AppError('invalid', `${path} is not a plugin-metrics store${wayOut}`, { cause });
}

/** Makes the error for a store that cannot be used. @param fault what is said of it. */
export function unusable(path: string, fault: string, cause?: unknown): AppError {
  return new AppError('unavailable', `the store ${path} ${fault}`, { kind: 'store-unavailable', cause });
}

/** True if a disk is full: that of the store, or of temporary files. */
export function isFull(error: unknown): boolean {
  return ((sqliteCode(error) ?? 0) & 255) === codes.full;
}

/** Says that the disk of one of these folders is full. */
export function fullDisk(...folders: readonly string[]): string {
  return `the disk is full: make room on the disk of ${folders.join(', or of ')}`;
}

/** True if another process is writing. */
export function isBusy(error: unknown): boolean {
  return ((sqliteCode(error) ?? 0) & 255) === codes.busy;
}

/** True if SQLite could not make the files beside a store, or has no space for them. */
export function lacksFilesBeside(error: unknown): boolean {
  const code = sqliteCode(error) ?? 0;
  return (
    code === codes.noSpaceForIndex || [codes.readOnly, codes.full, codes.cannotOpen].includes(code & 255)
  );
}

/** True if there is a file at a path. @throws AppError `unavailable` for a folder that this user may not enter. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const lack = lackOf(path);
    if (lack === undefined) return false;
    throw unusable(path, `cannot be used: ${lack}`, error);
  }
}

/** Describes the folder that is not there, or the first right that this user lacks, and the way out; undefined for none. */
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

/** SQLite's number of an error; 0 for one of node:sqlite itself, undefined for any other error. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code === 'ERR_OUT_OF_RANGE') return 0;
  if (error.code !== 'ERR_SQLITE_ERROR') return undefined;
  return 'errcode' in error ? Number(error.errcode) : 0;
}

/** Explains an error of SQLite in words that go on after "cannot be used: ". */
function reasonOf(error: Error, path: string): string {
  const code = sqliteCode(error) ?? 0;
  if (code === codes.noSpaceForIndex || isFull(error)) return fullDisk(dirname(resolve(path)));
  if ((code & 255) === codes.busy) return anotherImport;
  const isOfRights =
    code === codes.noTemporaryFolder ||
    [codes.permission, codes.readOnly, codes.cannotOpen].includes(code & 255);
  return (isOfRights ? lackOf(path) : undefined) ?? error.message;
}

/** Lists a folder and those that it is in, from the root on. */
function foldersTo(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...foldersTo(parent), folder];
}

function userName(): string {
  try {
    return `the user ${userInfo().username}`;
  } catch {
    // In a container a user may have no name.
    return `the user with the id ${process.getuid?.()}`;
  }
}

function codeOf(work: () => void): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : undefined;
  }
}
