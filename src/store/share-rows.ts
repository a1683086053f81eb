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

const rowSql = `
  select ${columnsSql('chart_shares')} from chart_shares where chart_uid = ?1 and until_time <= ?2`;

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
    computed.push(...(await computeSharesOf(sql, integer(row['chart_uid']))));
  return computed;
}

/**
 * Computes the row of a chart of which chunks have changed from a time on; none for a chart with a single chunk. It goes on from the row that is
 * stored, if the chunks that this one is of are as they were.
 */
export async function computeSharesOf(sql: Sql, uid: number, changedFrom = -1): Promise<readonly Columns[]> {
  const [stored] = await sql.all(rowSql, uid, changedFrom);
  const before = stored !== undefined && isIntactRow('chart_shares', stored) ? stored : undefined;
  let totals = before === undefined ? noTotals : totalsOf(before);
  const start = before === undefined ? -maxTimestamp : integer(before['until_time']) - 1;
  let last: Chunk | undefined;
  let hasSeveral = before !== undefined;
  for await (const page of keysetPages(sql, chunksSql, { first_timestamp: start }, uid))
    for (const chunk of page.map(chunkOf)) {
      if (last !== undefined) {
        totals = addToTotals(totals, await decoded(sql, last));
        hasSeveral = true;
        await nextTurn();
      }
      last = chunk;
    }
  if (last === undefined || !hasSeveral) return [];
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
