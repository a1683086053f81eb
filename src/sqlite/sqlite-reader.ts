/** The embedded store as a reader. Every answer is one statement, and so sees one state of the store. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError, unknownChart, unknownPlugin } from '../model/app-error.ts';
import type { ReadChartData } from '../model/chart-data.ts';
import { chartTypeOf } from '../model/chart-types.ts';
import { trustedJson } from '../model/json-text.ts';
import type { LatestPoint } from '../model/latest-point.ts';
import { type ChangeScope, type MetricsReader, pluginsPerBatch } from '../model/metrics-reader.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { PluginChart, PluginDetail, PluginSummary } from '../model/plugin.ts';
import type { Software } from '../model/software.ts';
import { type Chunk, decodeRuns, pointCountOf } from '../series/chunk.ts';
import {
  chunkOfChart,
  integer,
  latestPointsOf,
  pluginChartOf,
  pluginDetailOf,
  pluginSummaryOf,
  type Row,
  softwareOf,
  text,
} from '../store/rows.ts';
import { storedRecords } from '../store/stored-records.ts';
import { guarded, openForReading, sqliteFault } from './sqlite-database.ts';
import { pages, SqliteState } from './sqlite-state.ts';
import { WatchedFile } from './watched-file.ts';

/** Opens the store in this file for reading; throws as `openForReading`. */
export function openSqliteReader(path: string): MetricsReader {
  return new SqliteReader(path);
}

const softwareSql = `
  select software.id, software.name, software.url, plugin.id as plugin_id, plugin.name as plugin_name
  from software left join plugin on plugin.id = software.global_plugin_id
  order by software.id`;

const pluginsSql = `
  select plugin.id, plugin.name, plugin.is_global, plugin.owner_id, owner.name as owner_name,
    plugin.software_id, software.name as software_name, software.url
  from plugin
  join owner on owner.id = plugin.owner_id
  join software on software.id = plugin.software_id
  order by plugin.id`;

/** A row for each chart, so that the next one is never far, and the newest chunk of those that have one. */
const latestPointsSql = `
  select plugin.id, chart.chart_id, chunk.chart_uid, chunk.first_timestamp, chunk.bytes
  from plugin
  left join chart on chart.plugin_id = plugin.id and chart.chart_id in (select value from json_each(?))
  left join chunk on chunk.chart_uid = chart.uid
    and chunk.first_timestamp = (select max(first_timestamp) from chunk where chart_uid = chart.uid)
  order by plugin.id, chart.chart_id`;

const pluginSql = `
  select plugin.id, plugin.name, plugin.is_global, plugin.owner_id, owner.name as owner_name,
    plugin.software_id, software.name as software_name, software.url,
    chart.uid, chart.chart_id, chart.type, chart.position, chart.title, chart.is_default, chart.settings
  from plugin
  join owner on owner.id = plugin.owner_id
  join software on software.id = plugin.software_id
  left join chart on chart.plugin_id = plugin.id
  where plugin.id = ?
  order by chart.position, chart.chart_id`;

const isKnownSql = 'select 1 from plugin where id = ?';

const chartSql = `
  select chart.uid, chart.chart_id, chart.type, chart.position, chart.title, chart.is_default, chart.settings,
    plugin.name as plugin_name
  from chart join plugin on plugin.id = chart.plugin_id
  where chart.plugin_id = ? and chart.chart_id = ?`;

const dataSql = `
  select chart.type, snapshot.json, chart.uid, chunk.first_timestamp, chunk.bytes
  from chart
  left join snapshot on snapshot.chart_uid = chart.uid
  left join chunk on chunk.chart_uid = chart.uid
  where chart.plugin_id = ? and chart.chart_id = ?
  order by chunk.first_timestamp desc`;

/** A row of {@link dataSql} as an array, which is cheaper to make than an object. */
type DataRow = readonly [type: unknown, json: unknown, uid: unknown, firstTimestamp: unknown, bytes: unknown];

/** The statements of the answers, prepared once for each file. */
function prepareStatements(db: DatabaseSync) {
  const data = db.prepare(dataSql);
  data.setReturnArrays(true);
  return {
    software: db.prepare(softwareSql),
    plugin: db.prepare(pluginSql),
    isKnown: db.prepare(isKnownSql),
    chart: db.prepare(chartSql),
    data,
  };
}

