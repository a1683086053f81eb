/** The rules of removing plugins and charts, shared by every store. */
import { AppError, unknownChart, unknownPlugin } from '../../model/app-error.ts';
import type { PruneOptions, Removed } from '../../model/metrics-remover.ts';
import { type Chunk, isOfLine, timeCountOf } from '../../series/chunk.ts';
import type { SeriesTables } from '../damaged-chart.ts';
import { bytes, integer, type Row, softwareFieldsOf } from '../rows.ts';
import { type Columns, removalColumns, softwareColumns } from '../stored-columns.ts';

/** Two times; neither of them is included. */
export interface TimeRange {
  readonly after: number;
  readonly before: number;
}

/** Every time that a row can have. */
export const everyTime: TimeRange = { after: Number.MIN_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER };

/** Some charts, and the chunks of them that may have to be cut. */
interface SeriesPage {
  readonly uids: readonly number[];
  /** For each chart the last chunk that begins before `beforeTimestamp`, and the last that begins at or before `afterTimestamp`. */
  readonly edges: readonly Chunk[];
}

/** The tables of one store within a write transaction. */
export interface RemovalTables extends SeriesTables {
  /** Finds the columns `id` and `owner_id` of a plugin. */
  findPlugin(pluginId: number): Promise<Row | undefined>;
  /** Finds the column `uid` of the charts of a plugin, or of one of them. */
  findCharts(pluginId: number, chartId?: string): Promise<readonly Row[]>;
  /** Finds the software with this global plugin, with the columns of `columnNames`. */
  findSoftwareOf(globalPluginId: number): Promise<readonly Row[]>;
  putSoftware(software: Columns): Promise<void>;
  /** Deletes the chunks of these charts that begin between two times; returns their keys, and `head`, their first bytes. */
  removeChunks(uids: readonly number[], range: TimeRange): Promise<readonly Row[]>;
  /** Writes chunks, and replaces those with the same keys. */
  putChunks(chunks: readonly Chunk[]): Promise<void>;
  /** Takes the times of snapshots between two times away: what they show is no longer part of the history. */
  forgetShownTimes(uids: readonly number[], range: TimeRange): Promise<void>;
  /** Finds a row of `removal`. */
  findRemoval(pluginId: number, chartId: string): Promise<Row | undefined>;
  /** Writes a row of `removal`. */
  putRemoval(removal: Columns): Promise<void>;
  /** Deletes charts with their remaining data. */
  removeCharts(uids: readonly number[]): Promise<void>;
  /** Deletes the events of a plugin; returns their number. */
  removeEvents(pluginId: number): Promise<number>;
  /** Deletes a plugin without charts, its rows of `removal`, and its owner if that has no other plugin. */
  removePlugin(pluginId: number, ownerId: number): Promise<void>;
  /** Yields the charts to prune, by ascending uid. */
  seriesPages(options: PruneOptions): AsyncIterable<SeriesPage>;
}

/** Removes as `MetricsRemover.removePlugin` promises. */
export async function removePluginRows(tables: RemovalTables, pluginId: number): Promise<Removed> {
  const plugin = await tables.findPlugin(pluginId);
  if (plugin === undefined) throw unknownPlugin(pluginId);
  const softwareIds: number[] = [];
  for (const row of await tables.findSoftwareOf(pluginId)) {
    const software = softwareFieldsOf(row);
    await tables.putSoftware(softwareColumns({ ...software, globalPluginId: null }));
    softwareIds.push(software.id);
  }
  const removed = await removeAll(tables, await tables.findCharts(pluginId));
  const eventCount = await tables.removeEvents(pluginId);
  await tables.removePlugin(pluginId, integer(plugin['owner_id']));
  await tables.putRemoval(removalColumns({ pluginId, before: null }));
  return { ...removed, eventCount, softwareIds };
}

/** Removes as `MetricsRemover.removeChart` promises. */
export async function removeChartRows(
  tables: RemovalTables,
  pluginId: number,
  chartId: string,
): Promise<Removed> {
  const removed = await removeAll(tables, [await findOneChart(tables, pluginId, chartId)]);
  await tables.putRemoval(removalColumns({ pluginId, chartId, before: null }));
  return { ...removed, eventCount: 0, softwareIds: [] };
}

/** Finds the uid of a chart. @throws AppError `not_found`, which says if the plugin or the chart is missing. */
export async function findOneChart(tables: RemovalTables, pluginId: number, chartId: string): Promise<Row> {
  const [chart] = await tables.findCharts(pluginId, chartId);
  if (chart !== undefined) return chart;
  const isKnown = (await tables.findPlugin(pluginId)) !== undefined;
  throw isKnown ? unknownChart(pluginId, chartId) : unknownPlugin(pluginId);
}

async function removeAll(
  tables: RemovalTables,
  charts: readonly Row[],
): Promise<Omit<Removed, 'softwareIds' | 'eventCount'>> {
  const uids = charts.map((row) => integer(row['uid']));
  const heads = await tables.removeChunks(uids, everyTime);
  await tables.removeCharts(uids);
  return { chartCount: uids.length, ...countRows(heads) };
}

/** Counts of the points of lines, and of the times of histories. */
type RowCounts = Pick<Removed, 'pointCount' | 'snapshotCount'>;

/** Counts what rows with these heads hold. A damaged one counts 0: removing it repairs the store. */
export function countRows(heads: readonly Row[]): RowCounts {
  const counts = { pointCount: 0, snapshotCount: 0 };
  for (const row of heads) {
    try {
      const head = { firstTimestamp: 0, bytes: bytes(row['head']) };
      counts[isOfLine(head) ? 'pointCount' : 'snapshotCount'] += timeCountOf(head);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return counts;
}
