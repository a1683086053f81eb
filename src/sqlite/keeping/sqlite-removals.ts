/** Loads the removals of the embedded store. */
import { existsSync } from 'node:fs';
import { noRemovals, type Removals } from '../../model/metrics-remover.ts';
import { removalsOf } from '../../store/keeping/removals.ts';
import { guarded, openForReading } from '../sqlite-database.ts';

/**
 * Loads the removals of the store in a file; none if there is no file.
 * @throws AppError as `openForReading`; `unavailable` for a damaged store.
 */
export function loadSqliteRemovals(path: string): Removals {
  if (!existsSync(path)) return noRemovals;
  using db = openForReading(path);
  return guarded(path, () =>
    removalsOf(db.prepare('select plugin_id, chart_id, before_timestamp, checksum from removal').all()),
  );
}
