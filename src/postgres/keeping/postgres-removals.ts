/** Loads the removals of the store on a server. */
import { noRemovals, type Removals } from '../../model/metrics-remover.ts';
import { removalsOf } from '../../store/keeping/removals.ts';
import { refuseOtherVersion } from '../../store/store-version.ts';
import { batchOptions, connect } from '../connection/connect.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import { postgresFault } from '../connection/postgres-fault.ts';
import { findVersion } from '../postgres-schema.ts';

/**
 * Loads the removals of a store; none if there is no store.
 * @throws AppError as `connect` and `checkVersion`; `unavailable` for a damaged store.
 */
export async function loadPostgresRemovals(settings: PostgresSettings): Promise<Removals> {
  const connection = await connect(settings, batchOptions);
  try {
    const version = await findVersion(connection, settings.name);
    if (version === undefined) return noRemovals;
    refuseOtherVersion(version, settings.name);
    return removalsOf(
      await connection.query(
        'select plugin_id, chart_id, before_timestamp, checksum from plugin_metrics.removal',
      ),
    );
  } catch (error) {
    throw postgresFault(error, settings.name);
  } finally {
    await connection.end();
  }
}
