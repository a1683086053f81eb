/** The check of the store on a server: everything is read and verified. */
import { AppError } from '../model/app-error.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import { recordFault } from '../store/record-fault.ts';
import { seriesChecker } from '../store/verify-series.ts';
import { batchOptions, connect } from './connection/connect.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { postgresFault } from './connection/postgres-fault.ts';
import { allRecords, beginReading } from './postgres-records.ts';

/**
 * Yields one line per fault; nothing for a store without any.
 * @param checkRecord throws AppError for a record that an import would refuse.
 * @throws AppError as `connect` and `checkVersion`.
 */
export async function* checkPostgresStore(
  settings: PostgresSettings,
  checkRecord: (record: MetricsRecord) => void,
): AsyncGenerator<string> {
  const connection = await connect(settings, batchOptions);
  try {
    await beginReading(connection, settings.name);
    try {
      yield* referenceFaults(connection);
      for await (const records of allRecords(connection, { place: settings.name, withPoints: false })) {
        for (const record of records) {
          const fault = recordFault(record, checkRecord);
          if (fault !== undefined) yield fault;
        }
      }
      yield* lineFaults(connection);
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

/** What the tables do not vouch for themselves. */
async function* referenceFaults(connection: PostgresConnection): AsyncGenerator<string> {
  const open = await connection.query<{ readonly id: number; readonly global_plugin_id: number }>(`
    select software.id, global_plugin_id from plugin_metrics.software
    left join plugin_metrics.plugin on plugin.id = global_plugin_id
    where global_plugin_id is not null and plugin.id is null
    order by software.id`);
  for (const row of open)
    yield `software ${row.id}: its global plugin ${row.global_plugin_id} does not exist`;
  const generation = await connection.query('select 1 from plugin_metrics.generation');
  if (generation.length !== 1) yield 'the table generation has not one row';
}

const pageRows = 4096;

const chunksSql = `
  select chart_uid, plugin_id, chart_id, type, first_timestamp, bytes
  from plugin_metrics.chunk left join plugin_metrics.chart on uid = chart_uid
  where (chart_uid, first_timestamp) > ($1, $2)
  order by chart_uid, first_timestamp
  limit ${pageRows}`;

interface ChunkOfChart {
  readonly chart_uid: number;
  readonly plugin_id: number;
  readonly chart_id: string;
  readonly type: string;
  readonly first_timestamp: number;
  readonly bytes: Buffer;
}

async function* lineFaults(connection: PostgresConnection): AsyncGenerator<string> {
  const lines = seriesChecker();
  for (let after: readonly [number, number] = [0, 0], isMore = true; isMore; ) {
    const rows = await connection.query<ChunkOfChart>(chunksSql, [...after]);
    for (const row of rows) {
      const line = `plugin ${row.plugin_id}, chart ${row.chart_id}`;
      const chunk = { firstTimestamp: row.first_timestamp, bytes: row.bytes };
      yield* lines.take({ line, typeName: row.type, chunk });
      after = [row.chart_uid, row.first_timestamp];
    }
    isMore = rows.length === pageRows;
  }
  yield* lines.finish();
}
