/** Removes plugins, charts, events, software and points from a store: one transaction, all or nothing. */
import { AppError, quote, throwUnexpected, unknownChart, unknownPlugin } from '../../model/app-error.ts';
import { renderShares } from '../../model/data-shares.ts';
import { trustedJson } from '../../model/json-text.ts';
import type { MetricsRemover, Pruned, PruneOptions, Removal, Removed } from '../../model/metrics-remover.ts';
import { type Chunk, decodeChunk, headBytes, isOfLine, timeCountOf } from '../../series/chunk.ts';
import { type CutChunk, cutChunk } from '../../series/merge-chunks.ts';
import { damagedChart } from '../damaged-chart.ts';
import { Facts } from '../facts.ts';
import { selecting, whole } from '../intact-row.ts';
import { bytes, chunkOf, integer, type Row, softwareFieldsOf, text } from '../rows.ts';
import { idsIn, keyList, keysetPages, paged, type Sql, smallestKey, type Transaction } from '../sql.ts';
import { noteChange } from '../store-writer.ts';
import {
  everyChart,
  everyPlugin,
  removalColumns,
  snapshotColumns,
  softwareColumns,
} from '../stored-columns.ts';
import { type Columns, storedColumns } from '../tables.ts';

const softwareOfSql = selecting`
  select ${whole('software')} from software where global_plugin_id = ?1 order by id`;

const pluginSql = selecting`select ${whole('plugin')} from plugin where id = ?1`;

const chartSql = 'select uid from chart where plugin_id = ?1 and chart_id = ?2';

/** Rows of a plugin, which go with it: one that belongs to another, and is damaged, must not. */
const rowsOf = {
  event: selecting`select ${whole('event')} from event where plugin_id = ?1`,
  old_name: selecting`select ${whole('old_name')} from old_name where plugin_id = ?1`,
  removal: selecting`select ${whole('removal')} from removal where plugin_id = ?1`,
};

const removeChunksSql = `
  delete from chunk where chart_uid in ${idsIn(1)} and first_timestamp > ?2 and first_timestamp < ?3
  returning chart_uid, first_timestamp, substr(bytes, 1, ${headBytes}) as head`;

const shownSql = selecting`
  select chart.plugin_id, chart.chart_id, chart.type, ${whole('snapshot', 'snapshot_')}
  from snapshot join chart on chart.uid = snapshot.chart_uid
  where snapshot.chart_uid in ${idsIn(1)} and snapshot.at > ?2 and snapshot.at < ?3`;

const newestChunksSql = `
  select chart_uid, first_timestamp, bytes from chunk
  where (chart_uid, first_timestamp) in (
    select chart_uid, max(first_timestamp) from chunk where chart_uid in ${idsIn(1)} group by chart_uid)`;

const removeEventsSql = `
  delete from event where plugin_id = ?1 and time = ?2 and (cast(?3 as text) is null or title = ?3)
  returning title`;

const softwareSql = selecting`select ${whole('software')} from software where url = ?1`;

/** Its plugins, and those that had it when their latest numbers were written. */
const pluginsOfSql = [
  selecting`select ${whole('plugin')} from plugin where software_id = ?1 limit 1`,
  selecting`select ${whole('plugin_now')} from plugin_now where software_id = ?1 limit 1`,
];

const removeOwnerSql = `
  delete from owner where id = ?1 and not exists (select 1 from plugin where owner_id = ?1)`;

const removalSql = selecting`
  select ${whole('removal')} from removal where plugin_id = ?1 and chart_id = ?2`;

const pageSql = paged(
  selecting`select ${whole('chart')} from chart
  where uid > ?1 and (cast(?2 as bigint) is null or plugin_id = ?2) and (cast(?3 as text) is null or chart_id = ?3)
  order by uid`,
  256,
);

// For each chart the last chunk that begins before the end of the time, and the last that begins at or before its beginning.
const edgesSql = `
  select chunk.chart_uid, chunk.first_timestamp, chunk.bytes
  from (select cast(value->>0 as bigint) as uid from json_each(?1)) as page
  join chunk on chunk.chart_uid = page.uid and chunk.first_timestamp in (
    (select max(first_timestamp) from chunk where chart_uid = page.uid and first_timestamp < cast(?2 as bigint)),
    (select max(first_timestamp) from chunk where chart_uid = page.uid and first_timestamp <= cast(?3 as bigint)))`;

