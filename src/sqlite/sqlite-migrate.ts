/** Upgrades a SQLite file to the newest version. */
import type { DatabaseSync } from 'node:sqlite';
import { bindChecksum } from '../series/checksum.ts';
import { bytes, integer } from '../store/rows.ts';
import { type CheckedTable, rowChecksum } from '../store/stored-columns.ts';
import { addTallies, type DataKey, tallyOf } from '../store/tally.ts';
import { applicationId, sqliteMigrations } from './sqlite-schema.ts';

/** Runs the migrations that a store has not had, in one transaction. */
export function migrateSqlite(db: DatabaseSync): void {
  db.exec('begin immediate');
  try {
    const version = getNumber(db, 'pragma user_version');
    if (version < sqliteMigrations.length) {
      addFunctions(db);
      for (const migration of sqliteMigrations.slice(version)) db.exec(migration);
      db.exec(`pragma application_id = ${applicationId}; pragma user_version = ${sqliteMigrations.length}`);
    }
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/** Gets a single number with a statement. */
export function getNumber(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0]);
}

/** Adds the functions that migrations call. */
function addFunctions(db: DatabaseSync): void {
  const options = { deterministic: true, useBigIntArguments: true } as const;
  db.function('row_checksum', { ...options, varargs: true }, (table, ...columns) =>
    rowChecksum(table as CheckedTable, columns),
  );
  db.function('bound_checksum', options, (stored, uid, firstTimestamp) =>
    bindChecksum(bytes(stored), integer(uid), integer(firstTimestamp)),
  );
  db.aggregate('tally', {
    start: 0 as number,
    useBigIntArguments: true,
    step: (sum, key) => addTallies(sum, tallyOf(key as DataKey)),
    // SQLite would store a number as a real.
    result: BigInt,
  });
}
