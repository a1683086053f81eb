/** The rules of taking things out of a store, the same for every store: what goes with what, and how series are cut. */
import { AppError, unknownChart, unknownPlugin } from '../model/app-error.ts';
import type { Pruned, PruneOptions, Removed } from '../model/metrics-remover.ts';
import { maxTimestamp, type Points, slicePoints } from '../model/points.ts';
import { type Chunk, decodeChunk, encodeChunks, pointCountOf } from '../series/chunk.ts';
import { bytes, integer, type Row, softwareFieldsOf } from './rows.ts';
import { type Columns, softwareColumns } from './stored-columns.ts';

/** A chunk of a chart. */
export type ChartChunk = Chunk & { readonly uid: number };

/** The tables of one store within a write transaction. */
export interface RemovalTables {
  /** The columns `id` and `owner_id` of a plugin. */
  findPlugin(pluginId: number): Promise<Row | undefined>;
  /** The column `uid` of the charts of a plugin, or of one of them. */
  findCharts(pluginId: number, chartId?: string): Promise<readonly Row[]>;
  /** Software with this global plugin, with the columns of `columnNames`. */
  findSoftwareOf(globalPluginId: number): Promise<readonly Row[]>;
  putSoftware(software: Columns): Promise<void>;
  /** Takes out the chunks of these charts that begin before a time, and gives a column `head`: their first bytes. */
  removeChunks(uids: readonly number[], beforeTimestamp: number): Promise<readonly Row[]>;
  putChunks(chunks: readonly ChartChunk[]): Promise<void>;
  /** Takes out charts that have no chunks, with their snapshots. */
  removeCharts(uids: readonly number[]): Promise<void>;
  /** Takes out a plugin that has no charts, and its owner if that has no other plugin. */
  removePlugin(pluginId: number, ownerId: number): Promise<void>;
  /** Of every chart, or those of a plugin, the last chunk that begins before a time, by ascending uid, in pages. */
  lastChunksBefore(
    beforeTimestamp: number,
    pluginId: number | undefined,
  ): AsyncIterable<readonly ChartChunk[]>;
}

/** As `MetricsRemover.removePlugin`. */
export async function removePlugin(tables: RemovalTables, pluginId: number): Promise<Removed> {
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
  return { ...removed, softwareIds };
}

/** As `MetricsRemover.removeChart`. */
export async function removeChart(
  tables: RemovalTables,
  pluginId: number,
  chartId: string,
): Promise<Removed> {
  const charts = await tables.findCharts(pluginId, chartId);
  if (charts.length === 0) {
    const isKnown = (await tables.findPlugin(pluginId)) !== undefined;
    throw isKnown ? unknownChart(pluginId, chartId) : unknownPlugin(pluginId);
  }
  return { ...(await removeAll(tables, charts)), softwareIds: [] };
}

/** As `MetricsRemover.prune`. */
export async function prune(tables: RemovalTables, options: PruneOptions): Promise<Pruned> {
  const { beforeTimestamp, pluginId, onProgress } = options;
  if (pluginId !== undefined && (await tables.findPlugin(pluginId)) === undefined)
    throw unknownPlugin(pluginId);
  let pruned: Pruned = { chartCount: 0, pointCount: 0 };
  for await (const page of tables.lastChunksBefore(beforeTimestamp, pluginId)) {
    // The chunks in front of the last one are wholly older than it, so only the last one is looked into.
    const kept = page.flatMap((chunk) => chunksFrom(chunk, beforeTimestamp));
    const heads = await tables.removeChunks(
      page.map((chunk) => chunk.uid),
      beforeTimestamp,
    );
    await tables.putChunks(kept);
    const keptCount = kept.reduce((sum, chunk) => sum + pointCountOf(chunk), 0);
    pruned = {
      chartCount: pruned.chartCount + page.length,
      pointCount: pruned.pointCount + countPoints(heads) - keptCount,
    };
    onProgress?.(pruned);
  }
  return pruned;
}

async function removeAll(
  tables: RemovalTables,
  charts: readonly Row[],
): Promise<Omit<Removed, 'softwareIds'>> {
  const uids = charts.map((row) => integer(row['uid']));
  const heads = await tables.removeChunks(uids, maxTimestamp + 1);
  await tables.removeCharts(uids);
  return { chartCount: uids.length, pointCount: countPoints(heads) };
}

/** The part of a chunk that is not before a time. */
function chunksFrom(chunk: ChartChunk, timestamp: number): ChartChunk[] {
  const points = decodeChunk(chunk);
  const kept = slicePoints(points, firstFrom(points, timestamp));
  return encodeChunks(kept).map((one) => ({ uid: chunk.uid, ...one }));
}

function firstFrom({ timestamps }: Points, timestamp: number): number {
  const index = timestamps.findIndex((one) => one >= timestamp);
  return index < 0 ? timestamps.length : index;
}

/** Taking a damaged chunk out mends a store, so it is no reason to stop. */
function countPoints(heads: readonly Row[]): number {
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
