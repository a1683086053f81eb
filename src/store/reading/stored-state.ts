/**
 * Reads a whole store in one transaction, in pages of stored rows: an export refuses damaged rows, and a
 * check reports them.
 */
import type { Chunk } from '../../series/chunk.ts';
import { idsIn, keyList, keysetPages, lineTypesSql, paged, type Sql, smallestKey } from '../sql.ts';
import { column, flag, type RowGiven, statement } from '../statement.ts';
import type { Kinds, RowOfKinds, StoredRow, Table } from '../table.ts';
import { allTables, tables } from '../tables.ts';

const pageRows = 1024;

const pluginsSql = paged(
  statement`
  select ${tables.plugin.raw('id')}, ${tables.plugin.stored('plugin')}, ${tables.owner.stored('owner')}
  from plugin left join owner on owner.id = plugin.owner_id
  where plugin.id > ?1
  order by plugin.id`,
  pageRows,
);

// The pages are small because the settings and the data of a chart may each take a megabyte.
const chartsSql = paged(
  statement`
  select ${tables.chart.raw('pluginId', 'chartId')}, ${tables.chart.stored('chart')},
    ${tables.snapshot.storedIfAny('snapshot')}
  from chart left join snapshot on chart_uid = uid
  where (plugin_id, chart_id) > (?1, ?2)
  order by plugin_id, chart_id`,
  64,
);

// A chunk of a line takes up to a few KB, a chunk of shares up to a few hundred KB.
const seriesSql = paged(
  statement`select ${tables.chunk.all} from chunk
  where first_timestamp > ?1 and chart_uid in ${idsIn(2)}
  order by chart_uid, first_timestamp`,
  pageRows,
);

const chunksSql = paged(
  statement`
  select ${tables.chunk.raw('chartUid', 'firstTimestamp')}, ${tables.chunk.stored('chunk')},
    ${tables.chart.raw('pluginId', 'chartId', 'type')}
  from chunk left join chart on uid = chart_uid
  where (chart_uid, first_timestamp) > (?1, ?2)
  order by chart_uid, first_timestamp`,
  pageRows,
);

const pastSql = statement`
  select exists (
      select 1 from chart
      where type not in (${lineTypesSql}) and exists (select 1 from chunk where chart_uid = uid))
    or exists (select 1 from event) or exists (select 1 from old_name) or exists (select 1 from removal)
      as ${column('hasPast', flag)},
    exists (select 1 from removed_window) as ${column('hasWindows', flag)}`;

/** Selects software whose global plugin does not exist. */
export const openGlobalPluginsSql = statement`
  select ${tables.software.raw('id', 'globalPluginId')}, ${tables.software.stored('software')}
  from software left join plugin on plugin.id = global_plugin_id
  where global_plugin_id is not null and plugin.id is null
  order by software.id`;

/** A chart and its data, as stored. */
export type ChartInState = RowGiven<typeof chartsSql>;

/** Tables whose rows are read one table after another, or computed again by a check. */
const ownTables: ReadonlySet<Table> = new Set<Table>([
  ...[tables.software, tables.plugin, tables.owner, tables.oldName, tables.chart, tables.snapshot],
  ...[tables.event, tables.removal, tables.removedWindow],
  ...[tables.chartNow, tables.chartShares, tables.pluginNow, tables.pluginTrend, tables.softwareNow],
]);

/** The rows of one state of a store. */
export class StoredState {
  readonly #sql: Sql;
  /** The charts on the latest page, and their chunks by uid if they fit one page of chunks. */
  #charts: readonly ChartInState[] = [];
  #series: ReadonlyMap<number, readonly Chunk[]> | 'too many' | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Reads the plugins with their owners, by ascending id. */
  plugins() {
    return keysetPages(this.#sql, pluginsSql, { id: smallestKey });
  }

  /** Reads the charts with their data, by plugin, then chart id bytewise. */
  async *charts() {
    const start = { pluginId: smallestKey, chartId: '' };
    for await (const page of keysetPages(this.#sql, chartsSql, start)) {
      this.#charts = page;
      this.#series = undefined;
      yield page;
    }
  }

  /**
   * Tells whether a store contains a past (histories, events, old names or removals) and windows of removed
   * points.
   */
  async findPast(): Promise<RowGiven<typeof pastSql>> {
    return (await this.#sql.read(pastSql))[0] ?? { hasPast: false, hasWindows: false };
  }

  /**
   * Loads the chunks of a chart in ascending order. The chart must be on the latest page of {@link charts}.
   */
  async loadSeries(uid: number): Promise<readonly Chunk[]> {
    this.#series ??= await this.#readTogether();
    if (this.#series !== 'too many') return this.#series.get(uid) ?? [];
    const pages = keysetPages(this.#sql, seriesSql, { firstTimestamp: smallestKey }, keyList([uid]));
    return (await Array.fromAsync(pages)).flat();
  }

  async #readTogether() {
    const uids = keyList(this.#charts.map(({ chart }) => chart.intact().uid));
    const chunks = await this.#sql.read(seriesSql, smallestKey, uids);
    return chunks.length === seriesSql.limit ? 'too many' : Map.groupBy(chunks, ({ chartUid }) => chartUid);
  }

  /** Reads every chunk by chart uid, then time, with the name and the type of its chart. */
  chunks() {
    return keysetPages(this.#sql, chunksSql, { chartUid: smallestKey, firstTimestamp: smallestKey });
  }

  /** Reads the rows of a table in pages, in the order of its key: numbers ascending, texts bytewise. */
  async *pages<K extends Kinds>(table: Table<K>): AsyncGenerator<ReadonlyArray<StoredRow<RowOfKinds<K>>>> {
    const keys = table.columns.filter(({ name }) => table.key.includes(name));
    const after = keys.map((_, index) => `?${index + 1}`).join(', ');
    const [names, sqlNames] = [keys.map(({ name }) => name), keys.map(({ sqlName }) => sqlName).join(', ')];
    const rowsSql = paged(
      statement`
      select ${table.raw(...names)}, ${table.stored(table.name)} from ${table.name}
      where (${sqlNames}) > (${after}) order by ${sqlNames}`,
      pageRows,
    );
    const start = Object.fromEntries(
      keys.map(({ name, kind }) => [name, kind.type === 'text' ? '' : smallestKey] as const),
    );
    for await (const page of keysetPages(this.#sql, rowsSql, start))
      yield page.map((row) => row[table.name] as StoredRow<RowOfKinds<K>>);
  }

  /** Reads the rows of all other tables with checksums. */
  async *others(): AsyncGenerator<StoredRow<unknown>> {
    for (const table of allTables)
      if (table.isChecked && !ownTables.has(table)) for await (const page of this.pages(table)) yield* page;
  }
}