/** Two times; neither of them is included. */
interface TimeRange {
  readonly after: number;
  readonly before: number;
}

/** Every time that a row can have. */
const everyTime: TimeRange = { after: Number.MIN_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER };

/** A chunk that may reach over one of the two times, and the chunks that replace it. */
interface Cut extends CutChunk {
  readonly chunk: Chunk;
}

/** A transaction that removes things. */
export class SqlRemover implements MetricsRemover {
  readonly #transaction: Transaction;
  readonly #sql: Sql;
  readonly #facts: Facts;
  #isCatalogueChanged = false;

  /** @param transaction is ended with the remover. */
  constructor(transaction: Transaction) {
    this.#transaction = transaction;
    this.#sql = transaction.sql;
    this.#facts = new Facts(transaction.sql);
  }

  async removePlugin(pluginId: number): Promise<Removed> {
    const sql = this.#sql;
    const [plugin] = await sql.all(pluginSql, pluginId);
    if (plugin === undefined) throw unknownPlugin(pluginId);
    this.#isCatalogueChanged = true;
    const software = (await sql.all(softwareOfSql, pluginId)).map(softwareFieldsOf);
    await sql.upsert(
      'software',
      software.map((one) => softwareColumns({ ...one, globalPluginId: null })),
    );
    const charts: Row[] = [];
    for await (const page of keysetPages(sql, pageSql, { uid: smallestKey }, pluginId, null))
      for (const { uid } of page) charts.push({ uid });
    const removed = await this.#removeCharts(charts);
    const events = await sql.all(rowsOf.event, pluginId);
    for (const [table, rowsSql] of Object.entries(rowsOf)) {
      await sql.all(rowsSql, pluginId);
      await sql.all(`delete from ${table} where plugin_id = ?1`, pluginId);
    }
    await this.#facts.removePlugin(pluginId);
    await sql.all('delete from plugin where id = ?1', pluginId);
    await sql.all(removeOwnerSql, integer(plugin['owner_id']));
    await sql.upsert('removal', [removalColumns({ pluginId, before: null })]);
    return { ...removed, eventCount: events.length, softwareIds: software.map(({ id }) => id) };
  }

  async removeChart(pluginId: number, chartId: string): Promise<Removed> {
    const removed = await this.#removeCharts([await this.#findChart(pluginId, chartId)]);
    this.#isCatalogueChanged = true;
    await this.#facts.cut([], [pluginId], { uids: [], ...everyTime });
    await this.#sql.upsert('removal', [removalColumns({ pluginId, chartId, before: null })]);
    return { ...removed, eventCount: 0, softwareIds: [] };
  }

