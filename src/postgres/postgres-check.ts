/** Checks the store on a server: first references that its tables do not enforce, then every row. */
import { AppError } from '../model/app-error.ts';
import type { CheckRecord } from '../model/store.ts';
import { checkState } from '../store/check/check-state.ts';
import { batchOptions, connect } from './connection/connect.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { postgresFault } from './connection/postgres-fault.ts';
import { beginReading, PostgresState } from './postgres-state.ts';

/**
 * Yields one line per fault.
 * @throws AppError as `connect` and `checkVersion`.
 */
export async function* checkPostgresStore(
  settings: PostgresSettings,
  checkRecord: CheckRecord,
): AsyncGenerator<string> {
  const connection = await connect(settings, batchOptions);
  try {
    await beginReading(connection, settings.name);
    try {
      yield* referenceFaults(connection);
      yield* checkState(new PostgresState(connection), checkRecord);
    } catch (error) {
      const fault = postgresFault(error, settings.name);
      if (!(fault instanceof AppError)) throw fault;
      yield fault.message;
    }
  } catch (error) {
    throw postgresFault(error, settings.name);
  } finally {
    await connection.end();
  }
}

async function* referenceFaults(connection: PostgresConnection): AsyncGenerator<string> {
  const open = await connection.query(`
    select software.id, global_plugin_id from plugin_metrics.software
    left join plugin_metrics.plugin on plugin.id = global_plugin_id
    where global_plugin_id is not null and plugin.id is null
    order by software.id`);
  for (const row of open)
    yield `software ${row['id']}: its global plugin ${row['global_plugin_id']} does not exist`;
  const generation = await connection.query('select 1 from plugin_metrics.generation');
  if (generation.length !== 1) yield 'the table generation has not one row';
}
