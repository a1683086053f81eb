/** The embedded store as a reader: short reads on one connection, snapshots on connections of their own. */
import type { Chart } from '../model/chart.ts';
import type { ReadChartData } from '../model/chart-data.ts';
import type { LatestPoint } from '../model/latest-point.ts';
import type { ChangeScope, MetricsReader, MetricsView } from '../model/metrics-reader.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { PluginChart, PluginSummary } from '../model/plugin.ts';
import type { Software } from '../model/software.ts';
import { storedRecords } from '../store/stored-records.ts';
import { SnapshotConnections } from './snapshot-connections.ts';
import { openKnown, sqliteFault } from './sqlite-database.ts';
import { SqliteState } from './sqlite-state.ts';
import { prepareStatements, type ReaderStatements } from './sqlite-statements.ts';
import { KnownCharts, SqliteView, type ViewConnection } from './sqlite-view.ts';
import { WatchedFile } from './watched-file.ts';

/** Opens the store in this file for reading; throws as `openForReading`. */
export function openSqliteReader(path: string): MetricsReader {
  return new SqliteReader(path);
}

class SqliteReader implements MetricsReader {
  readonly #path: string;
  readonly #file: WatchedFile<ReaderStatements>;
  readonly #snapshots: SnapshotConnections;
  /** Of the newest state: all reads of a turn of the event loop share a transaction. */
  readonly #newest: SqliteView;
  readonly #charts = new KnownCharts();

  constructor(path: string) {
    this.#path = path;
    this.#file = new WatchedFile(path, prepareStatements);
    this.#snapshots = new SnapshotConnections(path, this.#file);
    const file = this.#file;
    const connection: ViewConnection = {
      get statements() {
        return file.statements;
      },
      generation: (of) => file.seenGeneration(of),
    };
    this.#newest = new SqliteView(path, connection, this.#charts);
  }

  generation(of: ChangeScope): number {
    return this.#file.generation(of);
  }

  unreachableMs(): number {
    return this.#file.unreachableMs();
  }

  async *snapshot<Part>(read: (view: MetricsView) => AsyncIterable<Part>): AsyncGenerator<Part> {
    const connection = this.#snapshots.take();
    try {
      yield* read(new SqliteView(this.#path, connection, this.#charts));
    } finally {
      this.#snapshots.giveBack(connection);
    }
  }

  listSoftware(): Promise<readonly Software[]> {
    return this.#newest.listSoftware();
  }

  listPlugins(): AsyncIterable<readonly PluginSummary[]> {
    return this.snapshot((view) => view.listPlugins());
  }

  listLatestPoints(chartIds: readonly string[]): AsyncIterable<readonly LatestPoint[]> {
    return this.snapshot((view) => view.listLatestPoints(chartIds));
  }

  getPlugin(pluginId: number): Promise<PluginSummary> {
    return this.#newest.getPlugin(pluginId);
  }

  listCharts(pluginId: number): AsyncIterable<readonly Chart[]> {
    return this.snapshot((view) => view.listCharts(pluginId));
  }

  getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    return this.#newest.getChart(pluginId, chartId);
  }

  readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData> {
    return this.#newest.readChartData(pluginId, chartId, latestCount);
  }

  /** On a connection of its own, in the order of keys that an export has. */
  async *records(): AsyncGenerator<readonly MetricsRecord[]> {
    this.#file.look();
    const db = openKnown(this.#path);
    try {
      yield* storedRecords(new SqliteState(db), this.#path);
    } catch (error) {
      throw sqliteFault(error, this.#path);
    } finally {
      db.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#snapshots[Symbol.dispose]();
    this.#file[Symbol.dispose]();
  }
}
