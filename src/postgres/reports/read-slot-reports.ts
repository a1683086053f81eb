/** Reads the reports of a frozen slot from its tables. */
import type { PluginReport } from '../../model/report-store.ts';
import { ReportDecoder } from '../../store/reports/report-codec.ts';
import { type CodedReport, reportsByPlugin } from '../../store/reports/reports-by-plugin.ts';
import { bytes, integer, text } from '../../store/rows.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';
import { keysetPages } from '../keyset-pages.ts';
import { maxKnownNames, slotStatements } from './slot-statements.ts';

/** Yields the reports in batches by plugin id. @param onlyId the only plugin to read; undefined for all. */
export async function* readSlotReports(
  connection: PostgresConnection,
  start: number,
  onlyId: number | undefined,
): AsyncGenerator<readonly PluginReport[]> {
  const sql = slotStatements(start);
  const names = new Map<number, string>();
  const unknown = new Set<number>();
  const decoder = new ReportDecoder((number) => {
    const name = names.get(number);
    if (name === undefined) unknown.add(number);
    return name;
  });
  const decodeAll = (batch: readonly CodedReport[]): readonly PluginReport[] =>
    batch.map(({ pluginId, values }) => ({ pluginId, values: decoder.decode(values) }));
  const readRows = async function* () {
    for await (const page of keysetPages(connection, sql.page, { id: 0 }))
      for (const row of page) yield bytes(row['bytes']);
  };
  for await (const batch of reportsByPlugin(readRows, { pluginId: onlyId })) {
    if (names.size > maxKnownNames) names.clear();
    let reports = decodeAll(batch);
    if (unknown.size > 0) {
      for (const row of await connection.query(sql.names, [[...unknown]]))
        names.set(integer(row['id']), text(row['name']));
      unknown.clear();
      reports = decodeAll(batch);
      // A number without a name: the store is damaged.
      if (unknown.size > 0) text(undefined);
    }
    yield reports;
  }
}
