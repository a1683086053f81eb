/** The rules of taking things out of a store, the same for every store: what goes with what, and how series are cut. */
import { AppError, unknownChart, unknownPlugin } from '../model/app-error.ts';
import type { Pruned, PruneOptions, Removed } from '../model/metrics-remover.ts';
import { type Points, slicePoints } from '../model/points.ts';
import { type Chunk, decodeChunk, encodeChunks, pointCountOf } from '../series/chunk.ts';
import { everyChart, everyPlugin } from './removals.ts';
import { bytes, integer, type Row, softwareFieldsOf } from './rows.ts';
import { type Columns, removalColumns, softwareColumns } from './stored-columns.ts';
import { addTallies, type DataKey, tallyChange } from './tally.ts';

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
  /** Takes out the chunks of these charts that begin before a time; gives their keys and a column `head`: their first bytes. */
  removeChunks(uids: readonly number[], beforeTimestamp: number): Promise<readonly Row[]>;
  putChunks(chunks: readonly ChartChunk[]): Promise<void>;
  /** Adds to the tallies of charts, by uid. */
  changeTallies(changes: ReadonlyMap<number, number>): Promise<void>;
  /** The row of `removal` for a key. */
  findRemoval(pluginId: number, chartId: string): Promise<Row | undefined>;
  /** Writes a row of `removal`. */
  putRemoval(removal: Columns): Promise<void>;
  /** Takes out charts that have no chunks, with their snapshots. */
  removeCharts(uids: readonly number[]): Promise<void>;
  /** Takes out a plugin that has no charts, its rows of `removal`, and its owner if that has no other plugin. */
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
  await tables.putRemoval(removalColumns(pluginId, everyChart, null));
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
  const removed = await removeAll(tables, charts);
  await tables.putRemoval(removalColumns(pluginId, chartId, null));
  return { ...removed, softwareIds: [] };
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
    await tables.changeTallies(tallyChanges(heads, kept));
    const keptCount = kept.reduce((sum, chunk) => sum + pointCountOf(chunk), 0);
    pruned = {
      chartCount: pruned.chartCount + page.length,
      pointCount: pruned.pointCount + countPoints(heads) - keptCount,
    };
    onProgress?.(pruned);
  }
  await rememberPruned(tables, options);
  return pruned;
}

/** A later time stays where one was kept already. */
async function rememberPruned(
  tables: RemovalTables,
  { beforeTimestamp, pluginId = everyPlugin }: PruneOptions,
): Promise<void> {
  const row = await tables.findRemoval(pluginId, everyChart);
  const known = row?.['before_timestamp'] ?? null;
  const before = Math.max(beforeTimestamp, known === null ? 0 : integer(known));
  await tables.putRemoval(removalColumns(pluginId, everyChart, before));
}

function tallyChanges(removed: readonly Row[], added: readonly ChartChunk[]): Map<number, number> {
  const changes = new Map<number, number>();
  const change = (uid: number, by: number) => changes.set(uid, addTallies(changes.get(uid) ?? 0, by));
  for (const row of removed)
    change(integer(row['chart_uid']), tallyChange([], [row['first_timestamp'] as DataKey]));
  for (const { uid, firstTimestamp } of added) change(uid, tallyChange([firstTimestamp], []));
  return changes;
}

async function removeAll(
  tables: RemovalTables,
  charts: readonly Row[],
): Promise<Omit<Removed, 'softwareIds'>> {
  const uids = charts.map((row) => integer(row['uid']));
  const heads = await tables.removeChunks(uids, Number.MAX_SAFE_INTEGER);
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
