/** Readers for tests, with one transaction per read. */
import type { MetricsReader, MetricsView } from '../../src/model/metrics-reader.ts';
import { StoreReader } from '../../src/store/reading/store-reader.ts';
import { SqliteConnections } from '../../src/store/sqlite/sqlite-connections.ts';
import { sqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';

/** A reader with the methods of a view; each reads the newest state. */
export type Reads = MetricsReader & Omit<MetricsView, 'records'>;

/** Opens a reader of the store in a file. */
export function openSqliteReader(path: string): Reads {
  return withReads(new StoreReader(new SqliteConnections(path), sqliteEngine(path, {})));
}

/** Adds the methods of a view to a reader. */
export function withReads(reader: MetricsReader): Reads {
  const reads: Omit<MetricsView, 'records'> = {
    listSoftware: () => reader.read((view) => view.listSoftware()),
    listPlugins: () => reader.stream((view) => view.listPlugins()),
    listOldNames: (pluginId) => reader.stream((view) => view.listOldNames(pluginId)),
    listNewestTimes: (until) => reader.stream((view) => view.listNewestTimes(until)),
    findPlugins: (request) => reader.read((view) => view.findPlugins(request)),
    listSoftwareNow: () => reader.read((view) => view.listSoftwareNow()),
    loadOwnerNow: (ownerId) => reader.read((view) => view.loadOwnerNow(ownerId)),
    findPluginNamed: (...asked) => reader.read((view) => view.findPluginNamed(...asked)),
    findOwnerNamed: (name) => reader.read((view) => view.findOwnerNamed(name)),
    listNamesakes: (...asked) => reader.read((view) => view.listNamesakes(...asked)),
    findPlace: (...asked) => reader.read((view) => view.findPlace(...asked)),
    getPlugin: (pluginId) => reader.read((view) => view.getPlugin(pluginId)),
    listCharts: (pluginId) => reader.stream((view) => view.listCharts(pluginId)),
    getChart: (pluginId, chartId) => reader.read((view) => view.getChart(pluginId, chartId)),
    readChartData: (...asked) => reader.read((view) => view.readChartData(...asked)),
    findSpans: (uids) => reader.read((view) => view.findSpans(uids)),
    loadShareFacts: (uid) => reader.read((view) => view.loadShareFacts(uid)),
    listShareNames: (uid) => reader.stream((view) => view.listShareNames(uid)),
    listEvents: (pluginId) => reader.stream((view) => view.listEvents(pluginId)),
    readColumns: (chart, window) => reader.stream((view) => view.readColumns(chart, window)),
  };
  return Object.assign(reader, reads);
}
