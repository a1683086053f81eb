/** Fills in the checksums of an older store, a part of its migration. */
import { integer } from '../store/rows.ts';
import { type CheckedTable, columnNames, rowChecksum, storedColumns } from '../store/stored-columns.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { keysetPages, smallestKey } from './keyset-pages.ts';

const tables: readonly CheckedTable[] = ['software', 'owner', 'plugin', 'chart', 'snapshot'];

/** Fills in the new column `checksum` of tables, in pages, within the open transaction. */
export async function fillChecksums(connection: PostgresConnection): Promise<void> {
  for (const table of tables) {
    const [key] = columnNames[table];
    const names = columnNames[table].filter((name) => name !== 'at');
    const rows = `select ${names.join(', ')} from plugin_metrics.${table}
      where ${key} > $1 order by ${key} limit 256`;
    const update = `update plugin_metrics.${table} set checksum = filled.checksum
      from unnest($1::bigint[], $2::integer[]) as filled (key, checksum) where ${key} = filled.key`;
    for await (const page of keysetPages(connection, rows, { [key]: smallestKey })) {
      // Snapshots have no times yet.
      const checksums = page.map((row) =>
        rowChecksum(table, storedColumns(table, { at: null, ...row }).slice(0, -1)),
      );
      await connection.query(update, [page.map((row) => integer(row[key])), checksums]);
    }
  }
}

// The same exclusive or as in `bindChecksum`.
const bindSql = `
  update plugin_metrics.chunk set bytes =
    substring(bytes for length(bytes) - 4)
    || decode(lpad(to_hex(
      ('x' || encode(substring(bytes from length(bytes) - 3), 'hex'))::bit(32)::bigint
      # (chart_uid % 4294967291) # ((first_timestamp >> 32) << 11)), 8, '0'), 'hex')
  where chart_uid > $1 and chart_uid <= $2 and length(bytes) >= 4`;

const nextUidsSql = `
  select max(uid) as last
  from (select uid from plugin_metrics.chart where uid > $1 order by uid limit 1000) as page`;

/** Binds the checksums of all chunks to their rows, some charts at a time, within the open transaction. */
export async function bindChunks(connection: PostgresConnection): Promise<void> {
  for (let after = smallestKey; ; ) {
    const [row] = await connection.query(nextUidsSql, [after]);
    if (row?.['last'] == null) return;
    const last = integer(row['last']);
    await connection.query(bindSql, [after, last]);
    after = last;
  }
}
