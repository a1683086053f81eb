/** The check of the embedded store: everything is read and verified. */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../model/app-error.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import { recordFault } from '../store/record-fault.ts';
import { seriesChecker } from '../store/verify-series.ts';
import { chunkOf } from './rows.ts';
import { openForReading, sqliteFault } from './sqlite-database.ts';
import { allRecords } from './sqlite-records.ts';

/**
 * Yields one line per fault; nothing for a store without any.
 * @param checkRecord throws AppError for a record that an import would refuse.
 * @throws AppError as `openForReading`.
 */
export async function* checkSqliteStore(
  path: string,
  checkRecord: (record: MetricsRecord) => void,
): AsyncGenerator<string> {
  const db = openForReading(path);
  try {
    db.exec('begin');
    const damage = [...integrityFaults(db)];
    yield* damage;
    // What SQLite itself cannot vouch for is not read further.
    if (damage.length === 0) {
      yield* recordFaults(db, { path, checkRecord });
      yield* lineFaults(db);
    }
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

function* recordFaults(
  db: DatabaseSync,
  options: { readonly path: string; readonly checkRecord: (record: MetricsRecord) => void },
): Generator<string> {
  for (const record of allRecords(db, options.path, () => [])) {
    const fault = recordFault(record, options.checkRecord);
    if (fault !== undefined) yield fault;
  }
}

function* lineFaults(db: DatabaseSync): Generator<string> {
  const chunksSql = `
    select plugin_id, chart_id, type, first_timestamp, bytes
    from chunk join chart on uid = chart_uid order by chart_uid, first_timestamp`;
  const lines = seriesChecker();
  for (const row of db.prepare(chunksSql).iterate()) {
    const line = `plugin ${row['plugin_id']}, chart ${row['chart_id']}`;
    yield* lines.take({ line, typeName: String(row['type']), chunk: chunkOf(row) });
  }
  yield* lines.finish();
}
