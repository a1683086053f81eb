/** The error for a chunk that must be read to change it and is damaged: it names the chart, the store, and the way out. */
import { AppError } from '../model/app-error.ts';
import type { Points } from '../model/points.ts';
import type { Chunk } from '../series/chunk.ts';
import { type ChunkChange, mergeIntoChunks } from '../series/merge-chunks.ts';
import { verifyChunk } from '../series/verify-chunk.ts';
import type { ChartName } from './import-batch.ts';

type ChartChunk = Chunk & { readonly uid: number };

/** The tables of one store, as far as a fault in a series needs them. */
export interface SeriesTables {
  /** The store as messages name it. */
  readonly storeName: string;
  findChartName(uid: number): Promise<ChartName | undefined>;
  /** The first timestamp of the next chunk of a chart behind a time. */
  findChunkAfter(uid: number, timestamp: number): Promise<number | undefined>;
}

/** As {@link mergeIntoChunks}; throws the error of {@link damagedChunk} where one of the chunks is damaged. */
export async function mergeSeries(
  tables: SeriesTables,
  touched: readonly ChartChunk[],
  points: Points,
): Promise<ChunkChange> {
  try {
    return mergeIntoChunks(touched, points);
  } catch (error) {
    const damaged = touched.find((chunk) => verifyChunk(chunk) !== undefined);
    throw error instanceof AppError && damaged !== undefined ? await damagedChunk(tables, damaged) : error;
  }
}

/** Makes the error, `unavailable`. */
export async function damagedChunk(tables: SeriesTables, chunk: ChartChunk): Promise<AppError> {
  const { uid, firstTimestamp } = chunk;
  const chart = await tables.findChartName(uid);
  const next = await tables.findChunkAfter(uid, firstTimestamp);
  const name = `${chart?.pluginId}/${chart?.chartId}`;
  return new AppError(
    'unavailable',
    `the store ${tables.storeName} is damaged: plugin ${chart?.pluginId}, chart ${chart?.chartId}: ${verifyChunk(chunk)}; ` +
      `"plugin-metrics ${commandFor(name, firstTimestamp, next)}" takes it out, and importing its points again brings them back`,
    { kind: 'store-unavailable' },
  );
}

/** Year 10000: dates on the command line have four digits of a year. */
const lastDate = 253_402_300_800_000;

/** The command that takes a chunk out, and as little else as can be. */
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
