/** The check of the store on a server: everything is read and verified. */
import type pg from 'pg';
import { AppError } from '../model/app-error.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import { recordFault } from '../store/record-fault.ts';
import { seriesChecker } from '../store/verify-series.ts';
import { connect } from './connection/connect.ts';
import { endConnection } from './connection/connection-pool.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
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
  const connection = await connect(settings, { statementTimeoutMs: 0 });
  try {
    const { client } = connection;
    await beginReading(client, settings.name);
    try {
      yield* referenceFaults(client);
      for await (const records of allRecords(client, { place: settings.name, withPoints: false })) {
        for (const record of records) {
          const fault = recordFault(record, checkRecord);
          if (fault !== undefined) yield fault;
        }
      }
      yield* lineFaults(client);
    } catch (error) {
      const fault = postgresFault(error, settings.name);
      if (!(fault instanceof AppError)) throw fault;
      yield fault.message;
    }
  } catch (error) {
    throw postgresFault(error, settings.name);
  } finally {
    await endConnection(connection);
  }
}

/** What the tables do not vouch for themselves. */
async function* referenceFaults(client: pg.Client): AsyncGenerator<string> {
  const open = await client.query(`
    select software.id, global_plugin_id from plugin_metrics.software
    left join plugin_metrics.plugin on plugin.id = global_plugin_id
    where global_plugin_id is not null and plugin.id is null
    order by software.id`);
  for (const row of open.rows)
    yield `software ${row.id}: its global plugin ${row.global_plugin_id} does not exist`;
  const generation = await client.query('select 1 from plugin_metrics.generation');
  if (generation.rows.length !== 1) yield 'the table generation has not one row';
}

const pageRows = 4096;

const chunksSql = `
  select chart_uid, plugin_id, chart_id, type, first_timestamp, bytes
  from plugin_metrics.chunk left join plugin_metrics.chart on uid = chart_uid
  where (chart_uid, first_timestamp) > ($1, $2)
  order by chart_uid, first_timestamp
  limit ${pageRows}`;

async function* lineFaults(client: pg.Client): AsyncGenerator<string> {
  const lines = seriesChecker();
  for (let after: readonly [number, number] = [0, 0], isMore = true; isMore; ) {
    const { rows } = await client.query(chunksSql, [...after]);
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
