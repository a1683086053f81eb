/** Reads the reports of a frozen slot from its tables. */
import type { PluginReport } from '../../model/report-store.ts';
import { decodeReport } from '../../store/reports/report-codec.ts';
import { type CodedReport, reportsByPlugin } from '../../store/reports/reports-by-plugin.ts';
import { bytes, integer, text } from '../../store/rows.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';
import { keysetPages } from '../keyset-pages.ts';
import { slotStatements } from './slot-statements.ts';

/** The most names kept in memory: a few MB. */
const maxKnownNames = 20_000;

/** Yields the reports in batches by plugin id. */
export async function* readSlotReports(
  connection: PostgresConnection,
  start: number,
): AsyncGenerator<readonly PluginReport[]> {
  const sql = slotStatements(start);
  const names = new Map<number, string>();
  const readRows = async function* () {
    for await (const page of keysetPages(connection, sql.page, { id: 0 }))
      for (const row of page) yield bytes(row['bytes']);
  };
  for await (const batch of reportsByPlugin(readRows)) {
    if (names.size > maxKnownNames) names.clear();
    let decoded = decodeWith(names, batch);
    if (decoded.unknown.size > 0) {
      for (const row of await connection.query(sql.names, [[...decoded.unknown]]))
        names.set(integer(row['id']), text(row['name']));
      decoded = decodeWith(names, batch);
      // A number without a name: the store is damaged.
      if (decoded.unknown.size > 0) text(undefined);
    }
    yield decoded.reports;
  }
}

/** Decodes reports, and finds the numbers that are not among the names. */
function decodeWith(names: ReadonlyMap<number, string>, batch: readonly CodedReport[]) {
  const unknown = new Set<number>();
  const nameOf = (number: number) => {
    const name = names.get(number);
    if (name === undefined) unknown.add(number);
    return name ?? '';
  };
  const reports = batch.map(
    ({ pluginId, values }): PluginReport => ({ pluginId, values: decodeReport(values, nameOf) }),
  );
  return { reports, unknown };
}
