/**
 * Backs up the embedded store with SQLite's online backup, which copies one state while others read and
 * write. Restores a backup: copies or decompresses it, checks the copy, and moves the copy into place.
 */
import { closeSync, createReadStream, createWriteStream, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { AppError } from '../../model/app-error.ts';
import type { BackupOptions, KeptBackup, OnProgress, RestoreOptions, StoreStats } from '../../model/store.ts';
import { countStore } from '../maintenance/count-store.ts';
import { logSize } from './database-files.ts';
import { NewDatabase, refuseExistingFile } from './new-database.ts';
import { checkSqliteStore } from './sqlite-check.ts';
import { sizeOf } from './sqlite-compact.ts';
import { openForReading, refuseChange, refuseOther, UnusedDatabase } from './sqlite-database.ts';
import { guarded, isThere, reasonOf, sqliteFault } from './sqlite-fault.ts';
import { beginReading } from './sqlite-sql.ts';

type CopyOptions = Pick<BackupOptions, 'onProgress'>;

/** The number of pages copied at a time, which takes some ten milliseconds. */
const pagesAtOnce = 10_000;

/**
 * Copies one state of a store. The backup appears when it is complete and has passed a check.
 * @throws AppError `conflict` if the file exists, `unavailable` for a damaged store and for a backup that
 * cannot be written or checked, and like `openForReading`.
 */
export async function backUpSqliteStore(path: string, file: string, options: BackupOptions): Promise<void> {
  using place = await copyChecked(path, file, options);
  place.publish();
}

/**
 * Backs up a store to a folder as `NAME-TIME.db.zst`, and removes the oldest such files beyond `keepCount`.
 * All backups of a name are built in one place: two take turns, and the next one removes what a killed one
 * left.
 * @throws AppError `unavailable` like `backUpSqliteStore`, and if an old backup cannot be removed.
 */
export async function keepBackups(
  path: string,
  folder: string,
  { keepCount, ...options }: BackupOptions & { readonly keepCount: number },
): Promise<KeptBackup> {
  const name = basename(path, '.db');
  using place = await copyChecked(path, join(folder, `${name}-.db.zst`), options);
  const made = `${name}-${new Date().toISOString().replaceAll(':', '')}.db.zst`;
  const file = join(folder, made);
  options.onProgress?.(`compressing ${file}`, 0);
  const compressor = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const packed = createWriteStream(place.packedPath, { flags: 'wx' });
  await writing(file, () => pipeline(createReadStream(place.buildPath), compressor, packed));
  place.publish(place.packedPath, file);
  const own = new RegExp(`^${RegExp.escape(name)}-\\d{4}-\\d\\d-\\d\\dT\\d{6}\\.\\d{3}Z\\.db\\.zst$`);
  const older = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== made && own.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort()
    .reverse()
    .slice(keepCount - 1);
  for (const one of older) await writing(one, async () => rmSync(one, { force: true }));
  return { file, removedCount: older.length };
}

/** Copies a store, and checks the copy. */
async function copyChecked(path: string, file: string, options: BackupOptions): Promise<NewDatabase> {
  using stack = new DisposableStack();
  const source = stack.use(openForReading(path));
  refuseFile(file);
  const place = stack.use(await writing(file, () => NewDatabase.open(file)));
  // Another process may have created a backup during the wait.
  refuseFile(file);
  await copyDatabase({ source, path, place }, options);
  refuseChange(source, path);
  // Closed before the copy is checked, so that the store's log can be truncated meanwhile.
  source.close();
  const fault = (await firstFault(place, options))?.replaceAll(place.buildPath, path);
  if (fault !== undefined)
    throw new AppError('unavailable', `the store ${path} is damaged: ${fault}; no backup was made`);
  stack.move();
  return place;
}

/** Finds the first fault of a copy. */
async function firstFault(
  { buildPath }: NewDatabase,
  { checkRecord, onProgress }: BackupOptions,
): Promise<string | undefined> {
  for await (const fault of checkSqliteStore(buildPath, checkRecord, onProgress)) return fault;
  return undefined;
}

/**
 * Copies a backup, without changing it.
 * @throws AppError `invalid` for a file that is not a store or has another version, `unavailable` if it
 * cannot be read or copied.
 */
async function copyBackup(file: string, place: NewDatabase, options: CopyOptions): Promise<void> {
  using source = guarded(file, () => openBackup(file));
  await copyDatabase({ source, path: file, place }, options);
}

/** Opens a backup. If it has no log, it is opened as immutable, because its folder may be read-only. */
function openBackup(file: string): DatabaseSync {
  return logSize(file) > 0 ? new DatabaseSync(file, { readOnly: true }) : new UnusedDatabase(file);
}

/** A database to copy, its path, and the place of the copy. */
interface Copy {
  readonly source: DatabaseSync;
  readonly path: string;
  readonly place: NewDatabase;
}

async function copyDatabase({ source, path, place }: Copy, options: CopyOptions): Promise<void> {
  // SQLite restarts a backup when pages change. A read transaction keeps one state, without blocking writers.
  guarded(path, () => {
    source.exec('begin; select 1 from sqlite_schema');
    refuseOther(source, path);
  });
  // The file is created first, because the system's error is clearer than SQLite's.
  await writing(place.path, async () => closeSync(openSync(place.buildPath, 'wx')));
  try {
    await copyPages(source, path, place, options.onProgress);
    options.onProgress?.(`checking ${place.path}`, 0);
  } catch (error) {
    throw copyFault(error as Error, path, place);
  }
}

/** Copies all pages of a database into the new file at a place. */
export async function copyPages(
  source: DatabaseSync,
  path: string,
  place: NewDatabase,
  onProgress: OnProgress | undefined,
): Promise<void> {
  await backup(source, place.buildPath, {
    rate: pagesAtOnce,
    progress: ({ totalPages, remainingPages }) =>
      onProgress?.(`copying ${path}`, totalPages === 0 ? 0 : 1 - remainingPages / totalPages),
  });
}

function copyFault(cause: Error, path: string, place: NewDatabase): AppError {
  const reason = reasonOf(cause, place.path);
  return new AppError('unavailable', `copying ${path} to ${place.path} failed: ${reason}`, { cause });
}

/** Writes the content of a compressed backup. @throws AppError as `copyBackup`. */
async function unpackBackup(
  file: string,
  content: AsyncIterable<Uint8Array>,
  place: NewDatabase,
): Promise<void> {
  try {
    await pipeline(content, createWriteStream(place.buildPath, { flags: 'wx' }));
  } catch (error) {
    throw error instanceof AppError ? error.at(file) : copyFault(error as Error, file, place);
  }
  guarded(file, () => {
    using unpacked = new UnusedDatabase(place.buildPath);
    refuseOther(unpacked, file);
  });
}

function refuseFile(file: string): void {
  if (!isThere(file)) return;
  throw new AppError('conflict', 'it is there already, and a backup replaces nothing', { place: file });
}

async function writing<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = reasonOf(error as Error, file);
    throw new AppError('unavailable', `cannot be written: ${reason}`, { place: file, cause: error });
  }
}

/**
 * Makes the store at `path` from a backup, and returns its counts. A dry run does everything except the last
 * step.
 * @throws AppError `conflict` if there is a file at `path`, `invalid` for a backup with faults, and like
 * `copyBackup`.
 */
export async function restoreSqliteStore(
  backup: string,
  path: string,
  { isDryRun, content, ...options }: RestoreOptions,
  onWait?: () => void,
): Promise<StoreStats> {
  refuseExistingFile(path);
  using place = await NewDatabase.open(path, onWait).catch((error) => {
    throw sqliteFault(error, path);
  });
  refuseExistingFile(path);
  await (content === undefined ? copyBackup(backup, place, options) : unpackBackup(backup, content, place));
  const fault = await firstFault(place, options);
  if (fault !== undefined)
    throw new AppError('invalid', `the backup is damaged: ${fault}`, { place: backup });
  const stats = await statsOf(place.buildPath);
  if (!isDryRun) place.publish();
  return stats;
}

async function statsOf(path: string): Promise<StoreStats> {
  await using transaction = beginReading(path);
  return { ...(await countStore(transaction.sql, Date.now())), sizeBytes: sizeOf(path) };
}
