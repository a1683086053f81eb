/** Checks the sums of lines against their points. */
import { AppError } from '../../model/app-error.ts';
import type { Points } from '../../model/points.ts';
import { type Chunk, decodeChunk } from '../../series/chunk.ts';
import { decodeSums, type RangeSums, sumRangeMs } from '../../series/sum-block.ts';
import { sumRange } from '../../series/sum-range.ts';
import { chunkOf, type Row } from '../rows.ts';
import { type Pages, rowsOf } from '../stored-records.ts';
import { seriesName } from './check-tallies.ts';

type ChartChunk = Chunk & { readonly uid: number };

/** The sums of one range as they are stored, and the points that they should be of. */
interface SumsInCheck {
  readonly row: Row;
  readonly block: ChartChunk;
  readonly runs: Points[];
  /** True if a chunk is damaged: another check reports it. */
  isUnknown: boolean;
}

/** Checks sums and chunks side by side, both by ascending uid and time, so that it holds the points of one range at a time. */
export class SumChecker {
  readonly #rows: AsyncIterator<Row>;
  /** The sums that the next chunks belong to; undefined before the first and after the last. */
  #sums: SumsInCheck | undefined;
  #isStarted = false;

  constructor(sums: Pages) {
    this.#rows = rowsOf(sums);
  }

  /** Takes the next chunk and yields the faults of the sums before it. */
  async *take(chunk: ChartChunk): AsyncGenerator<string> {
    if (!this.#isStarted) yield* this.#next();
    while (this.#sums !== undefined && isBefore(this.#sums.block, chunk)) yield* this.#finishOne();
    if (this.#sums?.block.uid !== chunk.uid) return;
    const points = decoded(chunk);
    while (this.#sums?.block.uid === chunk.uid) {
      if (points === undefined) this.#sums.isUnknown = true;
      else this.#sums.runs.push(points);
      const last = points?.timestamps.at(-1) ?? chunk.firstTimestamp;
      if (last < this.#sums.block.firstTimestamp + sumRangeMs) return;
      yield* this.#finishOne();
    }
  }

  /** Yields the faults of the remaining sums. */
  async *finish(): AsyncGenerator<string> {
    if (!this.#isStarted) yield* this.#next();
    while (this.#sums !== undefined) yield* this.#finishOne();
  }

  async *#finishOne(): AsyncGenerator<string> {
    if (this.#sums !== undefined) yield* faultsOf(this.#sums);
    yield* this.#next();
  }

  async *#next(): AsyncGenerator<string> {
    this.#isStarted = true;
    this.#sums = undefined;
    while (this.#sums === undefined) {
      const { done, value: row } = await this.#rows.next();
      if (done === true) return;
      try {
        this.#sums = { row, block: chunkOf(row), runs: [], isUnknown: false };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        yield `${seriesName(row)}: ${error.message}`;
      }
    }
  }
}

/** True for sums whose chart or range ends before a chunk. */
function isBefore(block: ChartChunk, { uid, firstTimestamp }: ChartChunk): boolean {
  return block.uid < uid || (block.uid === uid && block.firstTimestamp + sumRangeMs <= firstTimestamp);
}

function decoded(chunk: Chunk): Points | undefined {
  try {
    return decodeChunk(chunk);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function* faultsOf({ row, block, runs, isUnknown }: SumsInCheck): Generator<string> {
  let stored: RangeSums;
  try {
    stored = decodeSums(block);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield `${seriesName(row)}: ${error.message}`;
    return;
  }
  if (isUnknown || isSame(stored, sumRange(block.firstTimestamp, runs))) return;
  yield `${seriesName(row)}: the sums from ${block.firstTimestamp} on are not those of its points; "plugin-metrics compact" makes them again`;
}

function isSame(stored: RangeSums, found: RangeSums | undefined): boolean {
  const columns = ['days', 'counts', 'sums', 'weeks', 'lowest', 'highest'] as const;
  return columns.every((name) => {
    const [one, other] = [stored[name], found?.[name]];
    return one.length === other?.length && one.every((value, index) => value === other[index]);
  });
}
