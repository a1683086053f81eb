/** Prunes series: removes chunks between two times without reading them, and cuts those at the ends. */
import { AppError, unknownPlugin } from '../../model/app-error.ts';
import type { Pruned, PruneOptions, Removal } from '../../model/metrics-remover.ts';
import { type Chunk, isOfLine } from '../../series/chunk.ts';
import { type CutChunk, cutChunk } from '../../series/merge-chunks.ts';
import { damagedChart } from '../damaged-chart.ts';
import { integer } from '../rows.ts';
import { everyChart, everyPlugin, removalColumns, storedColumns } from '../stored-columns.ts';
import { countRows, everyTime, findOneChart, type RemovalTables, type TimeRange } from './removal.ts';

/** Prunes as `MetricsRemover.prune` promises. */
export async function prune(tables: RemovalTables, options: PruneOptions): Promise<Pruned> {
  const { afterTimestamp, beforeTimestamp, pluginId, chartId } = options;
  if (pluginId !== undefined && chartId !== undefined) await findOneChart(tables, pluginId, chartId);
  else if (pluginId !== undefined && (await tables.findPlugin(pluginId)) === undefined)
    throw unknownPlugin(pluginId);
  const range = {
    after: afterTimestamp ?? everyTime.after,
    before: beforeTimestamp ?? everyTime.before,
  };
  let pruned: Pruned = { chartCount: 0, pointCount: 0, snapshotCount: 0 };
  for await (const { uids, edges } of tables.seriesPages(options)) {
    const cuts: Cut[] = [];
    for (const edge of edges) cuts.push(await cutEdge(tables, edge, range));
    const { chartCount, pointCount, snapshotCount } = await pruneSeries(tables, uids, range, cuts);
    pruned = {
      chartCount: pruned.chartCount + chartCount,
      pointCount: pruned.pointCount + pointCount,
      snapshotCount: pruned.snapshotCount + snapshotCount,
    };
    options.onProgress?.(pruned);
  }
  if (afterTimestamp === undefined && beforeTimestamp !== undefined)
    await rememberPruned(tables, { pluginId, chartId, before: Math.max(0, beforeTimestamp) });
  return pruned;
}

/** A chunk that may reach over one of the two times, and the chunks that replace it. */
interface Cut extends CutChunk {
  readonly chunk: Chunk;
}

async function cutEdge(tables: RemovalTables, chunk: Chunk, range: TimeRange): Promise<Cut> {
  try {
    return { chunk, ...cutChunk(chunk, range) };
  } catch (error) {
    throw error instanceof AppError ? await damagedChart(tables, chunk.uid, error) : error;
  }
}

/** True for a chunk that begins between the two times: its row is removed. */
function begins({ firstTimestamp }: Chunk, { after, before }: TimeRange): boolean {
  return firstTimestamp > after && firstTimestamp < before;
}

async function pruneSeries(
  tables: RemovalTables,
  uids: readonly number[],
  range: TimeRange,
  cuts: readonly Cut[],
): Promise<Pruned> {
  const rows = await tables.removeChunks(uids, range);
  const [inside, atStart] = [
    cuts.filter(({ chunk }) => begins(chunk, range)),
    cuts.filter(({ chunk, lostCount }) => !begins(chunk, range) && lostCount > 0),
  ];
  await tables.putChunks([...inside, ...atStart].flatMap((cut) => cut.kept));
  await tables.forgetShownTimes(uids, range);
  const lost = { ...countRows(rows) };
  const count = ({ chunk }: Cut, by: number) => {
    lost[isOfLine(chunk) ? 'pointCount' : 'snapshotCount'] += by;
  };
  for (const cut of inside) count(cut, -cut.keptCount);
  for (const cut of atStart) count(cut, cut.lostCount);
  const changed = [...rows.map((row) => integer(row['chart_uid'])), ...atStart.map(({ chunk }) => chunk.uid)];
  return { chartCount: new Set(changed).size, ...lost };
}

async function rememberPruned(tables: RemovalTables, removal: Removal): Promise<void> {
  const { pluginId = everyPlugin, chartId = everyChart } = removal;
  const stored = await tables.findRemoval(pluginId, chartId);
  await tables.putRemoval(removalColumns(removal, stored && storedColumns('removal', stored)));
}
