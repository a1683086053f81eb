/** Reads a whole store in one transaction, in pages of rows as they are stored: an export refuses those that are not intact, and a check names them. */
import type { Chunk } from '../../series/chunk.ts';
import { idsIn, keyList, keysetPages, lineTypesSql, paged, type Sql, smallestKey } from '../sql.ts';
import { column, flag, type RowGiven, statement } from '../statement.ts';
import type { StoredRow, Table } from '../table.ts';
import { allTables, tables } from '../tables.ts';

const pageRows = 1024;

const softwareSql = paged(
  statement`
  select ${tables.software.raw('id')}, ${tables.software.stored('software')}
  from software where id > ?1 order by id`,
  pageRows,
);

const pluginsSql = paged(
  statement`
  select ${tables.plugin.raw('id')}, ${tables.plugin.stored('plugin')}, ${tables.owner.stored('owner')}
  from plugin left join owner on owner.id = plugin.owner_id
  where plugin.id > ?1
  order by plugin.id`,
  pageRows,
);

// Settings and data of a chart have up to a megabyte each.
const chartsSql = paged(
  statement`
  select ${tables.chart.raw('pluginId', 'chartId')}, ${tables.chart.stored('chart')},
    ${tables.snapshot.storedIfAny('snapshot')}
  from chart left join snapshot on chart_uid = uid
  where (plugin_id, chart_id) > (?1, ?2)
  order by plugin_id, chart_id`,
  64,
);

// A chunk of a line has up to some KB, one of shares up to some hundred.
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

const oldNamesSql = paged(
  statement`
  select ${tables.oldName.raw('pluginId', 'name')}, ${tables.oldName.stored('oldName')} from old_name
  where (plugin_id, name) > (?1, ?2)
  order by plugin_id, name`,
  pageRows,
);

const eventsSql = paged(
  statement`
  select ${tables.event.raw('pluginId', 'time', 'title')}, ${tables.event.stored('event')} from event
  where (plugin_id, time, title) > (?1, ?2, ?3)
  order by plugin_id, time, title`,
  pageRows,
);

const removalsSql = paged(
  statement`
  select ${tables.removal.raw('pluginId', 'chartId')}, ${tables.removal.stored('removal')} from removal
  where (plugin_id, chart_id) > (?1, ?2)
  order by plugin_id, chart_id`,
  pageRows,
);

/** Selects software whose global plugin does not exist. */
export const openGlobalPluginsSql = statement`
  select ${tables.software.raw('id', 'globalPluginId')}, ${tables.software.stored('software')}
  from software left join plugin on plugin.id = global_plugin_id
  where global_plugin_id is not null and plugin.id is null
  order by software.id`;

const windowsSql = paged(
  statement`
  select ${tables.removedWindow.raw('pluginId', 'chartId', 'fromTime')}, ${tables.removedWindow.stored('removedWindow')}
  from removed_window
  where (plugin_id, chart_id, from_time) > (?1, ?2, ?3)
  order by plugin_id, chart_id, from_time`,
  pageRows,
);

/** A chart with what it shows, as they are stored. */
export type ChartInState = RowGiven<typeof chartsSql>;

/** An event, as it is stored, and its key. */
export type EventInState = RowGiven<typeof eventsSql>;

/** Tables whose rows are read by a statement of their own here, or are computed again by a check. */
const ownTables: ReadonlySet<Table> = new Set<Table>([
  ...[tables.software, tables.plugin, tables.owner, tables.oldName, tables.chart, tables.snapshot],
  ...[tables.event, tables.removal, tables.removedWindow],
  ...[tables.chartNow, tables.chartShares, tables.pluginNow, tables.pluginTrend, tables.softwareNow],
]);

/** The rows of one state of a store. */
export class StoredState {
  readonly #sql: Sql;
  #series: SeriesPages | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** By ascending id. */
  software() {
    return keysetPages(this.#sql, softwareSql, { id: smallestKey });
  }

  /** By ascending id, with their owners. */
  plugins() {
    return keysetPages(this.#sql, pluginsSql, { id: smallestKey });
  }

  /** By plugin, then chart id bytewise, with what they show. */
  async *charts() {
    const start = { pluginId: smallestKey, chartId: '' };
    for await (const page of keysetPages(this.#sql, chartsSql, start)) {
      this.#series = new SeriesPages(this.#sql, page);
      yield page;
    }
  }

  /** Tells what a store has beside a catalogue and points: histories, events, old names or removals, and windows of removed points. */
  async findPast(): Promise<RowGiven<typeof pastSql>> {
    return (await this.#sql.read(pastSql))[0] ?? { hasPast: false, hasWindows: false };
  }

  /** By plugin, then name bytewise. */
  oldNames() {
    return keysetPages(this.#sql, oldNamesSql, { pluginId: smallestKey, name: '' });
  }

  /** By plugin, then time, then title bytewise. */
  events() {
    return keysetPages(this.#sql, eventsSql, { pluginId: smallestKey, time: smallestKey, title: '' });
  }

  /** Loads the chunks of one chart of the latest page of charts, in ascending order. */
  async loadSeries(uid: number): Promise<readonly Chunk[]> {
    return (await this.#series?.read(uid)) ?? [];
  }

  /** Every chunk by chart uid, then time, with the name and the type of its chart. */
  chunks() {
    return keysetPages(this.#sql, chunksSql, { chartUid: smallestKey, firstTimestamp: smallestKey });
  }

  /** The rows of all other tables that have checksums. */
  async *others(): AsyncGenerator<StoredRow<unknown>> {
    for (const table of allTables)
      if (table.isChecked && !ownTables.has(table)) yield* everyRow(this.#sql, table);
  }

  /** By plugin, then chart id. */
  removals() {
    return keysetPages(this.#sql, removalsSql, { pluginId: smallestKey, chartId: '' });
  }

  /** The windows of removed points, by plugin, then chart id, then time. */
  windows() {
    const start = { pluginId: smallestKey, chartId: '', fromTime: smallestKey };
    return keysetPages(this.#sql, windowsSql, start);
  }
}

/** Reads every row of a table, by its key. */
async function* everyRow(sql: Sql, table: Table): AsyncGenerator<StoredRow<unknown>> {
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
  for await (const page of keysetPages(sql, rowsSql, start))
    for (const row of page) yield row[table.name] as StoredRow<unknown>;
}

/** Loads the chunks of several charts: together if they fit a page, and otherwise each alone, in pages. */
class SeriesPages {
  readonly #sql: Sql;
  readonly #charts: readonly ChartInState[];
  #together: ReadonlyMap<number, readonly Chunk[]> | 'too many' | undefined;

  constructor(sql: Sql, charts: readonly ChartInState[]) {
    this.#sql = sql;
    this.#charts = charts;
  }

  async read(uid: number): Promise<readonly Chunk[]> {
    this.#together ??= await this.#readTogether();
    return this.#together === 'too many' ? this.#readAlone(uid) : (this.#together.get(uid) ?? []);
  }

  async #readTogether() {
    const uids = keyList(this.#charts.map(({ chart }) => chart.intact().uid));
    const chunks = await this.#sql.read(seriesSql, smallestKey, uids);
    return chunks.length === seriesSql.limit ? 'too many' : Map.groupBy(chunks, ({ chartUid }) => chartUid);
  }

  async #readAlone(uid: number): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    const pages = keysetPages(this.#sql, seriesSql, { firstTimestamp: smallestKey }, keyList([uid]));
    for await (const page of pages) chunks.push(...page);
    return chunks;
  }
}
