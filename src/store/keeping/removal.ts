/** The rules of removing plugins and charts, the same for every store: what goes with what. */
import { AppError, unknownChart, unknownPlugin } from '../../model/app-error.ts';
import type { PruneOptions, Removed } from '../../model/metrics-remover.ts';
import { type Chunk, pointCountOf } from '../../series/chunk.ts';
import type { SeriesTables } from '../damaged-chunk.ts';
import { bytes, integer, type Row, softwareFieldsOf } from '../rows.ts';
import { type Columns, removalColumns, softwareColumns } from '../stored-columns.ts';
import { everyChart } from './removals.ts';

/** A chunk of a chart. */
export type ChartChunk = Chunk & { readonly uid: number };

/** Two times; neither of them is included. */
export interface TimeRange {
  readonly after: number;
  readonly before: number;
}

/** Every time that a row can have. */
export const everyTime: TimeRange = { after: Number.MIN_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER };

/** Some charts, and those of their chunks that may have to be cut. */
export interface SeriesPage {
  readonly uids: readonly number[];
  /** Of each chart the last chunk that begins before `beforeTimestamp`, and the last that begins at or before `afterTimestamp`. */
  readonly edges: readonly ChartChunk[];
}

/** The tables of one store within a write transaction. */
export interface RemovalTables extends SeriesTables {
  /** The columns `id` and `owner_id` of a plugin. */
  findPlugin(pluginId: number): Promise<Row | undefined>;
  /** The column `uid` of the charts of a plugin, or of one of them. */
  findCharts(pluginId: number, chartId?: string): Promise<readonly Row[]>;
  /** Software with this global plugin, with the columns of `columnNames`. */
  findSoftwareOf(globalPluginId: number): Promise<readonly Row[]>;
  putSoftware(software: Columns): Promise<void>;
  /** Takes out the chunks of these charts that begin between two times; gives their keys, and `head`: their first bytes. */
  removeChunks(uids: readonly number[], range: TimeRange): Promise<readonly Row[]>;
  /** Writes chunks, in place of those with the same keys. */
  putChunks(chunks: readonly ChartChunk[]): Promise<void>;
  /** Adds to the tallies of charts, by uid. */
  changeTallies(changes: ReadonlyMap<number, number>): Promise<void>;
  /** The row of `removal` for a key. */
  findRemoval(pluginId: number, chartId: string): Promise<Row | undefined>;
  /** Writes a row of `removal`. */
  putRemoval(removal: Columns): Promise<void>;
  /** Takes out charts with whatever data they still have. */
  removeCharts(uids: readonly number[]): Promise<void>;
  /** Takes out a plugin that has no charts, its rows of `removal`, and its owner if that has no other plugin. */
  removePlugin(pluginId: number, ownerId: number): Promise<void>;
  /** The charts that are to be pruned, by ascending uid. */
  seriesPages(options: PruneOptions): AsyncIterable<SeriesPage>;
}

/** As `MetricsRemover.removePlugin`. */
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
  await tables.removePlugin(pluginId, integer(plugin['owner_id']));
  await tables.putRemoval(removalColumns(pluginId, everyChart, null));
  return { ...removed, softwareIds };
}

/** As `MetricsRemover.removeChart`. */
export async function removeChartRows(
  tables: RemovalTables,
  pluginId: number,
  chartId: string,
): Promise<Removed> {
  const removed = await removeAll(tables, [await findOneChart(tables, pluginId, chartId)]);
  await tables.putRemoval(removalColumns(pluginId, chartId, null));
  return { ...removed, softwareIds: [] };
}

/** The column `uid` of a chart; throws AppError `not_found` that says whether plugin or chart is missing. */
export async function findOneChart(tables: RemovalTables, pluginId: number, chartId: string): Promise<Row> {
  const [chart] = await tables.findCharts(pluginId, chartId);
  if (chart !== undefined) return chart;
  const isKnown = (await tables.findPlugin(pluginId)) !== undefined;
  throw isKnown ? unknownChart(pluginId, chartId) : unknownPlugin(pluginId);
}

async function removeAll(
  tables: RemovalTables,
  charts: readonly Row[],
): Promise<Omit<Removed, 'softwareIds'>> {
  const uids = charts.map((row) => integer(row['uid']));
  const heads = await tables.removeChunks(uids, everyTime);
  await tables.removeCharts(uids);
  return { chartCount: uids.length, pointCount: countPoints(heads) };
}

/** The points of the chunks with these heads. Taking a damaged chunk out mends a store, so it is no reason to stop. */
export function countPoints(heads: readonly Row[]): number {
  let pointCount = 0;
  for (const row of heads) {
    try {
      pointCount += pointCountOf({ firstTimestamp: 0, bytes: bytes(row['head']) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return pointCount;
}
