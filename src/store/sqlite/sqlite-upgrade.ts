/** Upgrades the embedded store in its file, after a backup, while no other process has it open. */
import { statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../model/app-error.ts';
import type { OnProgress, Upgraded, UpgradeOptions } from '../../model/store.ts';
import { fullDisk } from '../../runtime/system-faults.ts';
import { findReleased, type ReleasedVersion, refuseOtherVersion, storeVersion } from '../store-version.ts';
import type { UpgradeTransaction } from '../upgrade/step.ts';
import { upgradeStore } from '../upgrade/upgrade-store.ts';
import { NewDatabase, removeLeftovers } from './new-database.ts';
import { copyPages } from './sqlite-backup.ts';
import { sizeOf } from './sqlite-compact.ts';
import { endOfTable, refuseMissing, sqliteTypes, UnusedDatabase, versionOf } from './sqlite-database.ts';
import { guarded, isBusy, isThere, sqliteFault, unusable } from './sqlite-fault.ts';
import { SqliteConnection, SqliteSql } from './sqlite-sql.ts';

/** Longest wait for another command that has the store open. */
const othersMs = 2000;

/**
 * Disk space for the rows that an upgrade writes, as a part of the store: it writes trends and totals, but no
 * chunks.
 */
const writtenPart = 0.25;
const leastWrittenBytes = 1024 * 1024;

/**
 * See `Store.upgrade`. The backup is `PATH.vN`, with the old version of the store; a backup left by an
 * interrupted upgrade is kept.
 */
export async function upgradeSqliteStore(
  path: string,
  { makesBackup, onProgress }: UpgradeOptions,
): Promise<Upgraded> {
  refuseMissing(path);
  const version = findVersion(path);
  if (version === undefined) return { from: storeVersion, to: storeVersion };
  const file = makesBackup ? `${path}.v${version}` : undefined;
  const db = guarded(path, () => openAlone(path));
  try {
    const isMade = file === undefined || isBackupOf(file, db);
    refuseFullDisk(path, isMade ? 0 : sizeOf(path));
    if (!isMade) await backUp(file, { db, path, onProgress });
    else if (file !== undefined) removeLeftovers(file);
    db.exec('begin immediate');
    const sql = new SqliteSql(new SqliteConnection(db, path));
    const transaction: UpgradeTransaction = {
      ...{ version, sql },
      createTable: async (table) => db.exec(table.createSql(sqliteTypes, endOfTable(table))),
      setVersion: (to) => sql.run(`pragma user_version = ${to}`),
      commit: async () => db.exec('commit'),
    };
    const upgraded = await upgradeStore(transaction, onProgress);
    return file === undefined ? upgraded : { ...upgraded, backup: file };
  } catch (error) {
    throw sqliteFault(error, path);
  } finally {
    // Rolls back what is not committed.
    db.close();
  }
}

/**
 * Finds the version of a store that can be upgraded; undefined if the store has the newest version.
 * @throws AppError `invalid` for any other version.
 */
function findVersion(path: string): ReleasedVersion | undefined {
  const version = guarded(path, () => {
    using db = new DatabaseSync(path, { timeout: othersMs });
    return versionOf(db, path);
  });
  const released = findReleased(version);
  if (released === undefined) refuseOtherVersion(version, path);
  return released;
}

/**
 * Opens a store that no other process has open, and locks it until the connection is closed: a program that
 * has opened the store before may not notice that its version changes.
 * @throws AppError `conflict` if another process has the store open.
 */
function openAlone(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: othersMs });
  try {
    // The first statement that reads takes the lock, which the connection then keeps
    // (sqlite.org/pragma.html#pragma_locking_mode).
    db.exec('pragma locking_mode = exclusive; pragma synchronous = full; begin exclusive; rollback');
    return db;
  } catch (error) {
    db.close();
    if (!isBusy(error)) throw error;
    const wayOut = `stop what serves it, collects into it or writes it ("lsof ${path}" names the processes), and run this again`;
    throw new AppError('conflict', `another process has the store ${path} open: ${wayOut}`, { cause: error });
  }
}

/** Refuses a disk without enough space. @throws AppError `unavailable`. */
function refuseFullDisk(path: string, backupBytes: number): void {
  const folder = dirname(resolve(path));
  const { bavail, bsize } = statfsSync(folder);
  const writtenBytes = Math.max(leastWrittenBytes, writtenPart * sizeOf(path));
  if (bavail * bsize >= backupBytes + writtenBytes) return;
  const wayOut = backupBytes > 0 ? ', or use --no-backup if you have a backup' : '';
  throw unusable(path, `was not changed, as ${fullDisk(folder)}${wayOut}`);
}

const stateSql = 'select data, catalogue from generation where id = 1';

/**
 * True for a backup of this state, left by an interrupted upgrade.
 * @throws AppError `conflict` for any other file.
 */
function isBackupOf(file: string, db: DatabaseSync): boolean {
  if (!isThere(file)) return false;
  const stateOf = (one: DatabaseSync) => JSON.stringify(one.prepare(stateSql).get());
  try {
    using copy = new UnusedDatabase(file);
    // Every write gives the store new tokens, so equal tokens mean an equal state.
    if (versionOf(copy, file) === versionOf(db, file) && stateOf(copy) === stateOf(db)) return true;
  } catch {
    // The file is not a store.
  }
  throw new AppError(
    'conflict',
    'it is there already, and a backup replaces nothing: move it away, or upgrade with --no-backup',
    {
      place: file,
    },
  );
}

async function backUp(
  file: string,
  {
    db,
    path,
    onProgress,
  }: { readonly db: DatabaseSync; readonly path: string; readonly onProgress: OnProgress },
): Promise<void> {
  using place = await NewDatabase.open(file);
  try {
    await copyPages(db, path, place, onProgress);
  } catch (error) {
    throw sqliteFault(error, file);
  }
  place.publish();
}
