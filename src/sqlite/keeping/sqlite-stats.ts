/** Counts and sizes of the embedded store. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { maxTimestamp } from '../../model/points.ts';
import type { StoreStats } from '../../model/store.ts';
import { headBytes } from '../../series/chunk.ts';
import { countSeries } from '../../store/keeping/count-series.ts';
import { lineTypesSql } from '../../store/stored-columns.ts';
import { getNumber, openForReading, sqliteFault } from '../sqlite-database.ts';
import { pages } from '../sqlite-state.ts';

const headsSql = `select first_timestamp, substr(bytes, 1, ${headBytes}) as head from chunk`;

const lastChunksSql = `
  select chart_uid, first_timestamp, bytes from chart join chunk on chart_uid = uid
    and first_timestamp = (select max(first_timestamp) from chunk where chart_uid = uid and first_timestamp <= ?)
  where type in (${lineTypesSql})`;

/**
 * Counts what the store in a file holds.
 * @param nowMs points after this time lie in the future.
 * @throws AppError as `openForReading`; `unavailable` for a damaged store.
 */
export async function loadSqliteStats(path: string, nowMs = Date.now()): Promise<StoreStats> {
  const db = openForReading(path);
  try {
    db.exec('begin');
    return {
      ...countRows(db),
      ...(await countSeries(
        {
          heads: pages(db, headsSql, { rowCount: 4096 }),
          lastChunks: (until = maxTimestamp) => pages(db, lastChunksSql, { rowCount: 4096, values: [until] }),
        },
        nowMs,
      )),
      sizeBytes: sizeOf(path),
    };
  } catch (error) {
    throw sqliteFault(error, path);
  } finally {
    db.close();
  }
}

/** Adds up the sizes of a store and its log. */
export function sizeOf(path: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function countRows(db: DatabaseSync) {
  return {
    softwareCount: getNumber(db, 'select count(*) from software'),
    pluginCount: getNumber(db, 'select count(*) from plugin'),
    chartCount: getNumber(db, 'select count(*) from chart'),
    eventCount: getNumber(db, 'select count(*) from event'),
  };
}
