/** Writes chunks and blocks into their tables. */
import { bindChecksum } from '../series/checksum.ts';
import type { ChartChunk } from '../store/keeping/removal.ts';
import type { PostgresConnection, Statement } from './connection/postgres-connection.ts';

/** Tables with a chart, a first time and bytes: chunks of lines, blocks of histories, sums of lines. */
type RowTable = 'chunk' | 'history' | 'line_sum';

// All bytes are one value, which is sent in binary: in an array they would be sent in hex.
const putInto = (table: RowTable): Statement => ({
  name: `put-in-${table}`,
  text: `
    insert into plugin_metrics.${table} (chart_uid, first_timestamp, bytes)
    select uid, first_timestamp, substring($5::bytea from start for length)
    from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[])
      as put (uid, first_timestamp, start, length)
    on conflict (chart_uid, first_timestamp) do update set bytes = excluded.bytes`,
});

const statements: Readonly<Record<RowTable, Statement>> = {
  chunk: putInto('chunk'),
  history: putInto('history'),
  line_sum: putInto('line_sum'),
};

/** Writes rows of one table, with their checksums. */
export async function putRows(
  connection: PostgresConnection,
  table: RowTable,
  chunks: readonly ChartChunk[],
): Promise<void> {
  if (chunks.length === 0) return;
  const starts: number[] = [];
  let start = 1;
  for (const { bytes } of chunks) {
    starts.push(start);
    start += bytes.length;
  }
  await connection.query(statements[table], [
    chunks.map((chunk) => chunk.uid),
    chunks.map((chunk) => chunk.firstTimestamp),
    starts,
    chunks.map((chunk) => chunk.bytes.length),
    Buffer.concat(chunks.map(({ uid, firstTimestamp, bytes }) => bindChecksum(bytes, uid, firstTimestamp))),
  ]);
}
