/** The check of the embedded store: what SQLite vouches for, then every row. */
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../model/app-error.ts';
import type { CheckRecord } from '../model/store.ts';
import { checkState } from '../store/check/check-state.ts';
import { openForReading, openUnused, sqliteFault, storeVersion, unusedState } from './sqlite-database.ts';
import { migrateSqlite } from './sqlite-migrate.ts';
import { sqliteMigrations } from './sqlite-schema.ts';
import { SqliteState } from './sqlite-state.ts';

/** Faults held back until it is certain that nobody has written meanwhile. */
const maxHeldFaults = 1000;

/**
 * Yields one line per fault; nothing for a store without any. A file that nobody has open, such as a backup, may lie where
 * nothing can be written, and nothing is left beside it.
 * @throws AppError as `openForReading`.
 */
export async function* checkSqliteStore(path: string, checkRecord: CheckRecord): AsyncGenerator<string> {
  const state = unusedState(path);
  const unused = state === undefined ? undefined : openIfCurrent(path);
  if (unused !== undefined) {
    let held: string[] = [];
    for await (const fault of faultsIn(unused, path, checkRecord)) {
      held.push(fault);
      if (held.length < maxHeldFaults) continue;
      if (unusedState(path) !== state) break;
      yield* held;
      held = [];
    }
    // Somebody has written meanwhile, and this read took no lock: the check begins again, with one.
    if (unusedState(path) === state) return yield* held;
  }
  // An integer that is too large ends no statement: it is a fault like any other.
  yield* faultsIn(openForReading(path, { readBigInts: true }), path, checkRecord);
}

/** A file that nobody has open, of the newest version; undefined for any other, which `openForReading` upgrades or refuses. */
function openIfCurrent(path: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = openUnused(path, { readBigInts: true });
    if (storeVersion(db, path) === sqliteMigrations.length) return db;
  } catch {
    // `openForReading` says what is wrong with it.
  }
  db?.close();
  return undefined;
}

/** Closes the database. */
async function* faultsIn(db: DatabaseSync, path: string, checkRecord: CheckRecord): AsyncGenerator<string> {
  try {
    const state = new SqliteState(db);
    const damage = [...integrityFaults(db), ...schemaFaults(db)];
    yield* damage;
    // What SQLite itself cannot vouch for is not read further.
    if (damage.length > 0) return;
    yield* generationFaults(db);
    yield* checkState(state, checkRecord);
  } catch (error) {
    const fault = sqliteFault(error, path);
    if (!(fault instanceof AppError)) throw fault;
    yield fault.message;
  } finally {
    db.close();
  }
}

function* integrityFaults(db: DatabaseSync): Generator<string> {
  for (const row of db.prepare('pragma integrity_check').iterate()) {
    const fault = String(row['integrity_check']);
    if (fault !== 'ok') yield `integrity: ${fault}`;
  }
  for (const row of db.prepare('pragma foreign_key_check').iterate()) {
    yield `a row of ${row['table']} refers to a row of ${row['parent']} that does not exist`;
  }
}

function* generationFaults(db: DatabaseSync): Generator<string> {
  if (db.prepare('select id from generation').all().length !== 1)
    yield 'the table generation has not one row: readers see no change of the catalogue; the next import puts it back';
}

/** What is not as the sqliteMigrations make it. SQLite reads its own schema and does not doubt it. */
function* schemaFaults(db: DatabaseSync): Generator<string> {
  const schemaSql = 'select name, sql from sqlite_schema where sql is not null order by name';
  using expected = new DatabaseSync(':memory:');
  migrateSqlite(expected);
  const found = new Map(
    db
      .prepare(schemaSql)
      .all()
      .map((row) => [row['name'], row['sql']]),
  );
  for (const { name, sql } of expected.prepare(schemaSql).all())
    if (found.get(name) !== sql) yield `the table ${name} is not defined as it should be`;
}
