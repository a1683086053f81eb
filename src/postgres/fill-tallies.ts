/** Fills in the tallies of an older store, a part of its migration. */
import { integer } from '../store/rows.ts';
import { addTallies, tallyOf, tallyRange } from '../store/tally.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { keysetPages, smallestKey } from './keyset-pages.ts';
import { changeTallies } from './write-series.ts';

const keysSql = `
  select chart_uid, first_timestamp from plugin_metrics.chunk
  where (chart_uid, first_timestamp) > ($1, $2)
  order by chart_uid, first_timestamp
  limit 16384`;

const snapshotsSql = `
  update plugin_metrics.chart set tally = (tally + ${tallyOf('snapshot')}) % ${tallyRange}
  where exists (select from plugin_metrics.snapshot where chart_uid = uid)`;

/** Fills in the new column `tally`, in pages, within the open transaction. */
export async function fillTallies(connection: PostgresConnection): Promise<void> {
  const start = { chart_uid: smallestKey, first_timestamp: smallestKey };
  for await (const page of keysetPages(connection, keysSql, start)) {
    const tallies = new Map<number, number>();
    for (const row of page) {
      const uid = integer(row['chart_uid']);
      const tally = tallyOf(integer(row['first_timestamp']));
      tallies.set(uid, addTallies(tallies.get(uid) ?? 0, tally));
    }
    await changeTallies(connection, tallies);
  }
  await connection.query(snapshotsSql);
}
