/**
 * The rows of `chart_shares`: the totals over all chunks of a chart of shares but the last. Readers add the
 * last chunk themselves, so a new time changes a row only if a chunk has become full.
 */
import type { ShareFacts } from '../../model/chart-data.ts';
import { maxTimestamp } from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { decodeChunk } from '../../series/chunk.ts';
import {
  areWhole,
  factsOfTotals,
  noTotals,
  parseSums,
  renderSums,
  ShareAdder,
  type ShareTotals,
} from '../../series/share-facts.ts';
import { explainDamage } from '../damaged-chart.ts';
import { idsIn, keyList, keysetPages, lineTypesSql, paged, type Sql, storedWhere } from '../sql.ts';
import { column, flag, integer, orNull, statement } from '../statement.ts';
import { type Row, tables } from '../tables.ts';

const withSeveralChunksSql = statement`
  select ${tables.chunk.pick('chartUid')} from chunk join chart on chart.uid = chunk.chart_uid
  where chart_uid in ${idsIn(1)} and chart.type not in (${lineTypesSql})
  group by chunk.chart_uid having count(*) > 1`;

const endsSql = statement`
  select min(first_timestamp) as ${column('first', orNull(integer))}, max(first_timestamp) as ${column('last', orNull(integer))}
  from chunk where chart_uid = ?1`;

const chunksSql = paged(
  statement`select ${tables.chunk.all} from chunk
  where first_timestamp > ?1 and chart_uid = ?2 and first_timestamp < ?3
  order by first_timestamp`,
  16,
);

const lastChunkSql = statement`
  select ${tables.chunk.all}, ${tables.chartShares.ifAny('chartShares')},
    exists (select 1 from chunk as other where other.chart_uid = ?1 and other.first_timestamp < chunk.first_timestamp)
      as ${column('hasOthers', flag)}
  from chunk left join chart_shares on chart_shares.chart_uid = chunk.chart_uid
  where chunk.chart_uid = ?1
  order by chunk.first_timestamp desc limit 1`;

/**
 * Loads the facts of a chart of shares; undefined if it has no history. Rejects for a damaged row or chunk.
 */
export async function loadShareFacts(sql: Sql, uid: number): Promise<ShareFacts | undefined> {
  const [row] = await sql.read(lastChunkSql, uid);
  if (row === undefined) return undefined;
  const { chartShares, firstTimestamp, hasOthers } = row;
  const isOfOthers = chartShares?.untilTime === firstTimestamp;
  const before = isOfOthers ? totalsOf(chartShares) : hasOthers ? undefined : noTotals;
  if (before !== undefined) {
    // Each step may take tens of milliseconds.
    await nextTurn();
    const adder = new ShareAdder(before);
    adder.add(decodeChunk(row));
    await nextTurn();
    const facts = adder.facts();
    if (facts !== undefined) return facts;
  }
  return factsOfTotals(await addUp(sql, uid, { from: -maxTimestamp, until: maxTimestamp + 1 }));
}

/**
 * Computes the rows of charts from their chunks. Lines, and charts with a single chunk, have no row. Rejects
 * for a damaged chunk.
 */
export async function computeShares(
  sql: Sql,
  uids: Iterable<number>,
): Promise<readonly Row<'chartShares'>[]> {
  const computed: Row<'chartShares'>[] = [];
  for (const { chartUid } of await sql.read(withSeveralChunksSql, keyList(uids)))
    computed.push(...(await computeSharesOf(sql, chartUid)));
  return computed;
}

/**
 * Computes the row of a chart whose chunks have changed since a time; none for a chart with a single chunk.
 * It continues from the stored row if this contains the sum of every name and covers unchanged chunks alone.
 */
export async function computeSharesOf(
  sql: Sql,
  uid: number,
  changedFrom = -1,
): Promise<readonly Row<'chartShares'>[]> {
  const unchanged = 'chart_uid = ?1 and until_time <= ?2';
  const [row] = await storedWhere(sql, tables.chartShares, unchanged, uid, changedFrom);
  const [{ first, last: untilTime } = {}] = await sql.read(endsSql, uid);
  if (untilTime == null || first === untilTime) return [];
  const stored = row?.isIntact === true ? row.intact() : undefined;
  const known = stored && totalsOf(stored);
  const isKnown = stored !== undefined && known !== undefined && areWhole(known);
  const from = isKnown ? stored.untilTime - 1 : -maxTimestamp;
  const totals = await addUp(sql, uid, { from, until: untilTime }, isKnown ? known : noTotals);
  const { name = null, since = null } = totals.mostUsed ?? {};
  return [{ chartUid: uid, untilTime, mostUsed: name, since, sums: renderSums(totals) }];
}

/**
 * Adds up the chunks that begin between two times, in as many passes as the number of their names requires.
 */
async function addUp(
  sql: Sql,
  uid: number,
  { from, until }: { readonly from: number; readonly until: number },
  before = noTotals,
): Promise<ShareTotals> {
  let totals: ShareTotals | undefined;
  for (let start: string | undefined = ''; start !== undefined; ) {
    const adder: ShareAdder = new ShareAdder(before, start);
    for await (const page of keysetPages(sql, chunksSql, { firstTimestamp: from }, uid, until))
      for (const chunk of page) {
        adder.add(await explainDamage(sql, uid, () => decodeChunk(chunk)));
        await nextTurn();
      }
    totals = adder.finish(totals);
    start = adder.end;
  }
  return totals ?? before;
}

function totalsOf({ sums, mostUsed, since }: Row<'chartShares'>): ShareTotals {
  return {
    sums: parseSums(sums),
    mostUsed: mostUsed === null ? null : { name: mostUsed, since: Number(since) },
  };
}