class SqliteReader implements MetricsReader {
  readonly #path: string;
  readonly #file: WatchedFile<ReturnType<typeof prepareStatements>>;

  constructor(path: string) {
    this.#path = path;
    this.#file = new WatchedFile(path, prepareStatements);
  }

  generation(of: ChangeScope): number {
    return this.#file.generation(of);
  }

  readState(): number {
    return this.#file.readState();
  }

  unreachableMs(): number {
    return this.#file.unreachableMs();
  }

  async listSoftware(): Promise<readonly Software[]> {
    return this.#all(this.#file.statements.software).map(softwareOf);
  }

  async *listPlugins(): AsyncGenerator<readonly PluginSummary[]> {
    yield* this.#readAlone(async function* (db) {
      db.exec('begin');
      for await (const page of pages(db, pluginsSql, { rowCount: pluginsPerBatch }))
        yield page.map(pluginSummaryOf);
    });
  }

  async *listLatestPoints(chartIds: readonly string[]): AsyncGenerator<readonly LatestPoint[]> {
    const options = { rowCount: pluginsPerBatch, values: [JSON.stringify(chartIds)] };
    yield* this.#readAlone(async function* (db) {
      db.exec('begin');
      for await (const page of pages(db, latestPointsSql, options)) yield latestPointsOf(page);
    });
  }

  async getPlugin(pluginId: number): Promise<PluginDetail> {
    const plugin = pluginDetailOf(this.#all(this.#file.statements.plugin, pluginId));
    if (plugin === undefined) throw unknownPlugin(pluginId);
    return plugin;
  }

  async getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    const [row] = this.#all(this.#file.statements.chart, pluginId, chartId);
    if (row === undefined) throw this.#missing(pluginId, chartId);
    return pluginChartOf(row);
  }

  async readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData> {
    const found = guarded(this.#path, () => this.#readData(pluginId, chartId, latestCount));
    if (found === undefined) throw this.#missing(pluginId, chartId);
    return found;
  }

  async *records(): AsyncGenerator<readonly MetricsRecord[]> {
    const place = this.#path;
    yield* this.#readAlone((db) => storedRecords(new SqliteState(db), place));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#file[Symbol.dispose]();
  }

  /** Reads what takes long on a connection of its own. A file that is no longer a store counts as unreachable. */
  async *#readAlone<T>(read: (db: DatabaseSync) => AsyncIterable<T>): AsyncGenerator<T> {
    this.#file.look();
    let db: DatabaseSync | undefined;
    try {
      db = openForReading(this.#path);
      yield* read(db);
    } catch (error) {
      const fault = sqliteFault(error, this.#path);
      if (db !== undefined || !(fault instanceof AppError)) throw fault;
      throw new AppError('unavailable', fault.message, { kind: 'store-unavailable', cause: fault });
    } finally {
      db?.close();
    }
  }

  #readData(pluginId: number, chartId: string, latestCount: number): ReadChartData | undefined {
    let typeName: string | undefined;
    let pointCount = 0;
    const chunks: Chunk[] = [];
    const rows = this.#file.statements.data.iterate(pluginId, chartId);
    // Leaving the loop early ends the statement: rows that are not needed are not read.
    for (const [type, json, uid, firstTimestamp, bytes] of rows as Iterable<unknown> as Iterable<DataRow>) {
      typeName = text(type);
      const { storage, emptyData } = chartTypeOf(typeName);
      if (storage === 'snapshot')
        return { storage, json: json === null ? emptyData : trustedJson(text(json)) };
      if (bytes === null) break;
      const chunk = chunkOfChart(integer(uid), firstTimestamp, bytes);
      chunks.push(chunk);
      pointCount += pointCountOf(chunk);
      if (pointCount >= latestCount) break;
    }
    if (typeName === undefined) return undefined;
    return { storage: 'series', runs: decodeRuns(chunks.reverse(), latestCount) };
  }

  #missing(pluginId: number, chartId: string): AppError {
    const isKnown = this.#all(this.#file.statements.isKnown, pluginId).length > 0;
    return isKnown ? unknownChart(pluginId, chartId) : unknownPlugin(pluginId);
  }

  #all(statement: StatementSync, ...values: (number | string)[]): Row[] {
    return guarded(this.#path, () => statement.all(...values));
  }
}
