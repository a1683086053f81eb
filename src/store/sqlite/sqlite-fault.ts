/**
 * Explains errors of SQLite and of the files of a store: what is wrong, with which file, for which user, and
 * the remedy.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../model/app-error.ts';
import { codeOf, fullDisk, lackOf, writeFault } from '../../runtime/system-faults.ts';
import { anotherImport } from '../wanted-store.ts';

/** Result codes of SQLite (sqlite.org/rescode.html). */
const codes = {
  permission: 3,
  busy: 5,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
  /** A "disk I/O error": there is no space for the index of the log. */
  noSpaceForIndex: 4874,
  /** A "disk I/O error": there is no folder for temporary files. */
  noTemporaryFolder: 6410,
};

/** The remedy for a damaged file. */
export const restoring = 'move it away, and "plugin-metrics restore" makes it again from a backup';

/** Runs `work` and turns errors of SQLite into an AppError that names the file. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteFault(error, path);
  }
}

/**
 * Turns an error of SQLite, such as for a damaged schema or an integer beyond 2^53, into an AppError
 * `unavailable` that names the file. Returns any other error unchanged.
 */
export function sqliteFault(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  if (!(error instanceof Error) || code === undefined) return error;
  if (code === codes.notADatabase) return notAStore(path, `; if it was one, ${restoring}`, error);
  if (isCorrupt(error)) return unusable(path, `is damaged: ${error.message}; ${restoring}`, error);
  return unusable(path, `cannot be used: ${reasonOf(error, path)}`, error);
}

/**
 * Turns an error of a SQLite database in a temporary file into an AppError `unavailable` that names the
 * folder of the file.
 */
export function temporaryFault(error: unknown, environment: NodeJS.ProcessEnv): unknown {
  if (!(error instanceof Error) || sqliteCode(error) === undefined) return error;
  const folder = temporaryFolder(environment);
  return new AppError(
    'store-unavailable',
    `the folder for temporary files, ${folder}, cannot be used: ${reasonOf(error, join(folder, 'file'))}; the variable SQLITE_TMPDIR names another one`,
    { cause: error },
  );
}

/**
 * Finds SQLite's folder for temporary files by SQLite's own rules (sqlite.org/tempfiles.html): if no folder
 * is usable, it is the working directory.
 */
export function temporaryFolder({ SQLITE_TMPDIR, TMPDIR }: NodeJS.ProcessEnv): string {
  const folders = [SQLITE_TMPDIR, TMPDIR, '/var/tmp', '/usr/tmp', '/tmp'].filter((one) => one !== undefined);
  const isUsable = (folder: string) =>
    codeOf(() => accessSync(folder, constants.W_OK | constants.X_OK)) === undefined;
  return folders.find(isUsable) ?? process.cwd();
}

/** Makes the error for a file that is not a store. */
export function notAStore(path: string, wayOut = '', cause?: unknown): AppError {
  return new AppError('invalid', `${path} is not a plugin-metrics store${wayOut}`, { cause });
}

/** Makes the error for a store that cannot be used. @param fault describes the fault. */
export function unusable(path: string, fault: string, cause?: unknown): AppError {
  return new AppError('store-unavailable', `the store ${path} ${fault}`, { cause });
}

/** True if a page of a database is broken. */
export function isCorrupt(error: unknown): error is Error {
  return primaryCode(error) === codes.corrupt;
}

/** True if a disk is full: that of the store, or of temporary files. */
export function isFull(error: unknown): boolean {
  return primaryCode(error) === codes.full;
}

/** True if another process is writing. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === codes.busy;
}

/** True if SQLite could not create the files beside a store, or has no space for them. */
export function lacksFilesBeside(error: unknown): boolean {
  return (
    sqliteCode(error) === codes.noSpaceForIndex ||
    [codes.readOnly, codes.full, codes.cannotOpen].includes(primaryCode(error))
  );
}

/**
 * True if there is a file at a path.
 * @throws AppError `unavailable` for a folder that this user may not enter.
 */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const lack = lackOf(path);
    if (lack === undefined) return false;
    throw unusable(path, `cannot be used: ${lack}`, error);
  }
}

/** Finds SQLite's code of an error; 0 for an error of node:sqlite itself, undefined for any other error. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code === 'ERR_OUT_OF_RANGE') return 0;
  if (error.code !== 'ERR_SQLITE_ERROR') return undefined;
  return 'errcode' in error ? Number(error.errcode) : 0;
}

/** Finds SQLite's code of an error without its extension; 0 for any other error. */
function primaryCode(error: unknown): number {
  return (sqliteCode(error) ?? 0) & 255;
}

/** Explains an error of SQLite, or of a file operation, in words that follow "cannot be used: ". */
export function reasonOf(error: Error, path: string): string {
  const code = sqliteCode(error);
  if (code === undefined) return writeFault(path, error);
  if (code === codes.noSpaceForIndex || isFull(error)) return fullDisk(dirname(resolve(path)));
  if (isBusy(error)) return anotherImport;
  const isOfRights =
    code === codes.noTemporaryFolder ||
    [codes.permission, codes.readOnly, codes.cannotOpen].includes(primaryCode(error));
  return (isOfRights ? lackOf(path) : undefined) ?? error.message;
}
