/** Explains a damaged chunk that has to be changed: the error names the chart, the store and the command that removes it. */

import { AppError } from '../model/app-error.ts';
import type { ChartName } from '../model/chart.ts';
import type { Chunk } from '../series/chunk.ts';
import { isBlock } from '../series/history-block.ts';
import type { ChunkChange } from '../series/merge-chunks.ts';
import { verifyChunk } from '../series/verify-chunk.ts';

type ChartChunk = Chunk & { readonly uid: number };

/** The reads of a store for the error of a damaged chunk. */
export interface SeriesTables {
  /** The name of the store in messages. */
  readonly storeName: string;
  findChartName(uid: number): Promise<ChartName | undefined>;
  /** Finds the first timestamp of the next chunk of a chart after a time. */
  findChunkAfter(uid: number, timestamp: number): Promise<number | undefined>;
}

/** Runs a merge into chunks. @throws AppError of {@link damagedChunk} if one of them is damaged. */
export async function mergeSeries(
  tables: SeriesTables,
  touched: readonly ChartChunk[],
  merge: (touched: readonly ChartChunk[]) => ChunkChange,
): Promise<ChunkChange> {
  try {
    return merge(touched);
  } catch (error) {
    const damaged = touched.find((chunk) => verifyChunk(chunk) !== undefined);
    throw error instanceof AppError && damaged !== undefined ? await damagedChunk(tables, damaged) : error;
  }
}

/** Makes the error `unavailable` for a damaged chunk. */
export async function damagedChunk(tables: SeriesTables, chunk: ChartChunk): Promise<AppError> {
  const { uid, firstTimestamp } = chunk;
  const chart = await tables.findChartName(uid);
  const next = await tables.findChunkAfter(uid, firstTimestamp);
  const name = `${chart?.pluginId}/${chart?.chartId}`;
  return new AppError(
    'unavailable',
    `the store ${tables.storeName} is damaged: plugin ${chart?.pluginId}, chart ${chart?.chartId}: ${verifyChunk(chunk)}; ` +
      `"plugin-metrics ${commandFor(name, firstTimestamp, next)}" removes it; then import its ${isBlock(chunk) ? 'history' : 'points'} again`,
    { kind: 'store-unavailable' },
  );
}

/** The year 10000: years on the command line have four digits. */
const lastDate = 253_402_300_800_000;

/** Renders the command that removes a chunk, and as little else as possible. */
function commandFor(name: string, firstTimestamp: number, next: number | undefined): string {
  const bounds = [
    ...(firstTimestamp > 0 ? ['--after', dateOf(firstTimestamp - 1)] : []),
    ...(next === undefined ? [] : ['--before', dateOf(next)]),
  ];
  return bounds.length === 0 || bounds.includes(undefined)
    ? `remove chart ${name}`
    : `prune --chart ${name} ${bounds.join(' ')}`;
}

function dateOf(timestamp: number): string | undefined {
  return timestamp >= 0 && timestamp < lastDate ? new Date(timestamp).toISOString() : undefined;
}
