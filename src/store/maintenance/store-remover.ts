/** Removes plugins, charts, events, software and points from a store: one transaction, all or nothing. */
import { AppError, quote, throwUnexpected, unknownPlugin } from '../../model/app-error.ts';
import { renderShares } from '../../model/chart-forms.ts';
import type { MetricsRemover, Pruned, PruneOptions, Removal, Removed } from '../../model/metrics-remover.ts';
import { addWindow, type DataWindow, maxTimestamp } from '../../model/window.ts';
import { type Chunk, decodeChunk, headBytes, isOfLine, timeCountOf } from '../../series/chunk.ts';
import { type CutChunk, cutChunk } from '../../series/merge-chunks.ts';
import { explainDamage } from '../damaged-chart.ts';
import { computeCharts } from '../facts/compute-facts.ts';
import { Facts } from '../facts/facts.ts';
import { missingChart, refuseUnknown } from '../missing.ts';
import { noteChange } from '../note-change.ts';
import { lastChunksSql } from '../reading/newest-times.ts';
import { readWindows, refuseTooMany, windowOf, writeWindows } from '../removals.ts';
import { chartKey, removalRow } from '../rows.ts';
import {
  idsIn,
  keyList,
  keysetPages,
  paged,
  rowsWhere,
  type Sql,
  smallestKey,
  storedWhere,
  type Transaction,
} from '../sql.ts';
import { bytes, column, integer, statement } from '../statement.ts';
import type { Kinds, Table } from '../table.ts';
import { everyChart, everyPlugin, type Row, tables } from '../tables.ts';

const chartSql = statement`select ${tables.chart.pick('uid')} from chart where plugin_id = ?1 and chart_id = ?2`;

/**
 * Deletes the rows of a plugin in a table, and returns them, because a damaged row may belong to another
 * plugin.
 */
const removeRowsSql = (table: Table) =>
  statement`delete from ${table.name} where plugin_id = ?1 returning ${table.all}`;

const removeChunksSql = statement`
  delete from chunk where chart_uid in ${idsIn(1)} and first_timestamp >= ?2 and first_timestamp < ?3
  returning ${tables.chunk.pick('chartUid')}, substr(bytes, 1, ${headBytes}) as ${column('head', bytes)}`;

const shownSql = statement`
  select ${tables.chart.pick('pluginId', 'chartId', 'type')}, ${tables.snapshot.as('snapshot')}
  from snapshot join chart on chart.uid = snapshot.chart_uid
  where snapshot.chart_uid in ${idsIn(1)} and snapshot.at >= ?2 and snapshot.at < ?3`;

const removeEventsSql = statement`
  delete from event where plugin_id = ?1 and time = ?2 and (cast(?3 as text) is null or title = ?3)
  returning ${tables.event.pick('title')}`;

const removeOwnerSql = `
  delete from owner where id = ?1 and not exists (select 1 from plugin where owner_id = ?1)`;

const pageSql = paged(
  statement`select ${tables.chart.all} from chart
  where uid > ?1 and (cast(?2 as bigint) is null or plugin_id = ?2) and (cast(?3 as text) is null or chart_id = ?3)
  order by uid`,
  256,
);

const countSql = statement`
  select count(*) as ${column('count', integer)} from chart where cast(?1 as bigint) is null or plugin_id = ?1`;

// For each chart, the last chunk that begins before the end of a window, and the last that begins before its
// start.
const edgesSql = statement`
  select ${tables.chunk.all} from ${idsIn(1)} as page
  join chunk on chunk.chart_uid = page.id and chunk.first_timestamp in (
    (select max(first_timestamp) from chunk where chart_uid = page.id and first_timestamp < cast(?2 as bigint)),
    (select max(first_timestamp) from chunk where chart_uid = page.id and first_timestamp < cast(?3 as bigint)))`;

/** A window of all times that a row can have. */
const everyTime: DataWindow = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** A chunk that may extend beyond an end of a window, and the chunks that replace it. */
interface Cut extends CutChunk {
  readonly chunk: Chunk;
}

