/** The newest times of lines. */
import { type Chunk, decodeChunk } from '../../series/chunk.ts';
import { idsIn, keyList, keysetPages, paged, type Sql, smallestKey } from '../sql.ts';
import { statement } from '../statement.ts';
import { tables } from '../tables.ts';

const lastTimesSql = paged(
  statement`
  select ${tables.chartNow.pick('chartUid', 'lastTime')} from chart_now
  where chart_uid > ?1 and last_value is not null
  order by chart_uid`,
  2048,
);

/** Selects the last chunk of each chart that begins at or before a time. */
export const lastChunksSql = statement`
  select ${tables.chunk.all} from ${idsIn(1)} as asked
  join chunk on chunk.chart_uid = asked.id and chunk.first_timestamp =
    (select max(first_timestamp) from chunk where chart_uid = asked.id and first_timestamp <= ?2)`;

/**
 * Yields the newest time at or before `until` for each page of lines; nothing for a page without one. Rejects
 * if a chunk of a line with later times is damaged.
 */
export async function* newestTimes(sql: Sql, until: number): AsyncGenerator<number> {
  for await (const page of keysetPages(sql, lastTimesSql, { chartUid: smallestKey })) {
    const times = page.map(({ lastTime }) => lastTime).filter((time) => time <= until);
    const later = page.filter(({ lastTime }) => lastTime > until);
    if (later.length > 0) {
      const uids = keyList(later.map(({ chartUid }) => chartUid));
      for (const row of await sql.read(lastChunksSql, uids, until)) times.push(lastUntil(row, until));
    }
    if (times.length > 0) yield Math.max(...times);
  }
}

/** Finds the time of the last point at or before `until` in a chunk that begins at or before `until`. */
function lastUntil(chunk: Chunk, until: number): number {
  return decodeChunk(chunk).times.findLast((time) => time <= until) ?? Number.NaN;
}
