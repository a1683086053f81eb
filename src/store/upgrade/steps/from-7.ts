/**
 * From version 7, of 0.3.0 and 0.3.1, to that of 0.4.0: windows of removed points are new, and the sums of shares are exact in every row.
 *
 * Until 0.4.0 is released, an issue that changes tables extends this step and raises `storeVersion`, so that the number of the release is no number of a
 * commit before it: a store of such a commit is refused, because `releasedVersions` does not have it. The release adds its version there, and the next
 * change of tables is a step of its own, which must not depend on what this file reads from the tables of its day.
 */
import { throwUnexpected } from '../../../model/app-error.ts';
import type { OnProgress } from '../../../model/store.ts';
import { computeShares } from '../../facts/share-rows.ts';
import { keysetPages, paged, type Sql, smallestKey } from '../../sql.ts';
import { column, integer, statement } from '../../statement.ts';
import { tables } from '../../tables.ts';
import type { UpgradeStep } from '../step.ts';

const countSql = statement`select count(*) as ${column('count', integer)} from chart_shares`;

const chartsSql = paged(
  statement`select ${tables.chartShares.pick('chartUid')} from chart_shares where chart_uid > ?1 order by chart_uid`,
  256,
);

export const from7: UpgradeStep = {
  async run({ sql, createTable }, onProgress) {
    await createTable(tables.removedWindow);
    await addUpShares(sql, onProgress);
  },
};

/** Adds up the shares of each chart again: 0.3.0 rounded the sums, and left names out. */
async function addUpShares(sql: Sql, onProgress: OnProgress): Promise<void> {
  const [{ count } = { count: 0 }] = await sql.read(countSql);
  let doneCount = 0;
  for await (const page of keysetPages(sql, chartsSql, { chartUid: smallestKey }))
    for (const { chartUid } of page) {
      onProgress('adding up shares', doneCount++ / count);
      try {
        await sql.put(tables.chartShares, await computeShares(sql, [chartUid]));
      } catch (error) {
        throwUnexpected(error);
        // A chunk is damaged, which a check names. Without the row nothing goes on from what 0.3.0 rounded.
        await sql.run('delete from chart_shares where chart_uid = ?1', chartUid);
      }
    }
}
