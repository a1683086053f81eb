/** Checks the embedded store: first the file with SQLite's own check, then every row. */
import { DatabaseSync } from 'node:sqlite';
import { throwUnexpected } from '../../model/app-error.ts';
import { checkState } from '../check/check-state.ts';
import type { Engine } from '../sql.ts';
import { allTables } from '../tables.ts';
import { createTables, openForReading, refuseOther, UnusedDatabase, unusedState } from './sqlite-database.ts';
import { isCorrupt, restoring, sqliteFault } from './sqlite-fault.ts';
import { beginReading } from './sqlite-sql.ts';

/**
 * Yields one line per fault. A file that no process has open, such as a backup, may be in a read-only folder;
 * the check creates no files beside it.
 * @throws AppError like `openForReading`.
 */
export async function* checkSqliteStore(
  path: string,
  ...options: Parameters<Engine['check']>
): AsyncGenerator<string> {
  const state = unusedState(path);
  const unused = openIfStore(path);
  if (unused !== undefined) {
    for await (const fault of faultsIn(unused, path, options)) {
      if (unusedState(path) !== state) break;
      yield fault;
    }
    // This pass took no lock. If the store was written meanwhile, the check starts again, with a lock.
    if (unusedState(path) === state) return;
  }
  // Integers are read as bigints, so that one beyond 2^53 is reported like any other fault instead of ending
  // a statement.
  yield* faultsIn(openForReading(path, { readBigInts: true }), path, options);
}

/** Opens a store without a lock; undefined for a file that is not a store, which `openForReading` refuses. */
export function openIfStore(path: string): DatabaseSync | undefined {
  if (unusedState(path) === undefined) return undefined;
  let db: DatabaseSync | undefined;
  try {
    db = new UnusedDatabase(path, { readBigInts: true });
    refuseOther(db, path);
    return db;
  } catch {
    // `openForReading` reports the fault.
  }
  db?.close();
  return undefined;
}

/** Yields the faults of an open database, and closes it. */
async function* faultsIn(
  db: DatabaseSync,
  path: string,
  options: Parameters<Engine['check']>,
): AsyncGenerator<string> {
  try {
    await using transaction = beginReading(path, db);
    const damage = [...integrityFaults(db), ...schemaFaults(db)];
    yield* damage;
    // A file that SQLite itself finds damaged is not read further.
    if (damage.length > 0) return;
    yield* checkState(transaction.sql, ...options);
  } catch (error) {
    const fault = sqliteFault(error, path);
    throwUnexpected(fault);
    yield fault.message;
  }
}

function* integrityFaults(db: DatabaseSync): Generator<string> {
  const fault = pageFault(db);
  if (fault !== undefined) {
    const broken = allTables
      .map(({ name }) => name)
      .filter((name) => pageFault(db, `(${name})`) !== undefined);
    const place = broken.length === 0 ? '' : ` in the table ${broken.join(', ')}`;
    yield `the store has a broken page${place}: ${fault}; ${restoring}`;
    return;
  }
  for (const row of db.prepare('pragma foreign_key_check').iterate()) {
    yield `a row of ${row['table']} refers to a row of ${row['parent']} that does not exist`;
  }
}

/** Finds the first fault in the pages of the file, or of one of its tables. */
function pageFault(db: DatabaseSync, ofTable = ''): string | undefined {
  try {
    const row = db.prepare(`pragma integrity_check${ofTable}`).get();
    // The first line may only name the database.
    const [fault] = String(row?.['integrity_check'])
      .replace(/^\*.*\n/, '')
      .split('\n');
    return fault === 'ok' ? undefined : fault;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return error.message;
  }
}

/** Compares the schema with that of a new store, because SQLite trusts the schema in a file. */
function* schemaFaults(db: DatabaseSync): Generator<string> {
  const schemaSql = 'select name, sql from sqlite_schema where sql is not null order by name';
  using expected = new DatabaseSync(':memory:');
  createTables(expected);
  const found = new Map(
    db
      .prepare(schemaSql)
      .all()
      .map((row) => [row['name'], row['sql']]),
  );
  for (const { name, sql } of expected.prepare(schemaSql).all())
    if (found.get(name) !== sql) yield `the table ${name} is not defined as it should be`;
}