  async removeEvent(
    pluginId: number,
    { time, title }: { readonly time: number; readonly title?: string | undefined },
  ): Promise<string> {
    if (!(await this.#isKnown(pluginId))) throw unknownPlugin(pluginId);
    const removed = await this.#sql.all(removeEventsSql, pluginId, time, title ?? null);
    const [event] = removed;
    const at = new Date(time).toISOString();
    if (event === undefined) {
      const named = title === undefined ? 'no event' : `no event ${quote(title)}`;
      throw new AppError('not_found', `plugin ${pluginId} has ${named} at ${at}`);
    }
    if (removed.length > 1)
      throw new AppError(
        'conflict',
        `plugin ${pluginId} has ${removed.length} events at ${at}: say which by its title`,
      );
    this.#isCatalogueChanged = true;
    return text(event['title']);
  }

  async removeSoftware(url: string): Promise<void> {
    const [software] = await this.#sql.all(softwareSql, url);
    if (software === undefined) throw new AppError('not_found', `there is no software ${quote(url)}`);
    const id = integer(software['id']);
    for (const statement of pluginsOfSql)
      if ((await this.#sql.all(statement, id)).length > 0)
        throw new AppError('conflict', `software ${quote(url)} has plugins: remove them first`);
    await this.#sql.all('delete from software where id = ?1', id);
    this.#isCatalogueChanged = true;
  }

  async prune(options: PruneOptions): Promise<Pruned> {
    const { afterTimestamp, beforeTimestamp, pluginId, chartId } = options;
    if (pluginId !== undefined && chartId !== undefined) await this.#findChart(pluginId, chartId);
    else if (pluginId !== undefined && !(await this.#isKnown(pluginId))) throw unknownPlugin(pluginId);
    const range = {
      after: afterTimestamp ?? everyTime.after,
      before: beforeTimestamp ?? everyTime.before,
    };
    const pruned = { chartCount: 0, pointCount: 0, snapshotCount: 0 };
    const start = { uid: smallestKey };
    const [{ count } = {}] = await this.#sql.all(
      'select count(*) as count from chart where cast(?1 as bigint) is null or plugin_id = ?1',
      pluginId ?? null,
    );
    let doneCount = 0;
    for await (const page of keysetPages(this.#sql, pageSql, start, pluginId ?? null, chartId ?? null)) {
      const uids = keyList(page.map((row) => integer(row['uid'])));
      const edges = await this.#sql.all(edgesSql, uids, beforeTimestamp ?? null, afterTimestamp ?? null);
      const cuts: Cut[] = [];
      for (const row of edges)
        cuts.push(await this.#readChunk(chunkOf(row), (chunk) => ({ chunk, ...cutChunk(chunk, range) })));
      const { changed, pointCount, snapshotCount } = await this.#pruneSeries(uids, range, cuts);
      const plugins = page
        .filter((row) => changed.has(integer(row['uid'])))
        .map((row) => integer(row['plugin_id']));
      await this.#facts.cut(changed, new Set(plugins), {
        uids: page.map((row) => integer(row['uid'])),
        ...range,
      });
      pruned.chartCount += changed.size;
      pruned.pointCount += pointCount;
      pruned.snapshotCount += snapshotCount;
      doneCount += page.length;
      options.onProgress?.(pruned, doneCount / Number(count));
    }
    if (afterTimestamp === undefined && beforeTimestamp !== undefined)
      await this.#rememberPruned({ pluginId, chartId, before: Math.max(0, beforeTimestamp) });
    return pruned;
  }

  async commit(): Promise<void> {
    await this.#facts.end();
    await noteChange(this.#sql, { isCatalogueChanged: this.#isCatalogueChanged });
    await this.#transaction.commit();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#transaction[Symbol.asyncDispose]() as Promise<void>;
  }

  async #isKnown(pluginId: number): Promise<boolean> {
    return (await this.#sql.all('select id from plugin where id = ?1', pluginId)).length > 0;
  }

  /** Finds the uid of a chart. @throws AppError `not_found`, which says if the plugin or the chart is missing. */
  async #findChart(pluginId: number, chartId: string): Promise<Row> {
    const [chart] = await this.#sql.all(chartSql, pluginId, chartId);
    if (chart !== undefined) return chart;
    throw (await this.#isKnown(pluginId)) ? unknownChart(pluginId, chartId) : unknownPlugin(pluginId);
  }

  /** Deletes charts with their data, a row with a damaged key included. */
  async #removeCharts(charts: readonly Row[]) {
    const uids = keyList(charts.map((row) => integer(row['uid'])));
    const heads = await this.#removeChunks(uids, everyTime);
    for (const table of ['chunk', 'snapshot', 'chart_now', 'chart_shares'])
      await this.#sql.all(`delete from ${table} where chart_uid in ${idsIn(1)}`, uids);
    await this.#sql.all(`delete from chart where uid in ${idsIn(1)}`, uids);
    return { chartCount: charts.length, ...countHeads(heads) };
  }

  /** Deletes the chunks of charts that begin between two times; returns their keys, and `head`, their first bytes. */
  #removeChunks(uids: string, { after, before }: TimeRange): Promise<Row[]> {
    return this.#sql.all(removeChunksSql, uids, after, before);
  }

  /** Reads a chunk. Rejects with `unavailable`, naming its chart, if it is damaged. */
  async #readChunk<Result>(chunk: Chunk, read: (chunk: Chunk) => Result): Promise<Result> {
    try {
      return read(chunk);
    } catch (error) {
      throw await damagedChart(this.#sql, chunk.uid, error);
    }
  }

  async #pruneSeries(uids: string, range: TimeRange, cuts: readonly Cut[]) {
    const rows = await this.#removeChunks(uids, range);
    const inside = cuts.filter(({ chunk }) => begins(chunk, range));
    const atStart = cuts.filter(({ chunk, lostCount }) => !begins(chunk, range) && lostCount > 0);
    const kept = [...inside, ...atStart].flatMap((cut) => cut.kept);
    await this.#sql.upsert(
      'chunk',
      kept.map(({ uid, firstTimestamp, bytes }) => [uid, firstTimestamp, bytes]),
    );
    const shown = await this.#sql.all(shownSql, uids, range.after, range.before);
    // What only is too old stays, but is no longer part of the history. What is wrong goes.
    if (range.after === everyTime.after) await this.#sql.upsert('snapshot', shown.map(undatedColumns));
    else if (shown.length > 0) await this.#showNewest(shown);
    const lost = countHeads(rows);
    const count = ({ chunk }: Cut, by: number) => {
      lost[isOfLine(chunk) ? 'pointCount' : 'snapshotCount'] += by;
    };
    for (const cut of inside) count(cut, -cut.keptCount);
    for (const cut of atStart) count(cut, cut.lostCount);
    const changed = [
      ...rows.map((row) => integer(row['chart_uid'])),
      ...atStart.map(({ chunk }) => chunk.uid),
    ];
    return { changed: new Set(changed), ...lost };
  }

  /** Shows the newest of the history that is left in place of data whose time was removed; nothing without one. */
  async #showNewest(shown: readonly Row[]): Promise<void> {
    const types = new Map(shown.map((row) => [integer(row['snapshot_chart_uid']), text(row['type'])]));
    const uids = keyList(types.keys());
    await this.#sql.all(`delete from snapshot where chart_uid in ${idsIn(1)}`, uids);
    const rows: Columns[] = [];
    for (const row of await this.#sql.all(newestChunksSql, uids)) {
      const uid = integer(row['chart_uid']);
      const { times, shares, columns } = await this.#readChunk(chunkOf(row), decodeChunk);
      const values = shares.map((share, rank) => [share, columns[rank]?.at(-1) ?? 0] as const);
      const json = renderShares(
        types.get(uid) ?? '',
        values.filter(([, value]) => value !== 0),
      );
      rows.push(snapshotColumns(uid, json, times.at(-1) ?? null));
    }
    await this.#sql.upsert('snapshot', rows);
  }

  async #rememberPruned(removal: Removal): Promise<void> {
    const { pluginId = everyPlugin, chartId = everyChart } = removal;
    const [stored] = await this.#sql.all(removalSql, pluginId, chartId);
    await this.#sql.upsert('removal', [removalColumns(removal, stored && storedColumns('removal', stored))]);
  }
}

/** Makes the row of data without their time. */
function undatedColumns(row: Row): Columns {
  return snapshotColumns(integer(row['snapshot_chart_uid']), trustedJson(text(row['snapshot_json'])), null);
}

/** True for a chunk that begins between the two times: its row is removed. */
function begins({ firstTimestamp }: Chunk, { after, before }: TimeRange): boolean {
  return firstTimestamp > after && firstTimestamp < before;
}

/** Counts the points of lines and the times of histories in rows with these heads. A damaged one counts 0: removing it repairs the store. */
function countHeads(heads: readonly Row[]) {
  const counts = { pointCount: 0, snapshotCount: 0 };
  for (const row of heads) {
    try {
      const head = { firstTimestamp: 0, bytes: bytes(row['head']) };
      counts[isOfLine(head) ? 'pointCount' : 'snapshotCount'] += timeCountOf(head);
    } catch (error) {
      throwUnexpected(error);
    }
  }
  return counts;
}
