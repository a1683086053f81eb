/** The embedded store as a reader. Every answer is one statement, and so sees one state of the store. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError, unknownChart, unknownPlugin } from '../model/app-error.ts';
import type { Chart } from '../model/chart.ts';
import type { ChartData } from '../model/chart-data.ts';
import { chartTypeOf } from '../model/chart-types.ts';
import { trustedJson } from '../model/json-text.ts';
import { type MetricsReader, pluginsPerBatch } from '../model/metrics-reader.ts';
import type { PluginSummary } from '../model/plugin.ts';
import type { Software } from '../model/software.ts';
import { type Chunk, decodeLatest, pointCountOf } from '../series/chunk.ts';
import { type ChartRow, chartOf } from './rows.ts';
import { guarded, openForReading, sqliteFault } from './sqlite-database.ts';
import { readRecords } from './sqlite-records.ts';

/** Opens the store in this file for reading; throws as `openForReading`. */
export function openSqliteReader(path: string): MetricsReader {
  return new SqliteReader(path, openForReading(path));
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

const pluginSql = `
  select plugin.id as plugin_id, plugin.name as plugin_name, plugin.owner_id, owner.name as owner_name,
    chart.uid, chart.chart_id, chart.type, chart.position, chart.title, chart.is_default, chart.settings
  from plugin
  join owner on owner.id = plugin.owner_id
  left join chart on chart.plugin_id = plugin.id
  where plugin.id = ?
  order by chart.position, chart.chart_id`;

const chartSql = `
  select uid, chart_id, type, position, title, is_default, settings
  from chart where plugin_id = ? and chart_id = ?`;

const dataSql = `
  select chart.type, snapshot.json, chunk.first_timestamp, chunk.bytes
  from chart
  left join snapshot on snapshot.chart_uid = chart.uid
  left join chunk on chunk.chart_uid = chart.uid
  where chart.plugin_id = ? and chart.chart_id = ?
  order by chunk.first_timestamp desc`;

interface SoftwareRow {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly plugin_id: number | null;
  readonly plugin_name: string | null;
}

interface PluginRow {
  readonly id: number;
  readonly name: string;
  readonly is_global: number;
  readonly owner_id: number;
  readonly owner_name: string;
  readonly software_id: number;
  readonly software_name: string;
  readonly url: string;
}

type PluginChartRow = {
  readonly plugin_id: number;
  readonly plugin_name: string;
  readonly owner_id: number;
  readonly owner_name: string;
} & (ChartRow | { readonly uid: null });

/** A row of {@link dataSql} as an array, which is cheaper to make than an object. */
type DataRow = readonly [type: string, json: string | null, firstTimestamp: number, bytes: Uint8Array | null];

class SqliteReader implements MetricsReader {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #dataVersion: StatementSync;
  readonly #software: StatementSync;
  readonly #plugin: StatementSync;
  readonly #chart: StatementSync;
  readonly #data: StatementSync;

  constructor(path: string, db: DatabaseSync) {
    this.#path = path;
    this.#db = db;
    this.#dataVersion = db.prepare('pragma data_version');
    this.#software = db.prepare(softwareSql);
    this.#plugin = db.prepare(pluginSql);
    this.#chart = db.prepare(chartSql);
    this.#data = db.prepare(dataSql);
    this.#data.setReturnArrays(true);
  }

  generation(): number {
    return guarded(this.#path, () => Number(this.#dataVersion.get()?.['data_version']));
  }

  unreachableMs(): number {
    return 0;
  }

  async listSoftware(): Promise<readonly Software[]> {
    return this.#all<SoftwareRow>(this.#software).map((row) => ({
      id: row.id,
      name: row.name,
      url: row.url,
      globalPlugin:
        row.plugin_id === null || row.plugin_name === null
          ? null
          : { id: row.plugin_id, name: row.plugin_name },
    }));
  }

  async *listPlugins(): AsyncGenerator<readonly PluginSummary[]> {
    const db = this.#openAgain();
    try {
      db.exec('begin');
      let batch: PluginSummary[] = [];
      for (const row of db.prepare(pluginsSql).iterate() as Iterable<unknown> as Iterable<PluginRow>) {
        batch.push({
          id: row.id,
          name: row.name,
          owner: { id: row.owner_id, name: row.owner_name },
          software: { id: row.software_id, name: row.software_name, url: row.url },
          isGlobal: row.is_global === 1,
        });
        if (batch.length < pluginsPerBatch) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    } catch (error) {
      throw sqliteFault(error, this.#path);
    } finally {
      db.close();
    }
  }

  async getPlugin(pluginId: number) {
    const rows = this.#all<PluginChartRow>(this.#plugin, pluginId);
    const [plugin] = rows;
    if (plugin === undefined) throw unknownPlugin(pluginId);
    return {
      id: plugin.plugin_id,
      name: plugin.plugin_name,
      owner: { id: plugin.owner_id, name: plugin.owner_name },
      charts: rows.flatMap((row) => (row.uid === null ? [] : [chartOf(row)])),
    };
  }

  async getChart(pluginId: number, chartId: string): Promise<Chart> {
    const [row] = this.#all<ChartRow>(this.#chart, pluginId, chartId);
    if (row === undefined) throw await this.#missing(pluginId, chartId);
    return chartOf(row);
  }

  async readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ChartData> {
    const found = guarded(this.#path, () => this.#readData(pluginId, chartId, latestCount));
    if (found === undefined) throw await this.#missing(pluginId, chartId);
    return found;
  }

  records() {
    return readRecords(this.#path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#db.close();
  }

  /** A connection of its own for what takes long. A file that is no store any more is out of reach. */
  #openAgain(): DatabaseSync {
    try {
      return openForReading(this.#path);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError('unavailable', error.message, { kind: 'store-unavailable', cause: error });
    }
  }

  #readData(pluginId: number, chartId: string, latestCount: number): ChartData | undefined {
    let type: string | undefined;
    let pointCount = 0;
    const chunks: Chunk[] = [];
    // Leaving the loop early ends the statement: rows that are not needed are not read.
    for (const row of this.#data.iterate(pluginId, chartId) as Iterable<unknown> as Iterable<DataRow>) {
      const [, json, firstTimestamp, bytes] = row;
      type = row[0];
      const { storage, emptyData } = chartTypeOf(type);
      if (storage === 'snapshot') return { storage, json: json === null ? emptyData : trustedJson(json) };
      if (bytes === null || pointCount >= latestCount) break;
      const chunk = { firstTimestamp, bytes };
      chunks.push(chunk);
      pointCount += pointCountOf(chunk);
    }
    if (type === undefined) return undefined;
    return { storage: 'series', points: decodeLatest(chunks.reverse(), latestCount) };
  }

  async #missing(pluginId: number, chartId: string): Promise<AppError> {
    const isKnown = this.#all(this.#plugin, pluginId).length > 0;
    return isKnown ? unknownChart(pluginId, chartId) : unknownPlugin(pluginId);
  }

  /** All rows; their type is what the statement selects from strict tables. */
  #all<Row>(statement: StatementSync, ...values: (number | string)[]): Row[] {
    return guarded(this.#path, () => statement.all(...values) as Row[]);
  }
}
