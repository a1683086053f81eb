/** Reads the reports of a frozen slot from its tables. */
import type pg from 'pg';
import type { PluginReport } from '../../../model/report-store.ts';
import { ReportDecoder } from '../../reports/report-codec.ts';
import { type CodedReport, reportsByPlugin } from '../../reports/reports-by-plugin.ts';
import { bytes, integer, text } from '../../rows.ts';
import { runStatement } from '../postgres-client.ts';
import { maxKnownNames, slotStatements } from './slot-statements.ts';

/** Yields the reports in batches by plugin id. @param onlyId the only plugin to read; undefined for all. */
export async function* readSlotReports(
  connection: pg.Client,
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
    for (let after = 0; ; ) {
      const page = await runStatement(connection, sql.page, [after]);
      if (page.length === 0) return;
      for (const row of page) yield bytes(row['bytes']);
      after = integer(page.at(-1)?.['id']);
    }
  };
  for await (const batch of reportsByPlugin(readRows, { pluginId: onlyId })) {
    if (names.size > maxKnownNames) names.clear();
    let reports = decodeAll(batch);
    if (unknown.size > 0) {
      for (const row of await runStatement(connection, sql.names, [[...unknown]]))
        names.set(integer(row['id']), text(row['name']));
      unknown.clear();
      reports = decodeAll(batch);
      // A number without a name: the store is damaged.
      if (unknown.size > 0) text(undefined);
    }
    yield reports;
  }
}
