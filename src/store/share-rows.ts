/**
 * The rows of `chart_shares`: the totals of a chart of shares over all of its chunks but the last, from which a reader goes on. So a new time writes
 * none of them, but where a chunk is full.
 */
import { AppError } from '../model/app-error.ts';
import type { ShareFacts } from '../model/chart-data.ts';
import { nextTurn } from '../model/next-turn.ts';
import { maxTimestamp } from '../model/points.ts';
import { type Chunk, decodeChunk } from '../series/chunk.ts';
import { addToTotals, factsOfTotals, noTotals, type ShareTotals } from '../series/share-facts.ts';
import { damagedChart } from './damaged-chart.ts';
import { holdToChecksum } from './intact-row.ts';
import { chunkOf, integer, type Row, text } from './rows.ts';
import { idsIn, keyList, keysetPages, lineTypesSql, paged, type Sql } from './sql.ts';
import { type Columns, columnsSql, isIntactRow, withChecksum } from './tables.ts';

const rowsSql = `select ${columnsSql('chart_shares')} from chart_shares where chart_uid in ${idsIn(1)}`;

const withSeveralChunksSql = `
  select chart_uid from chunk join chart on chart.uid = chunk.chart_uid
  where chart_uid in ${idsIn(1)} and chart.type not in (${lineTypesSql})
  group by chart_uid having count(*) > 1`;

const chunksSql = paged(
  `select chart_uid, first_timestamp, bytes from chunk
  where first_timestamp > ?1 and chart_uid = ?2
  order by first_timestamp`,
  16,
);

const lastChunkSql = `
  select chunk.chart_uid, chunk.first_timestamp, chunk.bytes, ${columnsSql('chart_shares', 'shares_')}
  from chunk left join chart_shares on chart_shares.chart_uid = chunk.chart_uid
  where chunk.chart_uid = ?1
  order by chunk.first_timestamp desc limit 1`;

/** Loads the facts of a chart of shares; undefined without a history. Rejects for a damaged row or chunk. */
export async function loadShareFacts(sql: Sql, uid: number): Promise<ShareFacts | undefined> {
  const [row] = await sql.all(lastChunkSql, uid);
  if (row === undefined) return undefined;
  const hasRow = row['shares_chart_uid'] !== null;
  if (hasRow) holdToChecksum('chart_shares', row, 'shares_');
  const before = hasRow ? totalsOf(row, 'shares_') : noTotals;
  return factsOfTotals(addToTotals(before, decodeChunk(chunkOf(row))));
}

/** Computes the rows of charts from their chunks. Lines have none, nor have charts with a single chunk. Rejects for a damaged chunk. */
export async function computeShares(sql: Sql, uids: Iterable<number>): Promise<readonly Columns[]> {
  const computed: Columns[] = [];
  for (const row of await sql.all(withSeveralChunksSql, keyList(uids)))
    computed.push(...(await rowsAfter(sql, integer(row['chart_uid']))));
  return computed;
}

/** Computes the rows of charts of which chunks have changed, each from a time on: those before are as they were. */
export async function continueShares(
  sql: Sql,
  changedFrom: ReadonlyMap<number, number>,
): Promise<readonly Columns[]> {
  if (changedFrom.size === 0) return [];
  const known = await sql.all(rowsSql, keyList(changedFrom.keys()));
  const before = new Map(known.map((row) => [integer(row['chart_uid']), row]));
  const computed: Columns[] = [];
  for (const [uid, from] of changedFrom) {
    const row = before.get(uid);
    const isUsable =
      row !== undefined && isIntactRow('chart_shares', row) && integer(row['until_time']) <= from;
    computed.push(...(await rowsAfter(sql, uid, isUsable ? row : undefined)));
  }
  return computed;
}

/** Adds the chunks that a row has not, but for the last one; a chart with a single chunk has no row. */
async function rowsAfter(sql: Sql, uid: number, before?: Row): Promise<readonly Columns[]> {
  let totals = before === undefined ? noTotals : totalsOf(before);
  const start = before === undefined ? -maxTimestamp : integer(before['until_time']) - 1;
  let last: Chunk | undefined;
  let hasMore = before !== undefined;
  for await (const page of keysetPages(sql, chunksSql, { first_timestamp: start }, uid))
    for (const chunk of page.map(chunkOf)) {
      if (last !== undefined) {
        totals = addToTotals(totals, await decoded(sql, last));
        hasMore = true;
        await nextTurn();
      }
      last = chunk;
    }
  if (last === undefined || !hasMore) return [];
  const { name = null, since = null } = totals.mostUsed ?? {};
  return [withChecksum('chart_shares', [uid, last.firstTimestamp, name, since, JSON.stringify(totals.sums)])];
}

async function decoded(sql: Sql, chunk: Chunk) {
  try {
    return decodeChunk(chunk);
  } catch (error) {
    throw error instanceof AppError ? await damagedChart(sql, chunk.uid, error) : error;
  }
}

function totalsOf(row: Row, prefix = ''): ShareTotals {
  const name = row[`${prefix}most_used`];
  return {
    sums: JSON.parse(text(row[`${prefix}sums`])),
    mostUsed: name === null ? null : { name: text(name), since: integer(row[`${prefix}since`]) },
  };
}
