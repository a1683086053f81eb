/** Stores the reports of open slots in a database beside the embedded store. */
import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { AppError } from '../../model/app-error.ts';
import { type ReportStore, reportsSuffix } from '../../model/report-store.ts';
import { createReportTablesSql, type ReportDatabase, ReportLog } from '../reports/report-log.ts';
import type { Statement, Value } from '../statement.ts';
import { tables } from '../tables.ts';
import { findFile, isSameFile } from './database-files.ts';
import { getNumber, sqliteTypes } from './sqlite-database.ts';
import { guarded, unusable } from './sqlite-fault.ts';
import { SqliteConnection } from './sqlite-sql.ts';

/** Marks a file of reports ("pmre" in ASCII). */
const applicationId = 0x70_6d_72_65;

/** The version of the database. Programs before version 6 of the store wrote the versions 1 and 2. */
const version = 3;

/** Longest wait for a statement of another thread. Closing a slot runs only short statements. */
const busyTimeoutMs = 2000;

/** Pause between checkpoints that readers prevent, such as a program that copies the database. */
const checkpointPauseMs = 50;

const schemaSql = `
  ${createReportTablesSql(sqliteTypes)}
  ${tables.collection.createSql(sqliteTypes, '')}
  insert into collection values (1, 0);
  pragma application_id = ${applicationId};
  pragma user_version = ${version};`;

/**
 * Opens the reports beside a store, and creates their database if it is missing.
 * @throws AppError `unavailable` if the database cannot be used, `invalid` for another file.
 */
export async function openSqliteReports(storePath: string): Promise<ReportStore> {
  const path = storePath + reportsSuffix;
  const files = openFiles(path);
  try {
    await files.wal;
  } catch (error) {
    files.connection[Symbol.dispose]();
    throw error;
  }
  return new ReportLog(new SqliteReportDatabase(path, files));
}

interface OpenFiles {
  readonly connection: SqliteConnection;
  /**
   * SQLite's log. It is synced through this handle, because a commit that waits for the disk would block the
   * thread.
   */
  readonly wal: Promise<FileHandle>;
  /** The database, to find out whether it is still at the path. */
  readonly file: Stats | undefined;
}

class SqliteReportDatabase implements ReportDatabase {
  readonly prefix = '';
  readonly lock = '';
  readonly #path: string;
  #opened: OpenFiles | undefined;

  constructor(path: string, files: OpenFiles) {
    this.#path = path;
    this.#opened = files;
  }

  async read<R>(statement: Statement<R>, ...values: readonly Value[]): Promise<R[]> {
    return this.#files().connection.read(statement, values);
  }

  async run(text: string, ...values: readonly Value[]): Promise<void> {
    this.#files().connection.run(text, values);
  }

  async synchronize(): Promise<void> {
    const files = this.#files();
    try {
      await (await files.wal).datasync();
    } catch (error) {
      // The log may have been moved alone, as files are moved one by one: the next use opens all again.
      if (this.#opened === files) {
        this.#opened = undefined;
        void closeFiles(files);
      }
      throw unusable(this.#path, 'cannot be used: the disk failed', error);
    }
  }

  async clean(): Promise<void> {
    // The log may still contain the key of the slot. In the database, the deleted row has been overwritten.
    // While a checkpoint waits for readers, nobody can append, so it is repeated instead.
    const { db, path } = this.#files().connection;
    const isBlocked = () => guarded(path, () => getNumber(db, 'pragma wal_checkpoint(truncate)') !== 0);
    db.exec('pragma busy_timeout = 0');
    for (let waitedMs = 0; waitedMs < busyTimeoutMs && isBlocked(); waitedMs += checkpointPauseMs)
      await setTimeout(checkpointPauseMs);
    db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeFiles(this.#opened);
  }

  /**
   * Returns the open files. If they are no longer at the path, because a store was moved or restored, it
   * opens those of the path, from which slots are closed.
   * @throws AppError `unavailable` once for files that were moved.
   */
  #files(): OpenFiles {
    const before = this.#opened;
    if (before !== undefined && isSameFile(findFile(this.#path), before.file)) return before;
    this.#opened = undefined;
    void closeFiles(before);
    this.#opened = openFiles(this.#path);
    if (before === undefined) return this.#opened;
    throw unusable(this.#path, 'was moved or replaced: the reports in it are not counted');
  }
}

function openFiles(path: string): OpenFiles {
  const connection = guarded(path, () => openDatabase(path));
  const wal = open(`${path}-wal`, 'r+');
  // A failure is found when the log is synced.
  wal.catch(() => {});
  return { connection, wal, file: findFile(path) };
}

async function closeFiles(files: OpenFiles | undefined): Promise<void> {
  files?.connection[Symbol.dispose]();
  await files?.wal.then((wal) => wal.close()).catch(() => {});
}

function openDatabase(path: string): SqliteConnection {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    const isOurs =
      getNumber(db, 'pragma application_id') === applicationId &&
      getNumber(db, 'pragma user_version') === version;
    if (!isOurs && !isEmpty(db))
      throw new AppError(
        'invalid',
        `${path} has no reports of this program: if an older one made it, run that until the next slot has begun, stop it, and remove ${path}`,
      );
    // Deleted rows are overwritten. Without the key of a slot, nobody can find out which server a hash
    // belongs to, even if rows can still be found elsewhere.
    db.exec(`
      pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = fast;
      begin immediate`);
    if (isEmpty(db)) db.exec(schemaSql);
    db.exec('commit');
    return new SqliteConnection(db, path);
  } catch (error) {
    db.close();
    throw error;
  }
}

function isEmpty(db: DatabaseSync): boolean {
  return getNumber(db, 'select count(*) from sqlite_schema') === 0;
}
