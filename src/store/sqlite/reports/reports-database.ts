/** The database beside a store in which the reports of the open slot lie. */
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../model/app-error.ts';

/** Marks the file ("pmre" in ASCII). */
const applicationId = 0x70_6d_72_65;

/** Programs before version 5 of the store wrote version 1. */
const version = 2;

/** Time that a transaction of another thread is waited for: closing a slot has short ones. */
const busyTimeoutMs = 2000;

const schemaSql = `
  create table slot (
    start integer primary key,
    key blob not null,
    is_frozen integer not null default 0
  ) strict;

  create table coverage (
    start integer not null,
    collector text not null,
    from_time integer not null,
    until integer not null,
    primary key (start, collector, from_time)
  ) strict, without rowid;

  create table closed (
    id integer primary key check (id = 1),
    until integer not null
  ) strict;

  insert into closed (id, until) values (1, 0);
  pragma application_id = ${applicationId};
  pragma user_version = ${version};`;

/** The tables of one slot. Dropping them costs less than deleting a million rows. */
export function slotTablesSql(start: number): string {
  return `
    create table name_${start} (
      id integer primary key,
      name text not null unique
    ) strict;

    create table batch_${start} (
      id integer primary key,
      bytes blob not null
    ) strict;`;
}

/** Drops the tables of a slot. */
export function dropSlotTables(db: DatabaseSync, start: number): void {
  for (const table of ['batch', 'name']) db.exec(`drop table if exists ${table}_${start}`);
}

/** Opens the database, and makes it if there is none. @throws the error of SQLite, or AppError `invalid`. */
export function openReportsDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    if (numberOf(db, 'select count(*) from sqlite_schema') !== 0) refuseOther(db, path);
    // What must be on disk is synchronized by `SqliteReports`, which does not hold up this thread meanwhile.
    db.exec('pragma journal_mode = wal; pragma synchronous = normal; begin immediate');
    if (numberOf(db, 'select count(*) from sqlite_schema') === 0) db.exec(schemaSql);
    dropLeftovers(db);
    db.exec('commit');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Refuses a file that has no reports, or those of another version. @throws AppError `invalid`. */
function refuseOther(db: DatabaseSync, path: string): void {
  const found =
    numberOf(db, 'pragma application_id') === applicationId && numberOf(db, 'pragma user_version');
  if (found === version) return;
  throw new AppError(
    'invalid',
    found !== false && found < version
      ? `the reports in ${path} are of an older plugin-metrics, whose collector has to close their slot first: ` +
          `run it until the next slot has begun, stop it, and remove ${path}`
      : `${path} is not a database of reports that this program knows`,
  );
}

/** Drops the tables of slots that a killed collector had closed. */
function dropLeftovers(db: DatabaseSync): void {
  const open = new Set(
    db
      .prepare('select start from slot')
      .all()
      .map((row) => Number(row['start'])),
  );
  for (const row of db.prepare("select name from sqlite_schema where name glob 'batch_[0-9]*'").all()) {
    const start = Number(String(row['name']).slice('batch_'.length));
    if (!open.has(start)) dropSlotTables(db, start);
  }
}

function numberOf(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0]);
}
