/**
 * Upgrades from version 7, of 0.3.0 and 0.3.1, to the version of 0.4.0: windows of removed points are new,
 * the totals of shares become exact, and trends have more days and two changes.
 *
 * The next change of the tables raises `storeVersion`, adds the version of 0.4.0 to `releasedVersions` with a
 * step of its own, and gives this step copies of the tables that it reads, because it must not depend on the
 * current ones.
 */
import { throwUnexpected } from '../../../model/app-error.ts';
import type { OnProgress } from '../../../model/store.ts';
import { computeTrends, readNewestTime } from '../../facts/compute-facts.ts';
import { computeShares } from '../../facts/share-rows.ts';
import { keysetPages, paged, type Sql, smallestKey } from '../../sql.ts';
import { column, integer, statement } from '../../statement.ts';
import { type Row, tables } from '../../tables.ts';
import type { UpgradeStep } from '../step.ts';

const pluginCountSql = statement`select count(*) as ${column('count', integer)} from plugin`;

const pluginsSql = paged(
  statement`select ${tables.plugin.pick('id', 'softwareId', 'isGlobal')} from plugin where id > ?1 order by id`,
  256,
);

const countSql = statement`select count(*) as ${column('count', integer)} from chart_shares`;

const chartsSql = paged(
  statement`select ${tables.chartShares.pick('chartUid')} from chart_shares where chart_uid > ?1 order by chart_uid`,
  256,
);

export const from7: UpgradeStep = {
  async run({ sql, createTable }, onProgress) {
    await createTable(tables.removedWindow);
    await addUpShares(sql, onProgress);
    await sql.run('drop table plugin_trend');
    await createTable(tables.pluginTrend);
    await computeAllTrends(sql, onProgress);
  },
};

/** Computes the totals of each chart of shares again: 0.3.0 rounded sums, and left out names. */
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
        // A chunk is damaged, which a check reports. The row is deleted, so that nothing continues from
        // rounded sums.
        await sql.run('delete from chart_shares where chart_uid = ?1', chartUid);
      }
    }
}

/** Computes the trends of all plugins. */
async function computeAllTrends(sql: Sql, onProgress: OnProgress): Promise<void> {
  const [{ count } = { count: 0 }] = await sql.read(pluginCountSql);
  const newest = await readNewestTime(sql);
  let doneCount = 0;
  for await (const page of keysetPages(sql, pluginsSql, { id: smallestKey })) {
    onProgress('computing trends', doneCount / count);
    doneCount += page.length;
    const computed: Row<'pluginTrend'>[] = [];
    for (const { id, softwareId, isGlobal } of page)
      try {
        computed.push(...(await computeTrends(sql, [id], newest)));
      } catch (error) {
        throwUnexpected(error);
        // A row or a chunk is damaged, which a check names. Lists show the plugin without a trend.
        const none = { weekChange: null, monthChange: null, days: '[]' };
        computed.push({ pluginId: id, softwareId, isGlobal, ...none });
      }
    await sql.put(tables.pluginTrend, computed);
  }
}