/** The chart and the first bytes of a removed chunk. */
type RemovedChunk = Pick<Row<'chunk'>, 'chartUid'> & { readonly head: Uint8Array };

/** A transaction that removes plugins, charts, events, software and points. */
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
    const [plugin] = await rowsWhere(sql, tables.plugin, 'id = ?1', pluginId);
    if (plugin === undefined) throw unknownPlugin(pluginId);
    this.#isCatalogueChanged = true;
    const software = await rowsWhere(sql, tables.software, 'global_plugin_id = ?1 order by id', pluginId);
    await sql.put(
      tables.software,
      software.map((one) => ({ ...one, globalPluginId: null })),
    );
    const charts: number[] = [];
    for await (const page of keysetPages(sql, pageSql, { uid: smallestKey }, pluginId, null))
      charts.push(...page.map(({ uid }) => uid));
    const removed = await this.#removeCharts(charts);
    const events = await sql.read(removeRowsSql(tables.event), pluginId);
    for (const table of [tables.oldName, tables.removal, tables.removedWindow])
      await sql.read(removeRowsSql(table), pluginId);
    await this.#facts.removePlugin(pluginId);
    await sql.run('delete from plugin where id = ?1', pluginId);
    await sql.run(removeOwnerSql, plugin.ownerId);
    await sql.put(tables.removal, [removalRow({ pluginId, before: null })]);
    return { ...removed, eventCount: events.length, softwareIds: software.map(({ id }) => id) };
  }

  async removeChart(pluginId: number, chartId: string): Promise<Removed> {
    const removed = await this.#removeCharts([await this.#findChart(pluginId, chartId)]);
    this.#isCatalogueChanged = true;
    await this.#facts.cut([], [pluginId], { uids: [], window: everyTime });
    await this.#sql.put(tables.removal, [removalRow({ pluginId, chartId, before: null })]);
    await writeWindows(this.#sql, [{ pluginId, chartId, windows: [] }]);
    return { ...removed, eventCount: 0, softwareIds: [] };
  }

  async removeEvent(
    pluginId: number,
    { time, title }: { readonly time: number; readonly title?: string | undefined },
  ): Promise<string> {
    await refuseUnknown(this.#sql, pluginId);
    const removed = await this.#sql.read(removeEventsSql, pluginId, time, title ?? null);
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
    return event.title;
  }

  async removeSoftware(url: string): Promise<void> {
    const [software] = await rowsWhere(this.#sql, tables.software, 'url = ?1', url);
    if (software === undefined) throw new AppError('not_found', `there is no software ${quote(url)}`);
    const { id } = software;
    // A plugin may have had the software when its latest numbers were written.
    for (const table of [tables.plugin, tables.pluginNow])
      if ((await rowsWhere<Kinds>(this.#sql, table, 'software_id = ?1 limit 1', id)).length > 0)
        throw new AppError('conflict', `software ${quote(url)} has plugins: remove them first`);
    await this.#sql.run('delete from software where id = ?1', id);
    this.#isCatalogueChanged = true;
  }

  async prune(options: PruneOptions): Promise<Pruned> {
    const { from, to, pluginId, chartId } = options;
    if (pluginId !== undefined && chartId !== undefined) await this.#findChart(pluginId, chartId);
    else if (pluginId !== undefined) await refuseUnknown(this.#sql, pluginId);
    const window = { from: from ?? everyTime.from, to: to ?? everyTime.to };
    const pruned = { chartCount: 0, pointCount: 0, historyTimeCount: 0 };
    const start = { uid: smallestKey };
    const [{ count } = { count: 1 }] = await this.#sql.read(countSql, pluginId ?? null);
    let doneCount = 0;
    for await (const page of keysetPages(this.#sql, pageSql, start, pluginId ?? null, chartId ?? null)) {
      const uids = keyList(page.map(({ uid }) => uid));
      const edges = await this.#sql.read(edgesSql, uids, to ?? null, from ?? null);
      const cuts: Cut[] = [];
      for (const row of edges)
        cuts.push({
          chunk: row,
          ...(await explainDamage(this.#sql, row.chartUid, () => cutChunk(row, window))),
        });
      const lastTimes = await this.#findLastLost(page, options, cuts);
      const { changed, pointCount, historyTimeCount } = await this.#pruneSeries(uids, window, cuts);
      await this.#rememberWindows(
        page.filter(({ uid }) => changed.has(uid)),
        window.from,
        lastTimes,
      );
      const plugins = page.filter(({ uid }) => changed.has(uid)).map((chart) => chart.pluginId);
      await this.#facts.cut(changed, new Set(plugins), {
        uids: page.map(({ uid }) => uid),
        window,
      });
      pruned.chartCount += changed.size;
      pruned.pointCount += pointCount;
      pruned.historyTimeCount += historyTimeCount;
      doneCount += page.length;
      options.onProgress?.(pruned, doneCount / count);
    }
    if (from === undefined && to !== undefined)
      await this.#rememberPruned({ pluginId, chartId, before: Math.max(0, to) });
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

  /**
   * Finds the uid of a chart.
   * @throws AppError `not_found`, which tells whether the plugin or the chart is missing.
   */
  async #findChart(pluginId: number, chartId: string): Promise<number> {
    const [chart] = await this.#sql.read(chartSql, pluginId, chartId);
    if (chart !== undefined) return chart.uid;
    throw await missingChart(this.#sql, pluginId, chartId);
  }

  /** Deletes charts with their data, including rows with a damaged key. */
  async #removeCharts(charts: readonly number[]) {
    const uids = keyList(charts);
    const heads = await this.#removeChunks(uids, everyTime);
    for (const table of ['chunk', 'snapshot', 'chart_now', 'chart_shares'])
      await this.#sql.run(`delete from ${table} where chart_uid in ${idsIn(1)}`, uids);
    await this.#sql.run(`delete from chart where uid in ${idsIn(1)}`, uids);
    return { chartCount: charts.length, ...countHeads(heads) };
  }

  /** Deletes the chunks of charts that begin in a window, and returns their charts and heads. */
  #removeChunks(uids: string, { from, to }: DataWindow): Promise<RemovedChunk[]> {
    return this.#sql.read(removeChunksSql, uids, from, to);
  }

  async #pruneSeries(uids: string, window: DataWindow, cuts: readonly Cut[]) {
    const rows = await this.#removeChunks(uids, window);
    const inside = cuts.filter(({ chunk }) => beginsIn(window, chunk));
    const atStart = cuts.filter(({ chunk, lostCount }) => !beginsIn(window, chunk) && lostCount > 0);
    const kept = [...inside, ...atStart].flatMap((cut) => cut.kept);
    await this.#sql.put(tables.chunk, kept);
    const shown = await this.#sql.read(shownSql, uids, window.from, window.to);
    // A prune without a start removes old data: charts still show their latest data, without its time. A
    // prune with a start removes wrong data, which is replaced.
    if (window.from === everyTime.from)
      await this.#sql.put(
        tables.snapshot,
        shown.map(({ snapshot }) => ({ ...snapshot, at: null })),
      );
    else if (shown.length > 0) await this.#showNewest(shown);
    const lost = countHeads(rows);
    const count = ({ chunk }: Cut, by: number) => {
      lost[isOfLine(chunk) ? 'pointCount' : 'historyTimeCount'] += by;
    };
    for (const cut of inside) count(cut, -cut.keptCount);
    for (const cut of atStart) count(cut, cut.lostCount);
    const changed = [...rows.map(({ chartUid }) => chartUid), ...atStart.map(({ chunk }) => chunk.chartUid)];
    return { changed: new Set(changed), ...lost };
  }

  /**
   * Replaces the latest data, whose time was removed, by the newest values of the remaining history; removes
   * it if there is no history.
   */
  async #showNewest(
    shown: ReadonlyArray<{ readonly type: string; readonly snapshot: Row<'snapshot'> }>,
  ): Promise<void> {
    const types = new Map(shown.map(({ type, snapshot }) => [snapshot.chartUid, type]));
    const uids = keyList(types.keys());
    await this.#sql.run(`delete from snapshot where chart_uid in ${idsIn(1)}`, uids);
    const rows: Row<'snapshot'>[] = [];
    for (const row of await this.#sql.read(lastChunksSql, uids, everyTime.to)) {
      const { chartUid } = row;
      const { times, series } = await explainDamage(this.#sql, chartUid, () => decodeChunk(row));
      const values = series.map((share) => [share, share.values.at(-1) ?? 0] as const);
      const json = renderShares(
        types.get(chartUid) ?? '',
        values.filter(([, value]) => value !== 0),
      );
      rows.push({ chartUid, json, at: times.at(-1) ?? null });
    }
    await this.#sql.put(tables.snapshot, rows);
  }

  /**
   * Finds the last removed time of each chart, by uid, if the prune has a start. If the prune has no end,
   * this is the last time of the chart. It is read from the facts, because the last chunk may be damaged.
   */
  async #findLastLost(
    charts: ReadonlyArray<Row<'chart'>>,
    { from, to }: PruneOptions,
    cuts: readonly Cut[],
  ): Promise<ReadonlyMap<number, number>> {
    const found = new Map<number, number>();
    if (from === undefined) return found;
    for (const { chunk, lastLost } of cuts)
      if (lastLost !== undefined)
        found.set(chunk.chartUid, Math.max(lastLost, found.get(chunk.chartUid) ?? 0));
    if (to !== undefined) return found;
    const uids = keyList(charts.map(({ uid }) => uid));
    const rows = await storedWhere(this.#sql, tables.chartNow, `chart_uid in ${idsIn(1)}`, uids);
    const damaged: number[] = [];
    for (const row of rows) {
      const { chartUid, lastTime } = row.asStored();
      if (row.isIntact) found.set(chartUid, lastTime);
      else damaged.push(chartUid);
    }
    for (const { chartUid, lastTime } of await computeCharts(this.#sql, damaged))
      found.set(chartUid, lastTime);
    return found;
  }

  /**
   * Adds a window to those of each chart: it begins at `from`, and ends after the chart's last removed time.
   */
  async #rememberWindows(
    charts: ReadonlyArray<Row<'chart'>>,
    from: number,
    lastTimes: ReadonlyMap<number, number>,
  ): Promise<void> {
    const added = charts.flatMap(({ uid, pluginId, chartId }) => {
      const to = Math.min((lastTimes.get(uid) ?? Number.NEGATIVE_INFINITY) + 1, maxTimestamp);
      return to > from ? [{ pluginId, chartId, window: { from, to } }] : [];
    });
    if (added.length === 0) return;
    const rows = (await readWindows(this.#sql, added)).map((row) => row.intact());
    const stored = Map.groupBy(rows, chartKey);
    const changed = added.map(({ window, ...name }) => {
      const before = stored.get(chartKey(name))?.map(windowOf) ?? [];
      return { ...name, windows: addWindow(before, window) };
    });
    for (const chart of changed) refuseTooMany(chart);
    await writeWindows(this.#sql, changed);
  }

  async #rememberPruned(removal: Removal): Promise<void> {
    const { pluginId = everyPlugin, chartId = everyChart } = removal;
    const ofSame = 'plugin_id = ?1 and chart_id = ?2';
    const [stored] = await rowsWhere(this.#sql, tables.removal, ofSame, pluginId, chartId);
    await this.#sql.put(tables.removal, [removalRow(removal, stored)]);
  }
}

/** True for a chunk that begins in a window, so that its row is removed. */
function beginsIn({ from, to }: DataWindow, { firstTimestamp }: Chunk): boolean {
  return firstTimestamp >= from && firstTimestamp < to;
}

/**
 * Counts the points of lines and the times of histories from the heads of chunks. A damaged chunk counts as
 * 0, because its removal repairs the store.
 */
function countHeads(heads: readonly RemovedChunk[]) {
  const counts = { pointCount: 0, historyTimeCount: 0 };
  for (const { head: headOfChunk } of heads) {
    try {
      const head = { firstTimestamp: 0, bytes: headOfChunk };
      counts[isOfLine(head) ? 'pointCount' : 'historyTimeCount'] += timeCountOf(head);
    } catch (error) {
      throwUnexpected(error);
    }
  }
  return counts;
}
