/** The check of the embedded store: everything is read and verified. */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../model/app-error.ts';
import { storageOf } from '../model/chart-data.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { Chunk } from '../series/chunk.ts';
import { verifyChunk } from '../series/verify-chunk.ts';
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
    try {
      options.checkRecord(record);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      yield `${nameOf(record)}: ${error.message}`;
    }
  }
}

function* lineFaults(db: DatabaseSync): Generator<string> {
  const chunksSql = `
    select plugin_id, chart_id, type, first_timestamp, bytes
    from chunk join chart on uid = chart_uid order by chart_uid, first_timestamp`;
  let before: { readonly line: string; readonly chunk: Chunk } | undefined;
  for (const row of db.prepare(chunksSql).iterate()) {
    const line = `plugin ${row['plugin_id']}, chart ${row['chart_id']}`;
    const chunk = chunkOf(row);
    if (storageOf(String(row['type'])) !== 'series') yield `${line}: a ${row['type']} has points`;
    if (before !== undefined) yield* chunkFaults(before, before.line === line ? chunk : undefined);
    before = { line, chunk };
  }
  if (before !== undefined) yield* chunkFaults(before, undefined);
}

function* chunkFaults(
  at: { readonly line: string; readonly chunk: Chunk },
  next: Chunk | undefined,
): Generator<string> {
  const fault = verifyChunk(at.chunk, next?.firstTimestamp);
  if (fault !== undefined) yield `${at.line}: ${fault}`;
}

function nameOf(record: MetricsRecord): string {
  switch (record.kind) {
    case 'software':
      return `software ${record.software.id}`;
    case 'plugin':
      return `plugin ${record.plugin.id}`;
    case 'chart':
      return `plugin ${record.pluginId}, chart ${record.chart.chartId}`;
    case 'data':
      return `plugin ${record.pluginId}, data of chart ${record.chartId}`;
    case 'end':
      return 'end';
  }
}
